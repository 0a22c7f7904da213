use std::time::{Duration, Instant};

/// A monotonic clock, started when it is made.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// `timed` returns a call's value with the time from the start to now.
    pub fn timed<T>(&self, value: T) -> Timed<T> {
        Timed { value, time: self.elapsed() }
    }
}

/// `Timed` is a call's value and the time that the call alone took.
#[derive(Debug, Clone, Copy)]
pub struct Timed<T> {
    /// `value` is what the call returned.
    pub value: T,
    /// The call's own time.
    pub time: Duration,
}

/// A duration as the contract counts it: milliseconds with their fraction.
#[must_use]
pub fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
