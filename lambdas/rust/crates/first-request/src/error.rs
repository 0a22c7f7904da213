use bench_core::{CallError, ErrorType, InvalidInput};

/// A failed step of a connection opened without the SDK.
#[derive(Debug, thiserror::Error)]
#[error("{step} to {host}: {message}")]
pub struct ConnectionError {
    /// `DNS`, `TCP` or `TLS`.
    pub step: &'static str,
    /// The endpoint's host and port.
    pub host: String,
    /// Message of the system or of the cryptography.
    pub message: String,
}

impl ErrorType for ConnectionError {
    fn error_type(&self) -> &str {
        "ConnectionFailed"
    }
}

/// Reason why an invocation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event is invalid; no call was made.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// A connection opened without the SDK failed; the service was not called.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The key has no item: the table was not seeded, or it is the wrong table.
    #[error("found no item at {0}; seed the table or name a key that is there")]
    ItemNotFound(String),
    /// The call failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl ErrorType for Error {
    fn error_type(&self) -> &str {
        match self {
            Self::InvalidInput(error) => error.error_type(),
            Self::Connection(error) => error.error_type(),
            Self::ItemNotFound(_) => "ItemNotFound",
            Self::Call(error) => error.error_type(),
        }
    }
}
