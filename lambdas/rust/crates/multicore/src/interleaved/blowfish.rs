//! Blowfish on lanes: each step runs on every lane before the next step (Schneier, "Description of a New
//! Variable-Length Key, 64-Bit Block Cipher", 1993).

include!(concat!(env!("OUT_DIR"), "/pi.rs"));

const ROUNDS: usize = 16;
/// Words of the P-array.
pub const SUBKEYS: usize = ROUNDS + 2;

/// The boxes of one lane.
#[derive(Clone)]
pub struct Boxes {
    subkeys: [u32; SUBKEYS],
    substitutions: [[u32; 256]; 4],
}

/// One word of every lane.
pub type Words<const LANES: usize> = [u32; LANES];

impl Boxes {
    /// Returns Blowfish's initial state.
    pub fn new() -> Self {
        Self {
            subkeys: std::array::from_fn(|index| PI[index]),
            substitutions: std::array::from_fn(|number| {
                std::array::from_fn(|index| PI[SUBKEYS + 256 * number + index])
            }),
        }
    }

    pub fn mix_key(&mut self, key: &[u32; SUBKEYS]) {
        for (subkey, word) in self.subkeys.iter_mut().zip(key) {
            *subkey ^= word;
        }
    }

    /// Uses shifts: swapping the bytes first, as `to_be_bytes` does, would lengthen the dependency chain of a step.
    #[inline(always)]
    fn f(&self, word: u32) -> u32 {
        let [first, second, third, fourth] = &self.substitutions;
        let byte = |shift: u32| (word >> shift & 0xff) as usize;
        (first[byte(24)].wrapping_add(second[byte(16)]) ^ third[byte(8)]).wrapping_add(fourth[byte(0)])
    }
}

/// One block per lane: the left and the right words.
pub type Blocks<const LANES: usize> = [Words<LANES>; 2];

/// Encrypts one block per lane, each with its own boxes.
#[inline(always)]
pub fn encrypt<const LANES: usize>(
    boxes: &[Boxes; LANES],
    [mut left, mut right]: Blocks<LANES>,
) -> Blocks<LANES> {
    for round in (0..ROUNDS).step_by(2) {
        for lane in 0..LANES {
            left[lane] ^= boxes[lane].subkeys[round];
            right[lane] ^= boxes[lane].f(left[lane]);
        }
        for lane in 0..LANES {
            right[lane] ^= boxes[lane].subkeys[round + 1];
            left[lane] ^= boxes[lane].f(right[lane]);
        }
    }
    for lane in 0..LANES {
        left[lane] ^= boxes[lane].subkeys[ROUNDS];
        right[lane] ^= boxes[lane].subkeys[ROUNDS + 1];
    }
    [right, left]
}

/// Replaces every word of the boxes with successive outputs of the encryption; `salted` mixes the salt into each
/// block first.
#[inline(always)]
pub fn refill<const LANES: usize>(
    boxes: &mut [Boxes; LANES],
    salted: impl Fn(Blocks<LANES>, usize) -> Blocks<LANES>,
) {
    let mut blocks = [[0; LANES]; 2];
    for pair in 0..SUBKEYS / 2 {
        blocks = encrypt(boxes, salted(blocks, pair));
        for lane in 0..LANES {
            boxes[lane].subkeys[2 * pair] = blocks[0][lane];
            boxes[lane].subkeys[2 * pair + 1] = blocks[1][lane];
        }
    }
    for number in 0..4 {
        for pair in 0..128 {
            blocks = encrypt(boxes, salted(blocks, SUBKEYS / 2 + 128 * number + pair));
            for lane in 0..LANES {
                boxes[lane].substitutions[number][2 * pair] = blocks[0][lane];
                boxes[lane].substitutions[number][2 * pair + 1] = blocks[1][lane];
            }
        }
    }
}
