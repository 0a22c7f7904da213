use std::marker::PhantomData;

use bench_core::{Boot, FunctionResult, InvalidInput, Measured, Stopwatch, milliseconds};
use serde::Serialize;
use serde_json::Value;

use crate::resident::resident_kb;
use crate::workers::{Spread, in_turn};
use crate::{Digest, Hasher, Job, Mode, Request, Workers};

/// The function of the experiment: a hasher, the thread pool, and the process's identity.
#[derive(Debug)]
pub struct Function<H> {
    variant: &'static str,
    boot: Boot,
    workers: Workers,
    hasher: PhantomData<H>,
}

/// Result of one invocation.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hashed {
    #[serde(flatten)]
    common: FunctionResult,
    #[serde(flatten)]
    work: Option<Work>,
    workers: usize,
    detected_cpus: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_used_kb: Option<u64>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Work {
    processed: u32,
    mode: &'static str,
    avg_ms_per_item: f64,
    threads_used: u32,
    /// Sum of the digests' first four bytes, for the caller to check.
    value: u64,
}

impl<H: Hasher> Function<H> {
    /// Creates the function and ends Init. Results carry the name `variant`.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, workers: Workers) -> Self {
        Self { variant, boot: boot.ready(), workers, hasher: PhantomData }
    }

    /// Handles one event and times the hashing.
    ///
    /// # Errors
    /// When the event is invalid. A failed invocation is counted too.
    pub fn invoke(&self, event: &Value) -> Result<Hashed, InvalidInput> {
        let invocation = self.boot.invoked();
        if let Some(common) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(self.hashed(common, None));
        }
        let request = Request::read(event)?;
        let stopwatch = Stopwatch::start();
        let hashed = match request {
            Request::Hash { count, mode } => Some((count, self.hash(count, mode))),
            Request::Noop => None,
        };
        let measured = Measured { duration: stopwatch.elapsed(), ..Measured::default() };
        let work = hashed.map(|(processed, (mode, spread))| Work {
            processed,
            mode: mode.name(),
            avg_ms_per_item: milliseconds(measured.duration) / f64::from(processed),
            threads_used: spread.threads,
            value: spread.digests.iter().map(first_word).sum(),
        });
        Ok(self.hashed(FunctionResult::new(self.variant, request.name(), invocation, measured), work))
    }

    fn hashed(&self, common: FunctionResult, work: Option<Work>) -> Hashed {
        Hashed {
            common,
            work,
            workers: self.workers.count(),
            detected_cpus: self.workers.detected_cpus,
            memory_used_kb: resident_kb(),
        }
    }

    fn hash(&self, count: u32, asked: Mode) -> (Mode, Spread) {
        let jobs: Vec<_> = (0..count).map(Job::numbered).collect();
        let pays = self.workers.count() > 1 && count > 1;
        if asked == Mode::Parallel || (asked == Mode::Auto && pays) {
            (Mode::Parallel, self.workers.spread::<H>(&jobs))
        } else {
            (Mode::Sequential, in_turn::<H>(&jobs))
        }
    }
}

fn first_word(digest: &Digest) -> u64 {
    digest[..4].iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
