use std::time::{Duration, Instant};

/// A monotonic stopwatch, started on creation.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Returns a call's value with the time since the start.
    pub fn timed<T>(&self, value: T) -> Timed<T> {
        Timed { value, time: self.elapsed() }
    }
}

/// A call's value and duration.
#[derive(Debug, Clone, Copy)]
pub struct Timed<T> {
    /// The value that the call returned.
    pub value: T,
    /// The duration of the call.
    pub time: Duration,
}

/// Returns a duration in milliseconds with fractions, as in the contract.
#[must_use]
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
