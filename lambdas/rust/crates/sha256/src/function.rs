use bench_core::{Boot, FunctionResult, InvalidInput, Measured, Stopwatch};
use serde_json::Value;

use crate::{Request, chain, leading_bits};

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

    /// Hashes as often as one event asks for and says how long it took.
    ///
    /// # Errors
    /// An event that cannot be used; a failed invocation counts as one, too.
    pub fn invoke(&self, event: &Value) -> Result<FunctionResult, InvalidInput> {
        let invocation = self.boot.invoked();
        if let Some(described) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(described);
        }
        let request = Request::read(event)?;
        let stopwatch = Stopwatch::start();
        let value = leading_bits(chain(request.rounds));
        let measured = Measured { duration: stopwatch.elapsed(), value: Some(value), ..Measured::default() };
        Ok(FunctionResult::new(self.variant, Request::NAME, invocation, measured))
    }
}
