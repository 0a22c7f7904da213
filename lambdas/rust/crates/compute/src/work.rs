use std::hint::black_box;

/// `ELEMENTS` is the number of integers that the source's vector operation has.
const ELEMENTS: u64 = 100_000;

/// The n-th Fibonacci number by its definition: two calls a number, and none remembered.
///
/// `black_box` keeps the compiler from knowing the argument and from dropping the result, so that it can neither work
/// the number out beforehand nor leave the calls out. It may still inline and turn one call of the two into a loop:
/// that is the compiler's gain, and what the experiment measures.
pub fn fibonacci(n: u32) -> u64 {
    black_box(recurse(black_box(n)))
}

fn recurse(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { recurse(n - 1) + recurse(n - 2) }
}

/// The sum of the first 100,000 odd numbers, which is 100,000 squared.
///
/// Three steps over memory, as they are in Python: allocate the integers, make another vector of them, sum it.
/// `black_box` holds both vectors: the compiler would melt the steps into one, or into the square.
pub fn vector() -> u64 {
    let numbers: Vec<u64> = black_box((0..black_box(ELEMENTS)).collect());
    let odd: Vec<u64> = black_box(numbers.iter().map(|number| 2 * number + 1).collect());
    black_box(odd.iter().sum())
}
