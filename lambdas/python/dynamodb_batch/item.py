"""The experiment's items, in the attribute map that DynamoDB's low-level API speaks."""

from collections.abc import Mapping
from typing import Any

Item = Mapping[str, Any]
"""An item or a key: ``{"pk": {"S": "batch-..."}, ...}``."""

ITEMS = 5
"""As many as one call writes and reads."""

CATEGORIES = ("books", "games", "tools")


def new_item(pk: str, sk: str, place: int) -> Item:
    """Return an item of eight attributes, less than 300 bytes of them.

    All but the keys follow from its place in the batch, from 0.
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
    """Return what the item adds to the result's ``value``."""
    return int(item["price"]["N"]) * int(item["quantity"]["N"])
