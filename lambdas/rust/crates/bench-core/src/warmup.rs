use std::time::Duration;

use crate::{ErrorType, Stopwatch, milliseconds};

/// How long a warm-up may take: Lambda gives Init 10 s and repeats it, billed, when they have passed.
/// <https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html>
pub const LONGEST_WARMUP: Duration = Duration::from_millis(1_500);

const TIMED_OUT: &str = "TimedOut";

/// What became of the call that a function makes at the end of Init.
#[derive(Debug, Clone, PartialEq)]
pub struct Warmup {
    /// How long Init waited for it.
    pub milliseconds: f64,
    /// The error's name, or `TimedOut` where `limit` cut it off; absent when the call came back.
    pub error: Option<String>,
}

impl Warmup {
    /// Waits for a call, but no longer than `limit`, and ignores what it gave: Init goes on whatever it was.
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

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::time::Duration;

    use super::Warmup;
    use crate::InvalidInput;

    const LIMIT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_call_that_comes_back_leaves_no_error() {
        let warmup = Warmup::within(LIMIT, ready(Ok::<_, InvalidInput>(()))).await;
        assert_eq!(warmup.error, None);
        assert!(warmup.milliseconds < 20.0);
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
}
