use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const NAMES: [&str; 3] = ["fibonacci", "vector", "noop"];
const FIELDS: [&str; 2] = ["operation", "n"];
/// The number that the source computed. The next one takes 1.6 times as long.
const LARGEST_N: u32 = 40;

/// The operation that an event requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A Fibonacci number, by recursion.
    Fibonacci {
        /// Index of the number, 1 to 40. It comes with the event, so no compiler knows it.
        n: u32,
    },
    /// 100,000 integers allocated, transformed and summed.
    Vector,
    /// No work: measures the cost of an invocation itself.
    Noop,
}

impl Operation {
    /// Parses an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// On the first invalid field.
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

    /// The operation's name in events and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fibonacci { .. } => "fibonacci",
            Self::Vector => "vector",
            Self::Noop => "noop",
        }
    }
}
