use std::env;
use std::time::Duration;

use serde_json::Value;

use crate::InvalidInput;
#[cfg(feature = "warmup")]
use crate::{ErrorType, Stopwatch, milliseconds};

/// Default limit of a warm-up: Lambda limits Init to 10 s, then repeats it and bills it.
/// <https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html>
const LIMIT_MS: u64 = 1_500;
/// Variable that overrides the limit, in milliseconds: under an instrument a process runs a hundred times slower.
const LIMIT_VARIABLE: &str = "WARMUP_LIMIT_MS";
const LARGEST_LIMIT_MS: u64 = 600_000;

#[cfg(feature = "warmup")]
const TIMED_OUT: &str = "TimedOut";

/// Outcome of the call at the end of Init.
#[derive(Debug, Clone, PartialEq)]
pub struct Warmup {
    /// Time that Init waited for the call.
    pub milliseconds: f64,
    /// The error's name, or `TimedOut` if the limit was reached. Absent if the call succeeded.
    pub error: Option<String>,
}

impl Warmup {
    /// Returns the limit of a warm-up: 1.5 s, or the value of `WARMUP_LIMIT_MS`.
    ///
    /// # Errors
    /// When the variable is not a whole number from 1 to 600000.
    pub fn limit() -> Result<Duration, InvalidInput> {
        limit_of(env::var(LIMIT_VARIABLE).ok())
    }

    /// Waits for a call up to `limit` and ignores its result: Init continues in any case.
    #[cfg(feature = "warmup")]
    pub async fn within<T, E: ErrorType>(limit: Duration, call: impl Future<Output = Result<T, E>>) -> Self {
        let stopwatch = Stopwatch::start();
        let error = match tokio::time::timeout(limit, call).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.error_type().to_owned()),
            Err(_) => Some(TIMED_OUT.to_owned()),
        };
        Self { milliseconds: milliseconds(stopwatch.elapsed()), error }
    }
}

fn limit_of(variable: Option<String>) -> Result<Duration, InvalidInput> {
    let Some(text) = variable else {
        return Ok(Duration::from_millis(LIMIT_MS));
    };
    match text.parse() {
        Ok(limit @ 1..=LARGEST_LIMIT_MS) => Ok(Duration::from_millis(limit)),
        _ => {
            let allowed = format!("a whole number from 1 to {LARGEST_LIMIT_MS}");
            Err(InvalidInput::new(LIMIT_VARIABLE, Some(&Value::String(text)), allowed))
        }
    }
}

#[cfg(test)]
#[cfg(feature = "warmup")]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use super::{Warmup, limit_of};
    use crate::InvalidInput;

    const LIMIT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_call_that_comes_back_leaves_no_error() {
        let limit = Duration::from_secs(60);
        let warmup = Warmup::within(limit, ready(Ok::<_, InvalidInput>(()))).await;
        assert_eq!(warmup.error, None);
        assert!(warmup.milliseconds < 10_000.0);
    }

    #[tokio::test]
    async fn a_call_that_fails_leaves_its_errors_name_alone() {
        let failure = InvalidInput::new("secret", None, "nothing of this may be told");
        let warmup = Warmup::within(LIMIT, ready(Err::<(), _>(failure))).await;
        assert_eq!(warmup.error.as_deref(), Some("InvalidInput"));
    }

    #[tokio::test]
    async fn a_call_that_hangs_is_cut_off_at_the_limit() {
        let warmup = Warmup::within(LIMIT, pending::<Result<(), InvalidInput>>()).await;
        assert_eq!(warmup.error.as_deref(), Some("TimedOut"));
        assert!(warmup.milliseconds >= 20.0, "{warmup:?}");
    }

    #[test]
    fn the_limit_is_a_second_and_a_half_or_what_the_environment_says() {
        assert_eq!(limit_of(None).unwrap(), Duration::from_millis(1_500));
        assert_eq!(limit_of(Some("60000".into())).unwrap(), Duration::from_secs(60));
        for text in ["", "0", "-1", "600001", "1 s"] {
            let error = limit_of(Some(text.into())).unwrap_err().to_string();
            assert!(error.starts_with(&format!("WARMUP_LIMIT_MS: found {text:?}; allowed:")), "{error}");
        }
    }
}
