use bench_core::InvalidInput;

/// `Flow` is how a variant makes its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// One after the other.
    Serial,
    /// Several at the same time: `usual` of them where the event names no number.
    Concurrent {
        /// Calls at the same time.
        usual: u32,
    },
}

impl Flow {
    /// `concurrency` returns the number of calls at the same time under an event that asks for `asked`.
    ///
    /// # Errors
    /// More than one of a serial variant: it would be measured for another.
    pub fn concurrency(self, asked: Option<u32>) -> Result<u32, InvalidInput> {
        match self {
            Self::Serial => match asked.unwrap_or(1) {
                1 => Ok(1),
                more => Err(InvalidInput::new(
                    "concurrency",
                    Some(&more.into()),
                    "1: this variant makes one call after the other",
                )),
            },
            Self::Concurrent { usual } => Ok(asked.unwrap_or(usual)),
        }
    }
}
