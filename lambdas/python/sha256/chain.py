"""The work, step by step as in Rust."""

from hashlib import sha256


def chain(rounds: int) -> bytes:
    """Return the digest after ``rounds`` rounds of SHA-256, starting from 32 zero bytes."""
    digest = bytes(32)
    for _ in range(rounds):
        digest = sha256(digest).digest()
    return digest


def leading_bits(digest: bytes) -> int:
    """Return the first 48 bits as a number that every JSON parser reads without loss."""
    return int.from_bytes(digest[:6], "big")
