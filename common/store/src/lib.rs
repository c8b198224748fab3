//! The durable store of a census: a trait, its RocksDB schema and an in-memory twin.
