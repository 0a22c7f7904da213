"""The identity of a process: what lets a cold sample prove that it was cold."""

import itertools
import os
from typing import NamedTuple


class Invocation(NamedTuple):
    """One invocation of this process.

    boot_id: the process's, 32 hex digits.
    number: counts from 0.
    """

    boot_id: str
    number: int

    @property
    def cold_start(self) -> bool:
        """True on the process's first invocation."""
        return self.number == 0


class Boot:
    """Made once a process, at module scope."""

    def __init__(self) -> None:
        self.id = os.urandom(16).hex()
        self._numbers = itertools.count()

    def next_invocation(self) -> Invocation:
        """Count one more invocation; failed ones count too."""
        return Invocation(self.id, next(self._numbers))
