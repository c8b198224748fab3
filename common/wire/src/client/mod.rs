//! How a client reaches a coordinator: the address, whom it trusts (promise P18), what it shows of itself.
//!
//! | file | what lives there |
//! |---|---|
//! | `address` | `HOST:PORT`, `http://…`, `https://…`, and the endpoint that they name |
//! | `probe` | whether a server that drops a connection wants TLS |
//! | `token` | bearer tokens, which show themselves nowhere |
//! | `trouble` | what a failed connection means, in words |

mod address;
mod probe;
mod token;
mod trouble;

use tonic::metadata::MetadataValue;
use tonic::metadata::errors::InvalidMetadataValue;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::{Request, Status, metadata::Ascii};

pub use address::{AddressError, endpoint};
pub use token::{Token, TokenError};
pub use trouble::{Trouble, trouble};

/// Whom a client trusts, and what it shows of itself.
#[derive(Clone, Default)]
pub struct Access {
    /// Certificates of the authorities that may have signed the coordinator's, as PEM. Needed for `https://`.
    pub authorities: Option<Vec<u8>>,
    /// What the coordinator knows the caller's role by.
    pub token: Option<Token>,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access")
            .field("authorities", &self.authorities.as_ref().map(Vec::len))
            .field("token", &self.token)
            .finish()
    }
}

/// A connection whose every call carries the token.
pub type Channel = InterceptedService<tonic::transport::Channel, Bearer>;

/// Puts the token into every call.
#[derive(Clone, Debug, Default)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    /// For the calls of whoever has this access.
    pub fn new(access: &Access) -> Self {
        let header = |token: &Token| -> Result<_, InvalidMetadataValue> {
            let mut value: MetadataValue<Ascii> = format!("Bearer {}", token.secret()).parse()?;
            // Not to be shown by whoever shows headers.
            value.set_sensitive(true);
            Ok(value)
        };
        Self(access.token.as_ref().and_then(|token| header(token).ok()))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(header) = &self.0 {
            request
                .metadata_mut()
                .insert("authorization", header.clone());
        }
        Ok(request)
    }
}
