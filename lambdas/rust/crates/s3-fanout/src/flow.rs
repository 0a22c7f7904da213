use bench_core::InvalidInput;

/// How a variant makes its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// One after another.
    Serial,
    /// Concurrently: `usual` calls unless the event gives a number.
    Concurrent {
        /// Default number of concurrent calls.
        usual: u32,
    },
}

impl Flow {
    /// Returns the number of concurrent calls for an event that requests `asked`.
    ///
    /// # Errors
    /// When a serial variant is asked for more than one call at a time, which is another variant.
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
