use bench_core::{CallError, ErrorType, InvalidInput};

/// Why an invocation failed; never a success with zeros.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event cannot be used; nothing was called.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// There is nothing under the key: the table was not seeded, or another one is meant.
    #[error("found no item at {0}; seed the table or name a key that is there")]
    ItemNotFound(String),
    /// The service kept leaving items unprocessed.
    #[error("{left} of {items} items unprocessed after {calls} calls")]
    ItemsUnprocessed {
        /// Items still unprocessed.
        left: usize,
        /// Items that the event asked for.
        items: u32,
        /// Calls made.
        calls: u32,
    },
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl ErrorType for Error {
    fn error_type(&self) -> &str {
        match self {
            Self::InvalidInput(error) => error.error_type(),
            Self::ItemNotFound(_) => "ItemNotFound",
            Self::ItemsUnprocessed { .. } => "ItemsUnprocessed",
            Self::Call(error) => error.error_type(),
        }
    }
}
