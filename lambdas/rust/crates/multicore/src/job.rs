/// bcrypt's cost: 2 to the power of it rounds, as the source has it.
pub const COST: u32 = 10;

/// `Digest` is what bcrypt makes of a password; its text form leaves the last byte out.
pub type Digest = [u8; 24];

/// One password to hash.
///
/// Passwords and salts follow from the job's number, so that every run hashes the same and a result can be checked. A
/// real salt is random.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// `password` ends with the NUL that bcrypt adds; it has at most 72 bytes.
    pub password: Vec<u8>,
    /// `salt` is as long as bcrypt wants it.
    pub salt: [u8; 16],
}

impl Job {
    /// The job of a number.
    #[must_use]
    pub fn numbered(number: u32) -> Self {
        Self { password: format!("password {number}\0").into(), salt: u128::from(number + 1).to_be_bytes() }
    }
}

/// A way to hash jobs on one thread.
pub trait Hasher: Sync {
    /// `LANES` is the most jobs that it takes at a time.
    const LANES: usize;

    /// The digests of 1 to `LANES` jobs, in their order.
    fn digests(jobs: &[Job]) -> Vec<Digest>;
}
