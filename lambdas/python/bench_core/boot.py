"""The identity of a process: what lets a cold sample prove that it was cold."""

import itertools
import os
from time import perf_counter
from typing import NamedTuple


class Invocation(NamedTuple):
    """One invocation of this process.

    boot_id: the process's, 32 hex digits.
    number: counts from 0.
    init_to_first_event_ms: of the first invocation alone, where the process said that Init ended.
    sdk_version: of the first invocation alone; None where the process has no SDK.
    """

    boot_id: str
    number: int
    init_to_first_event_ms: float | None = None
    sdk_version: str | None = None

    @property
    def cold_start(self) -> bool:
        """True on the process's first invocation."""
        return self.number == 0


class Boot:
    """Made once a process, at module scope.

    sdk_version: of the AWS SDK that the function calls its service by, name and version.
    """

    def __init__(self, sdk_version: str | None = None) -> None:
        self.id = os.urandom(16).hex()
        self._numbers = itertools.count()
        self._sdk_version = sdk_version
        self._ready: float | None = None

    def ready(self) -> None:
        """Say that Init ends: the module's last statement."""
        self._ready = perf_counter()

    def next_invocation(self) -> Invocation:
        """Count one more invocation, first of all when an event has come; failed ones count too."""
        number = next(self._numbers)
        if number > 0:
            return Invocation(self.id, number)
        waited = None if self._ready is None else (perf_counter() - self._ready) * 1000
        return Invocation(self.id, number, waited, self._sdk_version)
