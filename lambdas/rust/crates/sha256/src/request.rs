use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const FIELDS: [&str; 2] = ["operation", "rounds"];
/// `ROUNDS` is the number that the published figures are of.
const ROUNDS: u32 = 1_000_000;
/// Well inside the timeout at any memory size, in Python too.
const MOST_ROUNDS: u32 = 2_000_000;

/// `Request` is what an event asks for, its default filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// `rounds` is the number of hashes, one after another.
    pub rounds: u32,
}

impl Request {
    /// The name that the event and the result carry.
    pub const NAME: &str = "sha256_chain";

    /// Reads an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// The first field that cannot be used.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        fields.operation(&[Self::NAME])?;
        Ok(Self { rounds: fields.count("rounds", MOST_ROUNDS)?.unwrap_or(ROUNDS) })
    }
}
