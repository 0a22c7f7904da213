use bench_core::{CallError, ErrorType, InvalidInput};

/// Reason why an invocation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event is invalid; no call was made.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The prefix has fewer objects than the event requests.
    #[error("found {found} objects below the prefix; expected {expected}: seed the bucket or ask for fewer")]
    ObjectsMissing {
        /// Objects listed.
        found: usize,
        /// Objects requested by the event.
        expected: u32,
    },
    /// An access control list without any grant.
    #[error("found no grant on {0}; every object has its owner's")]
    NoGrants(String),
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl ErrorType for Error {
    fn error_type(&self) -> &str {
        match self {
            Self::InvalidInput(error) => error.error_type(),
            Self::ObjectsMissing { .. } => "ObjectsMissing",
            Self::NoGrants(_) => "NoGrants",
            Self::Call(error) => error.error_type(),
        }
    }
}
