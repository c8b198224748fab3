//! The wire contract: generated gRPC code and its conversions.
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`v1`] | messages, clients and servers, generated from `proto/toads/v1/*.proto` |
//! | [`convert`] | messages to and from the census' own types; everything that arrives is checked here |
//! | [`client`] | how a client reaches a coordinator: address, TLS, token |
//! | [`part`] | the same messages in a file, for machines that cannot reach a coordinator |
//! | [`DESCRIPTORS`] | what the reflection service shows |
//!
//! The generated code is checked in; `make generate` writes it (`examples/generate.rs`), and CI checks that it is
//! current. The conversions know no store and no scheduler: a worker links neither.

pub mod client;
pub mod convert;
pub mod part;

/// Messages, clients and servers, as generated.
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    rustdoc::all
)]
pub mod v1 {
    include!("generated/toads.v1.rs");
}

pub use convert::WireError;

/// The number of this contract (promise P16). It grows whenever an older worker could not do its part any more; a new
/// field that may be ignored does not count.
pub const PROTOCOL: u32 = 1;

/// The largest message either side takes, in bytes (promise P15).
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// What senders aim at: leaves room for the frame around a batch.
pub const BATCH_BYTES: usize = 512 << 10;

/// The most value ids in one offer: half a message.
pub const MAX_OFFER: usize = 32_768;

/// The largest block, in bytes. A block of 65,536 strips has at most 128 KiB of codes and 256 KiB of dictionary.
pub const MAX_BLOCK_BYTES: usize = 512 << 10;

/// The file descriptors of the contract, for the reflection service.
pub const DESCRIPTORS: &[u8] = include_bytes!("generated/descriptors.bin");
