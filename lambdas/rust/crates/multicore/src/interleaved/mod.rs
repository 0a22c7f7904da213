//! Computes several independent bcrypt hashes in one loop on one thread. It is a study, not a library: it has had no
//! security review.
//!
//! Each Blowfish step waits for four loads that depend on the previous step; meanwhile the core can run another
//! hash's step. The hashes share nothing, and `tests/interleaved.rs` checks every output against the bcrypt crate.

mod blowfish;
mod lanes;

use crate::{COST, Digest, Hasher, Job};

pub use lanes::digests;

/// bcrypt, up to six hashes at a time.
#[derive(Debug)]
pub struct Interleaved;

impl Hasher for Interleaved {
    /// Six boxes of 4 KB fill most of a first-level cache. With more, cache misses cost more than the shorter waits
    /// save.
    const LANES: usize = 6;

    fn digests(jobs: &[Job]) -> Vec<Digest> {
        digests(COST, jobs)
    }
}
