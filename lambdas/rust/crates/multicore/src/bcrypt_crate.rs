use crate::{COST, Digest, Hasher, Job};

/// The bcrypt crate, one hash at a time.
#[derive(Debug)]
pub struct BcryptCrate;

impl Hasher for BcryptCrate {
    const LANES: usize = 1;

    fn digests(jobs: &[Job]) -> Vec<Digest> {
        jobs.iter().map(|job| bcrypt::bcrypt(COST, job.salt, &job.password)).collect()
    }
}
