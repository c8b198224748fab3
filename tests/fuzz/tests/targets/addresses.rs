//! Token files, addresses, certificates of TLS.

use toads_coordinator::Tokens;
use toads_fuzz::{Fuzz, assert_clear};
use toads_wire::client::{Access, Token, endpoint};

const TOKEN: &str = "0123456789abcdefghij";
const OTHER: &str = "klmnopqrstuvwxyz!$%&/()=";

#[test]
fn token_files() {
    let seeds = [
        format!("# mine\n\n  {TOKEN} \n"),
        format!("worker {TOKEN}\n# two\noperator {OTHER}\n"),
        format!("reader\t{TOKEN}"),
    ];
    let words = &[
        "worker ",
        "operator ",
        "reader ",
        "#",
        "\n",
        "\r\n",
        "\u{2028}",
        TOKEN,
        OTHER,
    ];
    Fuzz::new("token files")
        .seeds(seeds)
        .words(words)
        .run(|input| {
            let text = String::from_utf8_lossy(input);
            let lines = text.lines().count().max(1);
            let one = Token::parse(&text).inspect(|token| {
                assert_eq!(Token::parse(token.secret()).as_ref(), Ok(token));
            });
            let several = Tokens::parse(&text);
            if let Err((line, error)) = &one {
                assert_clear(error);
                assert!((1..=lines).contains(line));
            }
            if let Err((line, error)) = &several {
                assert_clear(error);
                assert!((1..=lines).contains(line));
            }
            one.is_ok() || several.is_ok()
        });
}

const PEM: &str = "\
-----BEGIN CERTIFICATE-----
MIIBdDCCARmgAwIBAgIUEe5Pzh1YYyq0VFzqp5bCg1yYp8AwCgYIKoZIzj0EAwIw
-----END CERTIFICATE-----
";

/// An address on the first line, what should be certificates behind it.
#[test]
fn addresses() {
    let seeds = [
        "10.0.0.5:7433".to_owned(),
        "http://[::1]:1".to_owned(),
        "https://localhost:7433".to_owned(),
        format!("https://host.example:7433\n{PEM}"),
        format!("http://127.0.0.1:1\n{PEM}"),
    ];
    let words = &[
        "http://",
        "https://",
        ":",
        "@",
        "[",
        "]",
        "::1",
        "%",
        "/",
        "?",
        "#",
        "\n",
        "localhost",
        ":65536",
    ];
    Fuzz::new("addresses")
        .seeds(seeds)
        .words(words)
        .run(|input| {
            let text = String::from_utf8_lossy(input);
            let (address, pem) = text.split_once('\n').unwrap_or((&text, ""));
            let authorities = (!pem.is_empty()).then(|| pem.as_bytes().to_vec());
            let access = Access {
                authorities,
                token: None,
            };
            match endpoint(address, &access) {
                Ok(endpoint) => {
                    assert!(endpoint.uri().host().is_some_and(|host| !host.is_empty()));
                    assert!(endpoint.uri().port().is_some());
                    true
                }
                // Without an authority there is none for https://.
                Err(error) => {
                    assert_clear(&error);
                    address.starts_with("https://") && pem.is_empty()
                }
            }
        });
}
