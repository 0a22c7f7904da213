//! Several independent bcrypt hashes advanced in one loop on one thread. A study, no library: nobody reviewed it for
//! secrets.
//!
//! Each step of Blowfish waits for four loads that depend on the step before; a core that has another hash's step to do
//! meanwhile does not wait. The hashes share nothing, and every output is the bcrypt crate's: `tests/interleaved.rs`.

mod blowfish;
mod lanes;

use crate::{COST, Digest, Hasher, Job};

pub use lanes::digests;

/// bcrypt, up to six hashes at a time.
#[derive(Debug)]
pub struct Interleaved;

impl Hasher for Interleaved {
    /// Six boxes of 4 KB fill most of a first-level cache; beyond, what is gained by waiting less is lost to it.
    const LANES: usize = 6;

    fn digests(jobs: &[Job]) -> Vec<Digest> {
        digests(COST, jobs)
    }
}
