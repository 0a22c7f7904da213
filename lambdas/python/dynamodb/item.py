"""The experiment's items, as attribute maps of DynamoDB's low-level API."""

from collections.abc import Mapping
from time import time
from typing import Any

Item = Mapping[str, Any]
"""An item or a key: ``{"pk": {"S": "seed"}, ...}``."""

DATA = "x" * 1000


def key(pk: str, sk: str) -> Item:
    """Return the primary key of one item."""
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def new_item(pk: str, sk: str) -> Item:
    """Return an item with 1,000 characters of data and the time in milliseconds since 1970."""
    return {
        "pk": {"S": pk},
        "sk": {"S": sk},
        "data": {"S": DATA},
        "timestamp": {"N": str(int(time() * 1000))},
    }
