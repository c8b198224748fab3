//! The worker: lease, evaluate, submit.
