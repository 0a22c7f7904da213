use bench_core::{CallError, ErrorType, InvalidInput};

/// A step of a connection made by hand that failed.
#[derive(Debug, thiserror::Error)]
#[error("{step} to {host}: {message}")]
pub struct ConnectionError {
    /// `DNS`, `TCP` or `TLS`.
    pub step: &'static str,
    /// The endpoint's host and port.
    pub host: String,
    /// `message` is the text of the system or of the cryptography.
    pub message: String,
}

impl ErrorType for ConnectionError {
    fn error_type(&self) -> &str {
        "ConnectionFailed"
    }
}

/// Why an invocation failed; never a success with zeros.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event cannot be used; nothing was called.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// A connection made by hand failed; the service was not called.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// There is nothing under the key: the table was not seeded, or another one is meant.
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
