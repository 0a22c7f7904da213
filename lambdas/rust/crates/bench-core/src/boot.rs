use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{Build, Stack, Warmup};

/// The identity of this process, by which a cold sample proves that it was cold.
///
/// Create one in Init and keep it for the life of the process.
#[derive(Debug)]
pub struct Boot {
    id: String,
    invocations: AtomicU64,
    build: Option<Build>,
    sdk: Option<Sdk>,
    warmup: Option<Warmup>,
    /// The end of Init.
    ready: Option<Instant>,
}

/// The AWS SDK that a process uses to call its service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sdk {
    /// Name of the crate.
    pub name: &'static str,
    /// Version of the crate.
    pub version: &'static str,
}

/// One invocation of a process.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    boot: &'a Boot,
    /// Number of earlier invocations of the process, failed ones included.
    pub number: u64,
    /// Time from the end of Init to the first event; set only for the first invocation.
    pub since_init: Option<Duration>,
}

impl Boot {
    /// Creates a random identity.
    ///
    /// # Errors
    /// When the system returns no random bytes; the function must then not start.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self::with_id(bytes.iter().fold(String::with_capacity(32), |mut id, byte| {
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
            id
        })))
    }

    /// Creates an identity with a given id, for tests.
    #[must_use]
    pub fn with_id(id: String) -> Self {
        let invocations = AtomicU64::new(0);
        Self { id, invocations, build: None, sdk: None, warmup: None, ready: None }
    }

    /// Adds the build, which the first result reports.
    ///
    /// # Errors
    /// When the size of the binary cannot be read.
    pub fn built_on(self, stack: Stack) -> io::Result<Self> {
        Ok(Self { build: Some(Build::of(stack)?), ..self })
    }

    /// Adds the AWS SDK of the process, which the first result reports.
    #[must_use]
    pub fn with_sdk(self, sdk: Sdk) -> Self {
        Self { sdk: Some(sdk), ..self }
    }

    /// Marks the end of Init: nothing is left to do before the first event.
    #[must_use]
    pub fn ready(self) -> Self {
        Self { ready: Some(Instant::now()), ..self }
    }

    /// Adds the outcome of the warm-up, which every result reports.
    #[must_use]
    pub fn warmed(self, warmup: Warmup) -> Self {
        Self { warmup: Some(warmup), ..self }
    }

    /// Counts an invocation, from 0. Call it first when an event arrives.
    pub fn invoked(&self) -> Invocation<'_> {
        let number = self.invocations.fetch_add(1, Ordering::Relaxed);
        let ready = if number == 0 { self.ready } else { None };
        Invocation { boot: self, number, since_init: ready.map(|ready| ready.elapsed()) }
    }
}

impl<'a> Invocation<'a> {
    /// Returns the process's random id, 32 hexadecimal digits.
    #[must_use]
    pub fn boot_id(&self) -> &'a str {
        &self.boot.id
    }

    /// Returns true for the process's first invocation.
    #[must_use]
    pub fn cold_start(&self) -> bool {
        self.number == 0
    }

    /// Returns the build on the first invocation, if the variant states it.
    #[must_use]
    pub fn build(&self) -> Option<Build> {
        if self.cold_start() { self.boot.build } else { None }
    }

    /// Returns the SDK on the first invocation, if the process has one.
    #[must_use]
    pub fn sdk(&self) -> Option<Sdk> {
        if self.cold_start() { self.boot.sdk } else { None }
    }

    /// Returns the outcome of the warm-up in Init, if there was one.
    #[must_use]
    pub fn warmup(&self) -> Option<&'a Warmup> {
        self.boot.warmup.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::Boot;

    #[test]
    fn each_boot_has_its_own_id_of_32_hexadecimal_digits() {
        let (one, other) = (Boot::new().unwrap(), Boot::new().unwrap());
        let id = one.invoked().boot_id();
        assert_eq!(id.len(), 32);
        assert!(id.chars().all(|c| c.is_ascii_hexdigit()));
        assert_ne!(id, other.invoked().boot_id());
    }

    #[test]
    fn the_first_invocation_alone_says_how_long_after_init_it_came() {
        let boot = Boot::new().unwrap().ready();
        std::thread::sleep(std::time::Duration::from_millis(3));
        let (first, second) = (boot.invoked(), boot.invoked());
        assert!(first.since_init.is_some_and(|waited| waited.as_millis() >= 3));
        assert!(second.since_init.is_none());
        assert!(Boot::new().unwrap().invoked().since_init.is_none());
    }

    #[test]
    fn only_the_first_invocation_of_a_process_is_a_cold_start() {
        let boot = Boot::new().unwrap();
        let (first, second) = (boot.invoked(), boot.invoked());
        assert_eq!((first.number, first.cold_start()), (0, true));
        assert_eq!((second.number, second.cold_start()), (1, false));
        assert_eq!(first.boot_id(), second.boot_id());
    }
}
