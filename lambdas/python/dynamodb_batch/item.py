"""The experiment's items, as attribute maps of DynamoDB's low-level API."""

from collections.abc import Mapping
from typing import Any

Item = Mapping[str, Any]
"""An item or a key: ``{"pk": {"S": "batch-..."}, ...}``."""

ITEMS = 5
"""Number of items that one call writes and reads."""

CATEGORIES = ("books", "games", "tools")


def new_item(pk: str, sk: str, place: int) -> Item:
    """Return an item of eight attributes and less than 300 bytes.

    All attributes except the keys follow from its place in the batch, counted from 0.
    """
    return {
        "pk": {"S": pk},
        "sk": {"S": sk},
        "name": {"S": f"Product {place}"},
        "category": {"S": CATEGORIES[place % 3]},
        "description": {"S": "d" * 100},
        "price": {"N": str(1000 + place)},
        "quantity": {"N": str(1 + place)},
        "available": {"BOOL": place % 2 == 0},
    }


def key(item: Item) -> Item:
    """Return the primary key of an item."""
    return {"pk": item["pk"], "sk": item["sk"]}


def worth(item: Item) -> int:
    """Return the item's contribution to the result's ``value``."""
    return int(item["price"]["N"]) * int(item["quantity"]["N"])
