"""Interface of the table; each method is one call of the service."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dynamodb.item import Item


class Page(NamedTuple):
    """One page of a query; ``last_key`` is None on the last page."""

    items: Sequence[Item]
    last_key: Item | None


class Table(Protocol):
    """Implemented by adapters; the service's errors are raised as the SDK raises them."""

    def get(self, key: Item) -> Item | None:
        """Return the item, or None if there is none."""

    def put(self, item: Item) -> None:
        """Write one item."""

    def query(self, pk: str, after: Item | None) -> Page:
        """Return the first page of the partition, or the one after the key ``after``."""

    def batch_write(self, items: Sequence[Item]) -> Sequence[Item]:
        """Write up to 25 items and return those that the service left unprocessed."""
