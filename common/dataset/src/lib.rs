//! Questions, exports and audits over a store.
