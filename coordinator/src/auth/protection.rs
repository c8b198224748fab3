//! Whether an address may be served, and what protects it (promise P18).

use std::fmt;
use std::net::SocketAddr;

/// What stands between an address and whoever reaches it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Protection {
    loopback: bool,
    tls: bool,
    tokens: bool,
}

impl Protection {
    pub(crate) fn of(addr: SocketAddr, tls: bool, tokens: bool) -> Self {
        Self {
            loopback: addr.ip().is_loopback(),
            tls,
            tokens,
        }
    }

    /// Safe without anybody saying so: nobody else reaches it, or both TLS and tokens protect it.
    pub fn is_enough(self) -> bool {
        self.loopback || self.tls && self.tokens
    }

    /// What is missing for that, in words.
    pub(crate) fn missing(self) -> &'static str {
        match (self.tls, self.tokens) {
            (false, false) => "neither TLS nor tokens",
            (false, true) => "no TLS",
            (true, false) => "no tokens",
            (true, true) => "nothing",
        }
    }
}

impl fmt::Display for Protection {
    /// `loopback, TLS, tokens`, as far as it is true; `INSECURE: …` when that is not enough.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_enough() {
            return write!(
                f,
                "INSECURE: {}; whoever reaches the address may use it",
                self.missing()
            );
        }
        let parts = [
            (self.loopback, "loopback"),
            (self.tls, "TLS"),
            (self.tokens, "tokens"),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| *word)
            .collect();
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p18_only_loopback_is_safe_without_tls_and_tokens() {
        let of = |addr: &str, tls, tokens| Protection::of(addr.parse().unwrap(), tls, tokens);
        for addr in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"] {
            assert!(of(addr, false, false).is_enough(), "{addr}");
        }
        for addr in ["0.0.0.0:1", "10.0.0.5:1", "[::]:1", "[::ffff:127.0.0.1]:1"] {
            assert!(of(addr, true, true).is_enough(), "{addr}");
            for (tls, tokens) in [(false, false), (true, false), (false, true)] {
                assert!(!of(addr, tls, tokens).is_enough(), "{addr}");
            }
        }
        assert_eq!(of("127.0.0.1:1", true, false).to_string(), "loopback, TLS");
        let open = of("0.0.0.0:1", false, true).to_string();
        assert!(open.starts_with("INSECURE: no TLS;"), "{open}");
    }
}
