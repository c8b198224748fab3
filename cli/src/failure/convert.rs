//! Which failures of the crates below are whose fault: the exit codes of everything that can go wrong there.

use toads_coordinator::{CoordinatorError, StartError};
use toads_dataset::DatasetError;
use toads_game::GameError;
use toads_search::SearchError;
use toads_store::StoreError;
use toads_strip::StripError;
use toads_worker::WorkerError;

use super::Failure;

impl From<StripError> for Failure {
    fn from(error: StripError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::TooLong { .. } | SearchError::TooLarge | SearchError::Game(_) => {
                Self::Input(error.to_string())
            }
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let text = error.to_string();
        match error {
            StoreError::Missing { .. }
            | StoreError::NotAStore { .. }
            | StoreError::ReadOnly { .. } => Self::Input(text),
            StoreError::Incompatible { .. } => Self::Incompatible(text),
            // Another process has it: nothing is wrong with the command, and later it may work.
            StoreError::InUse { .. } | StoreError::Busy { .. } => Self::Unreachable(text),
            _ => Self::Failed(text),
        }
    }
}

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::Store(error) => error.into(),
            error if error.is_input() => Self::Input(error.to_string()),
            DatasetError::OtherFingerprint { .. } => Self::Incompatible(error.to_string()),
            DatasetError::Io { path, source } => Self::path("write", &path, &source),
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => error.into(),
            // As with a store in use: nothing is wrong with the command, and later it may work.
            StartError::InUse { .. } => Self::Unreachable(error.to_string()),
            other => Self::Input(other.to_string()),
        }
    }
}

impl From<CoordinatorError> for Failure {
    fn from(error: CoordinatorError) -> Self {
        match error {
            CoordinatorError::Store(error) => error.into(),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<WorkerError> for Failure {
    fn from(error: WorkerError) -> Self {
        let text = error.to_string();
        match error {
            WorkerError::Incompatible(_) => Self::Incompatible(text),
            WorkerError::Unreachable(_) => Self::Unreachable(text),
            WorkerError::Config(_) => Self::Input(text),
        }
    }
}

impl From<tonic::Status> for Failure {
    fn from(status: tonic::Status) -> Self {
        use tonic::Code;
        let text = status.message().trim().to_owned();
        let text = if text.is_empty() {
            format!("the coordinator answered {:?}", status.code())
        } else {
            text
        };
        // A coordinator may say itself which exit code it means.
        let meant = status
            .metadata()
            .get("toads-exit")
            .and_then(|code| code.to_str().ok());
        match (meant, status.code()) {
            (Some("1"), _) => Self::Failed(text),
            (Some("2"), _) => Self::Input(text),
            (Some("4"), _) => Self::Unreachable(text),
            (Some("5"), _) | (None, Code::Unimplemented) => Self::Incompatible(text),
            // A stream that breaks off comes as one of several codes.
            _ if text.contains("error reading a body") || text.contains("h2 protocol error") => {
                Self::Unreachable(
                    "the coordinator went away in the middle of its answer, or is none; is it still running?"
                        .to_owned(),
                )
            }
            (_, Code::Unavailable | Code::DeadlineExceeded) => Self::Unreachable(format!(
                "the coordinator went away ({text}); is it still running?"
            )),
            (
                _,
                Code::InvalidArgument
                | Code::NotFound
                | Code::AlreadyExists
                | Code::OutOfRange
                | Code::FailedPrecondition
                | Code::Unauthenticated
                | Code::PermissionDenied,
            ) => Self::Input(text),
            _ => Self::Failed(text),
        }
    }
}
