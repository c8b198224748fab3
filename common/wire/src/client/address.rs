//! The address of a coordinator, and the endpoint that it names.

use std::net::IpAddr;
use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use super::Access;

/// How long a coordinator may take to accept a connection, TLS included.
const CONNECT: Duration = Duration::from_secs(5);

/// After so much silence in the middle of a call a coordinator is asked whether it lives …
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// … and after so much more it counts as gone: it may be stopped, or cut off without a word (promise P25).
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why an address is no coordinator's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AddressError {
    /// Not of the shape that is wanted.
    #[error("`{}` is not the address of a coordinator; write http://127.0.0.1:7433", .0.escape_debug())]
    Shape(String),
    /// TLS, but nobody to trust.
    #[error(
        "`{}` is spoken to over TLS; name the certificate of its authority with --tls-ca FILE",
        .0.escape_debug()
    )]
    NoAuthority(String),
    /// Somebody to trust, but no TLS.
    #[error(
        "`{}` is spoken to without TLS, although --tls-ca is given; write https://, or leave --tls-ca out",
        .0.escape_debug()
    )]
    NoTls(String),
    /// What should be certificates is none.
    #[error("what --tls-ca names holds no certificate: {0}")]
    Authority(String),
}

/// The endpoint that an address names: `http://HOST:PORT` or `https://HOST:PORT`; without either, TLS is spoken when there
/// is an authority to trust. Nothing is connected yet.
///
/// On a loopback address `http://` is taken also when there is an authority: settings meant for a cluster do no harm to
/// a census on this machine.
pub fn endpoint(address: &str, access: &Access) -> Result<Endpoint, AddressError> {
    let shape = || AddressError::Shape(address.to_owned());
    let full = if address.contains("://") {
        address.to_owned()
    } else if access.authorities.is_some() {
        format!("https://{address}")
    } else {
        format!("http://{address}")
    };
    let endpoint = Endpoint::from_shared(full).map_err(|_| shape())?;
    let uri = endpoint.uri();
    let host = uri.host().filter(|host| !host.is_empty());
    let (Some(host), Some(_), Some(scheme)) = (host, uri.port(), uri.scheme_str()) else {
        return Err(shape());
    };
    let local = is_loopback(host);
    let endpoint = match (scheme, &access.authorities) {
        ("http", Some(_)) if !local => return Err(AddressError::NoTls(address.to_owned())),
        ("http", _) => endpoint,
        ("https", None) => return Err(AddressError::NoAuthority(address.to_owned())),
        // The library takes an empty list of authorities, and would trust nobody without saying why.
        ("https", Some(pem)) if !holds_certificate(pem) => {
            let what = "there is none in PEM in it".to_owned();
            return Err(AddressError::Authority(what));
        }
        ("https", Some(pem)) => endpoint
            .tls_config(
                ClientTlsConfig::new()
                    .ca_certificate(Certificate::from_pem(pem))
                    .timeout(CONNECT),
            )
            .map_err(|error| AddressError::Authority(super::trouble::innermost(&error)))?,
        _ => return Err(shape()),
    };
    Ok(endpoint
        .connect_timeout(CONNECT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .keep_alive_timeout(KEEP_ALIVE_TIMEOUT))
}

fn holds_certificate(pem: &[u8]) -> bool {
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";
    pem.windows(BEGIN.len()).any(|window| window == BEGIN)
}

/// Whether a host, as it stands in an address, is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    plain == "localhost" || plain.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str, authority: bool) -> Result<String, AddressError> {
        let access = Access {
            authorities: authority.then(|| b"none".to_vec()),
            token: None,
        };
        endpoint(address, &access).map(|endpoint| endpoint.uri().to_string())
    }

    #[test]
    fn an_address_has_host_and_port_and_perhaps_a_scheme() {
        assert_eq!(
            read("10.0.0.5:7433", false).unwrap(),
            "http://10.0.0.5:7433/"
        );
        assert_eq!(read("http://[::1]:1", false).unwrap(), "http://[::1]:1/");
        for address in [
            "",
            "7433",
            "http://host",
            "http://:7433",
            "ftp://host:1",
            "a b:1",
        ] {
            assert!(
                matches!(read(address, false), Err(AddressError::Shape(_))),
                "{address}"
            );
        }
    }

    #[test]
    fn tls_and_the_authority_come_together() {
        assert!(matches!(
            read("https://host:1", false),
            Err(AddressError::NoAuthority(_))
        ));
        assert!(matches!(
            read("http://host:1", true),
            Err(AddressError::NoTls(_))
        ));
        // Without a scheme TLS is meant; what we gave holds no certificate.
        assert!(matches!(
            read("host:1", true),
            Err(AddressError::Authority(_))
        ));
        assert!(read("http://127.0.0.1:1", true).is_ok());
        assert!(read("http://localhost:1", true).is_ok());
    }
}
