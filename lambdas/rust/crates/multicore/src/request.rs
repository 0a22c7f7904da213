use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const NAMES: [&str; 2] = ["hash", "noop"];
const FIELDS: [&str; 3] = ["operation", "count", "mode"];
const MODES: [(&str, Mode); 3] =
    [("sequential", Mode::Sequential), ("parallel", Mode::Parallel), ("auto", Mode::Auto)];
const LARGEST_COUNT: u32 = 1000;
/// Number of hashes in the source's workload.
const USUAL_COUNT: u32 = 20;

/// How the jobs are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One after another, without the pool.
    Sequential,
    /// On the pool, even if it has one worker.
    Parallel,
    /// On the pool if there is more than one worker and more than one job.
    Auto,
}

impl Mode {
    /// The mode's name in events and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Parallel => "parallel",
            Self::Auto => "auto",
        }
    }
}

/// The request of an event, with its defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Hashes passwords.
    Hash {
        /// 1 to 1,000.
        count: u32,
        /// How they are distributed.
        mode: Mode,
    },
    /// No work: measures the cost of an invocation itself.
    Noop,
}

impl Request {
    /// Parses an event, plain or in the HTTP shape. The default operation is `hash`.
    ///
    /// # Errors
    /// On the first invalid field.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        let is_absent = |name| matches!(fields.text(name, 1), Ok(None));
        let is_unnamed = is_absent("operation") && is_absent("op");
        let name = if is_unnamed { "hash" } else { fields.operation(&NAMES)? };
        if name == "noop" {
            fields.refuse("count", "hash")?;
            fields.refuse("mode", "hash")?;
            return Ok(Self::Noop);
        }
        let count = fields.count("count", LARGEST_COUNT)?.unwrap_or(USUAL_COUNT);
        Ok(Self::Hash { count, mode: mode_of(&fields)? })
    }

    /// The request's name in events and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hash { .. } => "hash",
            Self::Noop => "noop",
        }
    }
}

fn mode_of(fields: &Fields<'_>) -> Result<Mode, InvalidInput> {
    let allowed = MODES.map(|(name, _)| name).join(", ");
    let longest = 10;
    let found = match fields.text("mode", longest) {
        Ok(found) => found.unwrap_or("auto"),
        Err(error) => return Err(InvalidInput { allowed, ..error }),
    };
    match MODES.iter().find(|(name, _)| *name == found) {
        Some((_, mode)) => Ok(*mode),
        None => Err(InvalidInput::new("mode", Some(&found.into()), allowed)),
    }
}
