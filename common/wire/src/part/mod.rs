//! Results in a file: what a worker would send, for machines that cannot reach a coordinator.
//!
//! `proto/toads/v1/parts.proto` says what a part file is. Here is the frame around its messages; what they say is
//! checked by whoever imports them, as if they had come from a worker.
//!
//! | file | what lives there |
//! |---|---|
//! | `frame` | records: kind, length, message, checksum |
//! | `header` | [`PartHeader`]: what a part is a part of |
//! | `writer` | [`PartWriter`]: a file that appears whole; goes on after an interruption |
//! | `reader` | [`PartReader`]: a file that is read once or not believed |

mod error;
mod frame;
mod header;
mod reader;
mod writer;

pub use error::PartError;
pub use header::PartHeader;
pub use reader::{PartEnd, PartReader, verify_part};
pub use writer::{PartWriter, Started};
