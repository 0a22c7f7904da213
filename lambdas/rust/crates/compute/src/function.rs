use bench_core::{Boot, FunctionResult, InvalidInput, Measured, Stopwatch};
use serde_json::Value;

use crate::Operation;
use crate::work::{fibonacci, vector};

/// The function of the experiment. Its only state is the process's identity.
#[derive(Debug)]
pub struct Function {
    variant: &'static str,
    boot: Boot,
}

impl Function {
    /// Creates the function and ends Init. Results carry the name `variant`.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot) -> Self {
        Self { variant, boot: boot.ready() }
    }

    /// Handles one event and times the computation.
    ///
    /// # Errors
    /// When the event is invalid. A failed invocation is counted too.
    pub fn invoke(&self, event: &Value) -> Result<FunctionResult, InvalidInput> {
        let invocation = self.boot.invoked();
        if let Some(described) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(described);
        }
        let operation = Operation::read(event)?;
        let stopwatch = Stopwatch::start();
        let value = match operation {
            Operation::Fibonacci { n } => Some(fibonacci(n)),
            Operation::Vector => Some(vector()),
            Operation::Noop => None,
        };
        let measured = Measured { duration: stopwatch.elapsed(), value, ..Measured::default() };
        Ok(FunctionResult::new(self.variant, operation.name(), invocation, measured))
    }
}
