//! The coordinator: lease state machine, gRPC services, commits.
