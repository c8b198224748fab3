//! The wire contract: generated gRPC code and its conversions.
