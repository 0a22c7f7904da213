"""Elapsed time by the monotonic clock."""

from time import perf_counter


class Stopwatch:
    """Sums the time spent inside its ``with`` blocks, including blocks that raise."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._started = 0.0

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds += perf_counter() - self._started

    @property
    def milliseconds(self) -> float:
        """Return the sum so far."""
        return self._seconds * 1000
