//! Why a submission ends before its verdict.

use toads_store::StoreError;
use toads_wire::v1::RefusalReason;

/// Why a submission ends here.
#[derive(Debug)]
pub(crate) enum Reject {
    /// Its content is wrong.
    Content(RefusalReason, String),
    /// The store could not take it.
    Store(StoreError),
}

impl From<StoreError> for Reject {
    fn from(error: StoreError) -> Self {
        match error {
            // The store's own checks, which ours should have come before.
            StoreError::Rejected { .. }
            | StoreError::Conflict { .. }
            | StoreError::Incomplete { .. } => {
                Self::Content(RefusalReason::Malformed, error.to_string())
            }
            error => Self::Store(error),
        }
    }
}

/// The outcome of a check.
pub(super) type Checked<T> = Result<T, Reject>;

/// Its content is wrong.
pub(super) fn refuse<T>(reason: RefusalReason, what: impl Into<String>) -> Checked<T> {
    Err(Reject::Content(reason, what.into()))
}
