"""Interface of the table, and the operation, in the same order as in Rust."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bench_core.stopwatch import Stopwatch
from dynamodb_batch.item import Item, worth


class Batches(Protocol):
    """Implemented by adapters: each method is one call of the service.

    The service's errors are raised as the SDK raises them.
    """

    def write(self, items: Sequence[Item]) -> int:
        """Write the items and return how many of them the service left unprocessed."""

    def read(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items found under these keys and processed, in any order."""


class ItemsUnprocessed(RuntimeError):
    """The service left a part of the batch unprocessed, so the measured work was incomplete."""

    def __init__(self, unprocessed: int, items: int) -> None:
        super().__init__(
            f"{unprocessed} of {items} items unprocessed; "
            "the table is throttled: wait, or raise its capacity"
        )


class ItemsDiffer(RuntimeError):
    """The items read differ from those written."""

    def __init__(self, same: int, items: int) -> None:
        super().__init__(f"{same} of {items} items were read as they had been written")


class Outcome(NamedTuple):
    """Outcome: the number of items read, and the sum of price times quantity."""

    items_count: int
    value: int


def write_and_read(table: Batches, calls: Stopwatch, written: Sequence[Item]) -> Outcome:
    """Write the items and read them again; raises ItemsUnprocessed, ItemsDiffer."""
    with calls:
        unprocessed = table.write(written)
    if unprocessed > 0:
        raise ItemsUnprocessed(unprocessed, len(written))
    with calls:
        read = table.read(written)
    same = sum(item in read for item in written)
    if same < len(written):
        raise ItemsDiffer(same, len(written))
    return Outcome(len(read), sum(worth(item) for item in read))
