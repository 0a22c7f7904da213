"""The four operations, in the same order and with the same names as in Rust.

Each returns its outcome and adds the time of its table calls to ``calls``.
"""

from collections.abc import Sequence
from time import sleep
from typing import NamedTuple

from bench_core.stopwatch import Stopwatch
from dynamodb.item import Item, key
from dynamodb.table import Table

MOST_BATCH_CALLS = 8
FIRST_PAUSE_SECONDS = 0.01
"""Pause before the first retry of unprocessed items; each later one is twice as long."""


class ItemNotFound(LookupError):
    """The key has no item; a measured read that finds nothing must fail."""

    def __init__(self, pk: str, sk: str | None = None) -> None:
        name = f'pk "{pk}"' if sk is None else f'pk "{pk}", sk "{sk}"'
        super().__init__(f"found no item of {name}; seed the table or name an item that it holds")


class ItemsUnprocessed(RuntimeError):
    """The service left items of a batch unprocessed in every call."""

    def __init__(self, unprocessed: int, items: int) -> None:
        super().__init__(
            f"{unprocessed} of {items} items unprocessed after {MOST_BATCH_CALLS} calls; "
            "the table is throttled: wait, or raise its capacity"
        )


class Outcome(NamedTuple):
    """Outcome of an operation.

    items_count: items read or written, at least 1.
    retried_items: unprocessed items that were sent again; None if the operation has no retries.
    """

    items_count: int
    retried_items: int | None = None


def get(table: Table, calls: Stopwatch, pk: str, sk: str) -> Outcome:
    """Read one item; raises ItemNotFound."""
    wanted = key(pk, sk)
    with calls:
        item = table.get(wanted)
    if item is None:
        raise ItemNotFound(pk, sk)
    return Outcome(1)


def put(table: Table, calls: Stopwatch, item: Item) -> Outcome:
    """Write one item."""
    with calls:
        table.put(item)
    return Outcome(1)


def query(table: Table, calls: Stopwatch, pk: str) -> Outcome:
    """Read all pages of a partition; raises ItemNotFound if it is empty."""
    count = 0
    after: Item | None = None
    while True:
        with calls:
            page = table.query(pk, after)
        count += len(page.items)
        after = page.last_key
        if after is None:
            break
    if count == 0:
        raise ItemNotFound(pk)
    return Outcome(count)


def batch_write(table: Table, calls: Stopwatch, items: Sequence[Item]) -> Outcome:
    """Write up to 25 items; raises ItemsUnprocessed after 8 calls.

    Unprocessed items are part of a successful response; the SDK never retries them:
    https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
    """
    with calls:
        unprocessed = table.batch_write(items)
    retried = 0
    for retry in range(MOST_BATCH_CALLS - 1):
        if not unprocessed:
            break
        sleep(FIRST_PAUSE_SECONDS * 2**retry)
        retried += len(unprocessed)
        with calls:
            unprocessed = table.batch_write(unprocessed)
    if unprocessed:
        raise ItemsUnprocessed(len(unprocessed), len(items))
    return Outcome(len(items), retried)
