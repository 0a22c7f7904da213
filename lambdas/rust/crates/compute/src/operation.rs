use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const NAMES: [&str; 3] = ["fibonacci", "vector", "noop"];
const FIELDS: [&str; 2] = ["operation", "n"];
/// `LARGEST_N` is the number that the source computed; one more takes 1.6 times as long.
const LARGEST_N: u32 = 40;

/// `Operation` is what an event asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A Fibonacci number, by recursion.
    Fibonacci {
        /// `n` says which number, 1 to 40: it comes with the event, so no compiler knows it.
        n: u32,
    },
    /// 100,000 integers allocated, transformed and summed.
    Vector,
    /// Nothing: what an invocation costs by itself.
    Noop,
}

impl Operation {
    /// Reads an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// The first field that cannot be used.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        let name = fields.operation(&NAMES)?;
        if name == "fibonacci" {
            let n = fields.count("n", LARGEST_N)?;
            let missing = || InvalidInput::new("n", None, format!("a whole number from 1 to {LARGEST_N}"));
            return Ok(Self::Fibonacci { n: n.ok_or_else(missing)? });
        }
        fields.refuse("n", "fibonacci")?;
        Ok(if name == "vector" { Self::Vector } else { Self::Noop })
    }

    /// The name that the event and the result carry.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fibonacci { .. } => "fibonacci",
            Self::Vector => "vector",
            Self::Noop => "noop",
        }
    }
}
