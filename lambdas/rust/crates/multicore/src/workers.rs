use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder, current_thread_index};

use crate::{Digest, Hasher, Job};

/// Environment variable for the number of threads in the pool.
const VARIABLE: &str = "WORKER_COUNT";
/// Maximum number of CPUs on Lambda: <https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html>
const MOST: usize = 6;

/// An invalid number of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidWorkerCount(String);

impl std::fmt::Display for InvalidWorkerCount {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{VARIABLE}: found {:?}; allowed: a whole number from 1 to {MOST}", self.0)
    }
}

impl std::error::Error for InvalidWorkerCount {}

/// The process's thread pool, created once.
#[derive(Debug)]
pub struct Workers {
    pool: ThreadPool,
    /// Number of CPUs that the process saw at its start.
    pub detected_cpus: usize,
}

/// The digests, and the number of threads that computed them.
#[derive(Debug)]
pub struct Spread {
    /// In the order of the jobs.
    pub digests: Vec<Digest>,
    /// Threads that computed at least one.
    pub threads: u32,
}

impl Workers {
    /// Starts `WORKER_COUNT` threads, or by default one per CPU.
    ///
    /// # Errors
    /// When the count is outside 1 to 6, or the system cannot start threads.
    pub fn from_environment() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Self::counted(std::env::var_os(VARIABLE).map(|text| text.to_string_lossy().into_owned()))
    }

    /// Like `from_environment`, with the variable's value as a parameter.
    ///
    /// # Errors
    /// As `from_environment`.
    pub fn counted(text: Option<String>) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let detected_cpus = available_parallelism()?.get();
        let count = match text {
            None => detected_cpus.min(MOST),
            Some(text) => match text.parse() {
                Ok(count) if (1..=MOST).contains(&count) && is_digits(&text) => count,
                _ => return Err(InvalidWorkerCount(text).into()),
            },
        };
        let pool = ThreadPoolBuilder::new().num_threads(count).build()?;
        Ok(Self { pool, detected_cpus })
    }

    /// Returns the number of threads in the pool.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Hashes the jobs on the pool. Each thread takes up to the hasher's number of lanes at a time.
    pub(crate) fn spread<H: Hasher>(&self, jobs: &[Job]) -> Spread {
        let used = AtomicU64::new(0);
        let batches: Vec<_> = jobs.chunks(batch_size(jobs.len(), self.count(), H::LANES)).collect();
        let digests = self.pool.install(|| {
            let digests = batches.par_iter().with_max_len(1).flat_map_iter(|batch| {
                used.fetch_or(1 << current_thread_index().unwrap_or(0), Ordering::Relaxed);
                H::digests(batch)
            });
            digests.collect()
        });
        Spread { digests, threads: used.into_inner().count_ones() }
    }
}

/// Hashes the jobs on this thread.
pub(crate) fn in_turn<H: Hasher>(jobs: &[Job]) -> Spread {
    let batches = jobs.chunks(batch_size(jobs.len(), 1, H::LANES));
    Spread { digests: batches.flat_map(H::digests).collect(), threads: 1 }
}

/// Splits each worker's share into the fewest batches that the lanes allow, of equal size: a last batch of one job
/// would take as long as a full one.
fn batch_size(jobs: usize, workers: usize, lanes: usize) -> usize {
    let share = jobs.div_ceil(workers).max(1);
    share.div_ceil(share.div_ceil(lanes))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Workers, batch_size};

    #[test]
    fn a_share_is_cut_into_the_fewest_equal_batches() {
        assert_eq!([1, 2, 3, 4, 5, 6].map(|workers| batch_size(20, workers, 6)), [5, 5, 4, 5, 4, 4]);
        assert_eq!(batch_size(20, 3, 1), 1);
        assert_eq!(batch_size(1, 6, 6), 1);
    }

    #[test]
    fn the_pool_has_as_many_threads_as_the_variable_says() {
        for count in 1..=6 {
            assert_eq!(Workers::counted(Some(count.to_string())).unwrap().count(), count);
        }
        let unnamed = Workers::counted(None).unwrap();
        assert_eq!(unnamed.count(), unnamed.detected_cpus.min(6));
    }

    #[test]
    fn a_bad_count_is_named_with_what_is_allowed() {
        for text in ["0", "7", "-1", "+2", "2.0", "two", "", " 2"] {
            let error = Workers::counted(Some(text.into())).unwrap_err().to_string();
            let expected = format!("WORKER_COUNT: found {text:?}; allowed: a whole number from 1 to 6");
            assert_eq!(error, expected);
        }
    }
}
