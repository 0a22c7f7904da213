"""The in-memory fake of the table."""

from collections.abc import Sequence

from dynamodb.item import Item, new_item
from dynamodb.table import Page


class MemoryTable:
    """Implements ``Table``.

    unprocessed: number of items that each batch call leaves unprocessed, in turn; then 0.
    page_size: items per page of a query.
    calls: names of the calls made. written: keys written, in order.
    """

    def __init__(self, unprocessed: Sequence[int] = (), page_size: int = 100) -> None:
        self.calls: list[str] = []
        self.written: list[list[str]] = []
        self._unprocessed = list(unprocessed)
        self._page_size = page_size
        seed = (new_item("seed", f"item-{index:02d}") for index in range(25))
        self.items = {_key(item): item for item in seed}

    def get(self, key: Item) -> Item | None:
        """Return a stored item."""
        self.calls.append("get")
        return self.items.get(_key(key))

    def put(self, item: Item) -> None:
        """Store an item."""
        self.calls.append("put")
        self._store(item)

    def query(self, pk: str, after: Item | None) -> Page:
        """Return one page in the order of the sort key."""
        self.calls.append("query")
        start = "" if after is None else _key(after)[1]
        keys = sorted(key for key in self.items if key[0] == pk and key[1] > start)
        items = [self.items[key] for key in keys[: self._page_size]]
        more = len(keys) > self._page_size
        return Page(items, {"pk": items[-1]["pk"], "sk": items[-1]["sk"]} if more else None)

    def batch_write(self, items: Sequence[Item]) -> Sequence[Item]:
        """Store all items except the last ones, as many as this call leaves unprocessed."""
        self.calls.append("batch_write")
        left = self._unprocessed.pop(0) if self._unprocessed else 0
        kept = len(items) - left
        for item in items[:kept]:
            self._store(item)
        return items[kept:]

    def _store(self, item: Item) -> None:
        self.items[_key(item)] = item
        self.written.append(list(_key(item)))


def _key(item: Item) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]
