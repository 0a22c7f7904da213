use bench_core::{CallError, ErrorType, InvalidInput};

/// Reason why an invocation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event is invalid; no call was made.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The key has no item: the table was not seeded, or it is the wrong table.
    #[error("found no item at {0}; seed the table or name a key that is there")]
    ItemNotFound(String),
    /// The service left items unprocessed in every call.
    #[error("{left} of {items} items unprocessed after {calls} calls")]
    ItemsUnprocessed {
        /// Items still unprocessed.
        left: usize,
        /// Items requested by the event.
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
