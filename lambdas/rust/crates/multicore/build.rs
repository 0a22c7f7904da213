//! Computes Blowfish's initial boxes, the binary fraction digits of pi (Schneier, "Description of a New
//! Variable-Length Key, 64-Bit Block Cipher", 1993), so that no table has to be trusted.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The P-array's 18 words and four boxes of 256.
const WORDS: usize = 18 + 4 * 256;
/// Extra words, so that the truncation of divisions affects none of the others.
const GUARD: usize = 2;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let digits = pi();
    let mut text = format!("/// Pi's digits behind the point.\nstatic PI: [u32; {WORDS}] = [\n");
    for word in &digits[1..=WORDS] {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {word:#010x},");
    }
    text.push_str("];\n");
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&folder).join("pi.rs"), text) {
        panic!("pi.rs: {error}");
    }
}

/// Returns pi by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239): the integer part, then words of 32 binary
/// digits.
fn pi() -> Vec<u32> {
    let mut sum = arctan_of_inverse(5);
    times_four(&mut sum);
    subtract(&mut sum, &arctan_of_inverse(239));
    times_four(&mut sum);
    sum
}

/// arctan(1/x) = 1/x - 1/(3 x^3) + 1/(5 x^5) - ...
fn arctan_of_inverse(x: u32) -> Vec<u32> {
    let mut power = vec![0; 1 + WORDS + GUARD];
    power[0] = 1;
    divide(&mut power, x);
    let mut sum = power.clone();
    for odd in (3..).step_by(2) {
        divide(&mut power, x * x);
        if power.iter().all(|word| *word == 0) {
            break;
        }
        let mut term = power.clone();
        divide(&mut term, odd);
        if odd % 4 == 3 { subtract(&mut sum, &term) } else { add(&mut sum, &term) }
    }
    sum
}

fn divide(number: &mut [u32], by: u32) {
    let mut rest = 0;
    for word in number {
        let dividend = rest << 32 | u64::from(*word);
        *word = (dividend / u64::from(by)) as u32;
        rest = dividend % u64::from(by);
    }
}

fn add(sum: &mut [u32], term: &[u32]) {
    let mut carry = false;
    for (word, other) in sum.iter_mut().zip(term).rev() {
        let (added, over) = word.overflowing_add(*other);
        let (carried, over_again) = added.overflowing_add(carry.into());
        (*word, carry) = (carried, over || over_again);
    }
}

fn subtract(from: &mut [u32], term: &[u32]) {
    let mut borrow = false;
    for (word, other) in from.iter_mut().zip(term).rev() {
        let (left, under) = word.overflowing_sub(*other);
        let (lent, under_again) = left.overflowing_sub(borrow.into());
        (*word, borrow) = (lent, under || under_again);
    }
}

fn times_four(number: &mut [u32]) {
    let mut carry = 0;
    for word in number.iter_mut().rev() {
        let product = u64::from(*word) * 4 + carry;
        *word = product as u32;
        carry = product >> 32;
    }
}
