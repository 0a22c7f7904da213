use bench_core::{Boot, FunctionResult, InvalidInput, Measured, Stopwatch};
use serde_json::Value;

use crate::Operation;
use crate::work::{fibonacci, vector};

/// The function of the experiment: the process's identity.
#[derive(Debug)]
pub struct Function {
    variant: &'static str,
    boot: Boot,
}

impl Function {
    /// A function of a process, whose Init ends with it; `variant` is the name that its results carry.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot) -> Self {
        Self { variant, boot: boot.ready() }
    }

    /// Computes what one event asks for and says how long it took.
    ///
    /// # Errors
    /// An event that cannot be used; a failed invocation counts as one, too.
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
