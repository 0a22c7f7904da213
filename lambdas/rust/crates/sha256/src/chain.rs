use sha2::{Digest, Sha256};

/// Returns the digest after `rounds` rounds of SHA-256, starting from 32 zero bytes. No two rounds can run at the
/// same time.
#[must_use]
pub fn chain(rounds: u32) -> [u8; 32] {
    (0..rounds).fold([0; 32], |digest, _| Sha256::digest(digest).into())
}

/// Returns a digest's first 48 bits as a number that every JSON parser reads without loss.
#[must_use]
pub fn leading_bits(digest: [u8; 32]) -> u64 {
    digest[..6].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
