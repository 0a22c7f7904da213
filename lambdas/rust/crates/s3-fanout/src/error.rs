use bench_core::{CallError, ErrorType, InvalidInput};

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
