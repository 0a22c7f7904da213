/// bcrypt's cost, as in the source: 2 to the power of this rounds.
pub const COST: u32 = 10;

/// bcrypt's digest of a password. The text form omits the last byte.
pub type Digest = [u8; 24];

/// A password to hash.
///
/// Passwords and salts follow from the job's number, so that every run hashes the same and results can be checked.
/// Real salts are random.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// At most 72 bytes, with the NUL that bcrypt appends.
    pub password: Vec<u8>,
    /// The salt, of bcrypt's size.
    pub salt: [u8; 16],
}

impl Job {
    /// Returns the job with a number.
    #[must_use]
    pub fn numbered(number: u32) -> Self {
        Self { password: format!("password {number}\0").into(), salt: u128::from(number + 1).to_be_bytes() }
    }
}

/// An algorithm that hashes jobs on one thread.
pub trait Hasher: Sync {
    /// Maximum number of jobs at a time.
    const LANES: usize;

    /// Returns the digests of 1 to `LANES` jobs, in order.
    fn digests(jobs: &[Job]) -> Vec<Digest>;
}
