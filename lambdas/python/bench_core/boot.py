"""Identity of a process, by which a cold sample proves that it was cold."""

import itertools
import os
from time import perf_counter
from typing import NamedTuple


class Invocation(NamedTuple):
    """One invocation of this process.

    boot_id: the process's id, 32 hex digits.
    number: counts from 0.
    init_to_first_event_ms: set only for the first invocation, if ``ready`` was called.
    sdk_version: set only for the first invocation; None if the process has no SDK.
    """

    boot_id: str
    number: int
    init_to_first_event_ms: float | None = None
    sdk_version: str | None = None

    @property
    def cold_start(self) -> bool:
        """True for the process's first invocation."""
        return self.number == 0


class Boot:
    """Created once per process, at module scope.

    sdk_version: name and version of the AWS SDK that the function uses.
    """

    def __init__(self, sdk_version: str | None = None) -> None:
        self.id = os.urandom(16).hex()
        self._numbers = itertools.count()
        self._sdk_version = sdk_version
        self._ready: float | None = None

    def ready(self) -> None:
        """Record the end of Init; must be the module's last statement."""
        self._ready = perf_counter()

    def next_invocation(self) -> Invocation:
        """Count an invocation, also one that fails; must be called first for each event."""
        number = next(self._numbers)
        if number > 0:
            return Invocation(self.id, number)
        waited = None if self._ready is None else (perf_counter() - self._ready) * 1000
        return Invocation(self.id, number, waited, self._sdk_version)
