//! bcrypt on lanes (Provos and Mazières, "A Future-Adaptable Password Scheme", USENIX 1999).

use super::blowfish::{Boxes, SUBKEYS, encrypt, refill};
use crate::{Digest, Job};

/// The text that bcrypt encrypts.
const TEXT: &[u8; 24] = b"OrpheanBeholderScryDoubt";
const ENCRYPTIONS: usize = 64;

/// Returns the digests of any number of jobs, in order, computed up to six at a time.
///
/// # Panics
/// If the cost exceeds 31, or a password is empty or longer than 72 bytes.
#[must_use]
pub fn digests(cost: u32, jobs: &[Job]) -> Vec<Digest> {
    assert!(cost < 32, "cost: found {cost}; allowed: less than 32");
    jobs.chunks(6).flat_map(|chunk| digests_of_chunk(cost, chunk)).collect()
}

fn digests_of_chunk(cost: u32, jobs: &[Job]) -> Vec<Digest> {
    match jobs {
        [a] => together(cost, [a]).into(),
        [a, b] => together(cost, [a, b]).into(),
        [a, b, c] => together(cost, [a, b, c]).into(),
        [a, b, c, d] => together(cost, [a, b, c, d]).into(),
        [a, b, c, d, e] => together(cost, [a, b, c, d, e]).into(),
        [a, b, c, d, e, f] => together(cost, [a, b, c, d, e, f]).into(),
        _ => Vec::new(),
    }
}

fn together<const LANES: usize>(cost: u32, jobs: [&Job; LANES]) -> [Digest; LANES] {
    let keys = jobs.map(|job| repeated(&job.password));
    let salts = jobs.map(|job| repeated(&job.salt));
    let mut boxes = Box::new(std::array::from_fn(|_| Boxes::new()));
    expand_salted(&mut boxes, &keys, &salts);
    for _ in 0..1_u32 << cost {
        expand(&mut boxes, &keys);
        expand(&mut boxes, &salts);
    }
    encrypted_text(&boxes)
}

fn expand<const LANES: usize>(boxes: &mut [Boxes; LANES], keys: &[[u32; SUBKEYS]; LANES]) {
    mix(boxes, keys);
    refill(boxes, |blocks, _| blocks);
}

fn expand_salted<const LANES: usize>(
    boxes: &mut [Boxes; LANES],
    keys: &[[u32; SUBKEYS]; LANES],
    salts: &[[u32; SUBKEYS]; LANES],
) {
    mix(boxes, keys);
    refill(boxes, |mut blocks, number| {
        for (lane, salt) in salts.iter().enumerate() {
            blocks[0][lane] ^= salt[2 * (number % 2)];
            blocks[1][lane] ^= salt[2 * (number % 2) + 1];
        }
        blocks
    });
}

fn mix<const LANES: usize>(boxes: &mut [Boxes; LANES], keys: &[[u32; SUBKEYS]; LANES]) {
    for (boxes, key) in boxes.iter_mut().zip(keys) {
        boxes.mix_key(key);
    }
}

fn encrypted_text<const LANES: usize>(boxes: &[Boxes; LANES]) -> [Digest; LANES] {
    let mut digests = [[0; 24]; LANES];
    let (blocks, _) = TEXT.as_chunks::<8>();
    for (number, block) in blocks.iter().enumerate() {
        let (words, _) = block.as_chunks::<4>();
        let mut blocks = [0, 1].map(|half| [u32::from_be_bytes(words[half]); LANES]);
        for _ in 0..ENCRYPTIONS {
            blocks = encrypt(boxes, blocks);
        }
        for (lane, digest) in digests.iter_mut().enumerate() {
            digest[8 * number..][..4].copy_from_slice(&blocks[0][lane].to_be_bytes());
            digest[8 * number + 4..][..4].copy_from_slice(&blocks[1][lane].to_be_bytes());
        }
    }
    digests
}

/// Repeats the bytes to fill as many words as Blowfish has subkeys.
fn repeated(bytes: &[u8]) -> [u32; SUBKEYS] {
    assert!((1..=72).contains(&bytes.len()), "password: found {} bytes; allowed: 1 to 72", bytes.len());
    let mut endless = bytes.iter().cycle();
    std::array::from_fn(|_| (0..4).fold(0, |word, _| word << 8 | u32::from(*endless.next().unwrap_or(&0))))
}
