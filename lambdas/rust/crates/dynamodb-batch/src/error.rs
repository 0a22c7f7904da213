use bench_core::{CallError, ErrorType, InvalidInput};

use crate::ITEMS;

/// Reason why an invocation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The event is invalid; no call was made.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The service left a part of the batch unprocessed: it is near a limit, and the measured work was incomplete.
    #[error("{0} of {ITEMS} items unprocessed; the table is throttled: wait, or raise its capacity")]
    ItemsUnprocessed(usize),
    /// The items read differ from those written.
    #[error("{0} of {ITEMS} items were read as they had been written")]
    ItemsDiffer(usize),
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl ErrorType for Error {
    fn error_type(&self) -> &str {
        match self {
            Self::InvalidInput(error) => error.error_type(),
            Self::ItemsUnprocessed(_) => "ItemsUnprocessed",
            Self::ItemsDiffer(_) => "ItemsDiffer",
            Self::Call(error) => error.error_type(),
        }
    }
}
