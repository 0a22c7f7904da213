use bench_core::{ErrorType, InvalidInput};
use tokio::task::JoinError;

/// A call that the service refused or never answered.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {message}")]
pub struct BucketError {
    /// The service's call, for example `GetObjectAcl`.
    pub call: &'static str,
    /// The service's own code, for example `AccessDenied`, or what went wrong on the way.
    pub code: String,
    /// What the service or the SDK said.
    pub message: String,
}

impl BucketError {
    pub(crate) fn of_task(error: JoinError) -> Self {
        Self { call: "GetObjectAcl", code: "TaskFailed".into(), message: error.to_string() }
    }
}

/// Why an invocation failed; never a success with zeros.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event cannot be used; nothing was called.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The prefix holds fewer objects than the event asks for.
    #[error("found {found} objects below the prefix; expected {expected}: seed the bucket or ask for fewer")]
    ObjectsMissing {
        /// Objects listed.
        found: usize,
        /// Objects that the event asks for.
        expected: u32,
    },
    /// An access control list without any grant.
    #[error("found no grant on {0}; every object has its owner's")]
    NoGrants(String),
    /// A call failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
}

impl ErrorType for Error {
    fn error_type(&self) -> &str {
        match self {
            Self::InvalidInput(error) => error.error_type(),
            Self::ObjectsMissing { .. } => "ObjectsMissing",
            Self::NoGrants(_) => "NoGrants",
            Self::Bucket(error) => &error.code,
        }
    }
}
