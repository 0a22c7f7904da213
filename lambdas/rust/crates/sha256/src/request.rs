use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const FIELDS: [&str; 2] = ["operation", "rounds"];
/// Number of rounds in the published figures.
const ROUNDS: u32 = 1_000_000;
/// Far below the timeout at any memory size, also in Python.
const MOST_ROUNDS: u32 = 2_000_000;

/// The request of an event, with its default filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Number of successive hashes.
    pub rounds: u32,
}

impl Request {
    /// The operation's name in events and results.
    pub const NAME: &str = "sha256_chain";

    /// Parses an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// On the first invalid field.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        fields.operation(&[Self::NAME])?;
        Ok(Self { rounds: fields.count("rounds", MOST_ROUNDS)?.unwrap_or(ROUNDS) })
    }
}
