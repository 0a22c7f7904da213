"""The work, step by step as in Rust."""

ELEMENTS = 100_000
"""Number of integers in the source's vector operation."""


def fibonacci(n: int) -> int:
    """Return the n-th Fibonacci number by recursion without memoisation."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def vector() -> int:
    """Return the sum of the first 100,000 odd numbers, which is 100,000 squared."""
    numbers = list(range(ELEMENTS))
    odd = [2 * number + 1 for number in numbers]
    return sum(odd)
