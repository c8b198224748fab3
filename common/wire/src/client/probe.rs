//! Whether a server that took a connection and dropped it wanted TLS.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use tonic::transport::Uri;

use super::Trouble;

/// How long each of connecting, writing and reading may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// A TLS record of a handshake with a whole message of no known kind: nothing more is waited for, and all of it is read.
const NONSENSE: [u8; 9] = [0x16, 3, 1, 0, 4, 0xff, 0, 0, 0];

/// How a TLS record begins that says what is wrong.
const ALERT: u8 = 0x15;

impl Trouble {
    /// Looks once more at a server on `http://` that broke a connection off: what it says of itself often does not arrive
    /// before the connection is gone. Takes up to three seconds.
    #[must_use]
    pub fn looked_into(self, address: &str) -> Self {
        match self {
            Self::Unreachable(cause) if wants_tls(address) => Self::TlsMismatch(cause),
            trouble => trouble,
        }
    }
}

/// Whether the server of an address that is not `https://` answers in TLS.
fn wants_tls(address: &str) -> bool {
    let full = if address.contains("://") {
        address.to_owned()
    } else {
        format!("http://{address}")
    };
    let Ok(uri) = full.parse::<Uri>() else {
        return false;
    };
    uri.scheme_str() == Some("http") && answers_with_alert(&uri).unwrap_or(false)
}

fn answers_with_alert(uri: &Uri) -> std::io::Result<bool> {
    let host = uri.host().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = uri.port_u16().unwrap_or_default();
    for address in (host, port).to_socket_addrs()? {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else {
            continue;
        };
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(&NONSENSE)?;
        let mut first = [0];
        stream.read_exact(&mut first)?;
        return Ok(first == [ALERT]);
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// The address of a server that answers one connection with these bytes.
    fn server(answer: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut question = [0; NONSENSE.len()];
            stream.read_exact(&mut question).unwrap();
            stream.write_all(answer).unwrap();
        });
        address
    }

    #[test]
    fn only_a_server_that_answers_in_tls_wants_it() {
        let lost = || Trouble::Unreachable("broken pipe".to_owned());
        let mismatch = Trouble::TlsMismatch("broken pipe".to_owned());
        let alert: &[u8] = &[ALERT, 3, 3, 0, 2, 2, 10];
        assert_eq!(lost().looked_into(&server(alert)), mismatch);
        let url = format!("http://{}", server(alert));
        assert_eq!(lost().looked_into(&url), mismatch);
        // The frame of settings with which HTTP/2 begins, nothing at all, and nobody.
        assert_eq!(lost().looked_into(&server(&[0, 0, 0, 4])), lost());
        assert_eq!(lost().looked_into(&server(&[])), lost());
        assert_eq!(lost().looked_into("127.0.0.1:1"), lost());
        assert_eq!(lost().looked_into("https://127.0.0.1:1"), lost());
        assert_eq!(lost().looked_into("no address"), lost());
    }
}
