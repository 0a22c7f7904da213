use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Build, Stack, Warmup};

/// The identity of this process: a cold sample proves with it that it was cold.
///
/// Make one in Init and keep it as long as the process lives.
#[derive(Debug)]
pub struct Boot {
    id: String,
    invocations: AtomicU64,
    build: Option<Build>,
    warmup: Option<Warmup>,
}

/// One invocation of a process.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    boot: &'a Boot,
    /// How many invocations the process had before this one, failed ones included.
    pub number: u64,
}

impl Boot {
    /// A new identity from the system's randomness.
    ///
    /// # Errors
    /// When the system gives no random bytes; the function must then not start.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Self::with_id(bytes.iter().fold(String::with_capacity(32), |mut id, byte| {
            // Writing to a String cannot fail.
            let _ = write!(id, "{byte:02x}");
            id
        })))
    }

    /// An identity of the caller's choice, for tests.
    #[must_use]
    pub fn with_id(id: String) -> Self {
        Self { id, invocations: AtomicU64::new(0), build: None, warmup: None }
    }

    /// With what the process was built as; its first result will tell it.
    ///
    /// # Errors
    /// When the system does not tell the binary's size.
    pub fn built_on(self, stack: Stack) -> io::Result<Self> {
        Ok(Self { build: Some(Build::of(stack)?), ..self })
    }

    /// With what became of the warm-up; every result will tell it.
    #[must_use]
    pub fn warmed(self, warmup: Warmup) -> Self {
        Self { warmup: Some(warmup), ..self }
    }

    /// Counts one invocation, from 0.
    pub fn invoked(&self) -> Invocation<'_> {
        Invocation { boot: self, number: self.invocations.fetch_add(1, Ordering::Relaxed) }
    }
}

impl<'a> Invocation<'a> {
    /// The process's random id, 32 hexadecimal digits.
    #[must_use]
    pub fn boot_id(&self) -> &'a str {
        &self.boot.id
    }

    /// True on the process's first invocation.
    #[must_use]
    pub fn cold_start(&self) -> bool {
        self.number == 0
    }

    /// What the process was built as: on its first invocation alone, and where the variant says it.
    #[must_use]
    pub fn build(&self) -> Option<Build> {
        if self.cold_start() { self.boot.build } else { None }
    }

    /// What became of the warm-up in Init, where there was one.
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
    fn only_the_first_invocation_of_a_process_is_a_cold_start() {
        let boot = Boot::new().unwrap();
        let (first, second) = (boot.invoked(), boot.invoked());
        assert_eq!((first.number, first.cold_start()), (0, true));
        assert_eq!((second.number, second.cold_start()), (1, false));
        assert_eq!(first.boot_id(), second.boot_id());
    }
}
