"""The work itself, step by step as in Rust."""

from hashlib import sha256


def chain(rounds: int) -> bytes:
    """Return SHA-256 of 32 bytes, ``rounds`` times: first of zeros, then each of the one before."""
    digest = bytes(32)
    for _ in range(rounds):
        digest = sha256(digest).digest()
    return digest


def leading_bits(digest: bytes) -> int:
    """Return the first 48 bits as a number, which every reader of JSON takes without loss."""
    return int.from_bytes(digest[:6], "big")
