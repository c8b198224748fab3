//! The files that say who may do what: tokens, certificates, keys. Their contents go nowhere else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use toads_coordinator::{Identity, Tokens};
use toads_wire::client::{Access, Token};

use crate::console;
use crate::failure::{Failure, Result, plain};

/// Larger files are none of these.
const LARGEST: u64 = 1 << 20;

/// What a client shows of itself and whom it trusts.
pub(crate) fn client(tls_ca: Option<&Path>, token_file: Option<&Path>) -> Result<Access> {
    let token = |path: &Path| {
        Token::parse(&secret(path)?).map_err(|(line, error)| {
            Failure::Input(format!(
                "{}:{line}: {error}; --token-file names a file with your token alone",
                path.display()
            ))
        })
    };
    Ok(Access {
        authorities: tls_ca.map(read).transpose()?,
        token: token_file.map(token).transpose()?,
    })
}

/// Whom a coordinator lets in.
pub(crate) fn tokens(path: &Path) -> Result<Tokens> {
    Tokens::parse(&secret(path)?)
        .map_err(|(line, error)| Failure::Input(format!("{}:{line}: {error}", path.display())))
}

/// What a coordinator is known by.
pub(crate) fn identity(certificate: &Path, key: &Path) -> Result<Identity> {
    let chain = read(certificate)?;
    let private = secret(key)?;
    Identity::new(chain, private.into_bytes()).map_err(|error| {
        Failure::Input(format!(
            "--tls-cert {} and --tls-key {}: {error}; `toads cert new` makes a pair",
            certificate.display(),
            key.display()
        ))
    })
}

/// Reads a file that is nobody else's business, and warns when others can read it too.
fn secret(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    let others = fs::metadata(path).map_or(0, |meta| meta.permissions().mode() & 0o077);
    if others & 0o044 != 0 {
        console::warning(&format!("others can read {}: chmod 600 it", path.display()));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Input(format!("{} is not a text file", path.display())))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let cannot = |error: std::io::Error| {
        Failure::Input(format!("cannot read {}: {}", path.display(), plain(&error)))
    };
    let meta = fs::metadata(path).map_err(cannot)?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(Failure::Input(format!(
            "{} is not a file of tokens, certificates or a key",
            path.display()
        )));
    }
    fs::read(path).map_err(cannot)
}
