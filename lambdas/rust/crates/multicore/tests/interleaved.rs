//! Every output equals the bcrypt crate's.
#![allow(missing_docs)]

use multicore::interleaved::{Interleaved, digests};
use multicore::{BcryptCrate, Hasher, Job};

/// The lowest cost that the crate allows. The algorithm is the same at every cost.
const LOWEST_COST: u32 = 4;

/// Deterministic pseudo-random numbers (Marsaglia's xorshift, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    fn job(&mut self) -> Job {
        let length = 1 + self.below(72);
        Job {
            password: (0..length).map(|_| self.byte()).collect(),
            salt: std::array::from_fn(|_| self.byte()),
        }
    }
}

#[test]
fn any_passwords_and_salts_on_any_number_of_lanes_give_what_the_crate_gives() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..120 {
        let jobs: Vec<_> = (0..random.below(14)).map(|_| random.job()).collect();
        let cost = LOWEST_COST + random.below(2) as u32;
        let expected: Vec<_> = jobs.iter().map(|job| bcrypt::bcrypt(cost, job.salt, &job.password)).collect();
        assert_eq!(digests(cost, &jobs), expected, "round {round}, cost {cost}: {jobs:?}");
    }
}

#[test]
fn the_experiments_own_jobs_at_its_own_cost_give_what_the_crate_gives() {
    let jobs: Vec<_> = (0..7).map(Job::numbered).collect();
    let [one, six] = [&jobs[..1], &jobs[1..]];
    assert_eq!(Interleaved::digests(one), BcryptCrate::digests(one));
    assert_eq!(Interleaved::digests(six), BcryptCrate::digests(six));
}
