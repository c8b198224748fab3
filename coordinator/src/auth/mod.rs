//! Who may do what (promise P18): roles, tokens, TLS, and which addresses may be served without them.
//!
//! | file | what lives there |
//! |---|---|
//! | `role` | worker, operator, reader; the role table of every call |
//! | `tokens` | the coordinator's token file; comparison in constant time |
//! | `layer` | asks each gRPC call for its token |
//! | `identity` | the certificate and its key |
//! | `protection` | whether an address may be served |

mod identity;
mod layer;
mod protection;
mod role;
mod tokens;

pub use identity::{Identity, IdentityError};
pub use protection::Protection;
pub use role::Role;
pub use tokens::{Tokens, TokensError};

pub(crate) use layer::AuthLayer;
pub(crate) use tokens::Denied;
