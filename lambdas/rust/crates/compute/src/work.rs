use std::hint::black_box;

/// Number of integers in the source's vector operation.
const ELEMENTS: u64 = 100_000;

/// Returns the n-th Fibonacci number by recursion without memoisation.
///
/// `black_box` hides the argument and keeps the result, so that the compiler can neither compute the number in
/// advance nor drop the calls. It may still inline, and turn one of the two calls into a loop: the experiment
/// measures that too.
pub fn fibonacci(n: u32) -> u64 {
    black_box(recurse(black_box(n)))
}

fn recurse(n: u32) -> u64 {
    if n < 2 { u64::from(n) } else { recurse(n - 1) + recurse(n - 2) }
}

/// Returns the sum of the first 100,000 odd numbers, which is 100,000 squared.
///
/// It takes three steps over memory, as in Python: allocate the integers, derive a second vector, sum it. `black_box`
/// keeps both vectors: otherwise the compiler would merge the steps, or compute the square.
pub fn vector() -> u64 {
    let numbers: Vec<u64> = black_box((0..black_box(ELEMENTS)).collect());
    let odd: Vec<u64> = black_box(numbers.iter().map(|number| 2 * number + 1).collect());
    black_box(odd.iter().sum())
}
