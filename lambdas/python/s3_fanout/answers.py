"""S3's responses, reduced to the fields that the operation uses, and their errors."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Page(NamedTuple):
    """One page of a listing; ``next_token`` is None on the last page."""

    keys: list[str]
    next_token: str | None


class ObjectsMissing(LookupError):
    """The prefix has fewer objects than requested; a result with less work would look fast."""

    def __init__(self, found: int, expected: int) -> None:
        super().__init__(
            f"found {found} objects below the prefix; expected {expected}: "
            "seed the bucket or ask for fewer"
        )


class NoGrants(LookupError):
    """An access control list without any grant."""

    def __init__(self, key: str) -> None:
        super().__init__(f"found no grant on {key}; every object has its owner's")


def page_of(response: Mapping[str, Any]) -> Page:
    """Read a response of ListObjectsV2."""
    keys = [item["Key"] for item in response.get("Contents", [])]
    return Page(keys, response.get("NextContinuationToken"))


def first_keys(keys: list[str], count: int) -> list[str]:
    """Return the first ``count`` keys; raises ObjectsMissing."""
    if len(keys) < count:
        raise ObjectsMissing(len(keys), count)
    return keys[:count]


def check_grants(key: str, grants: int) -> None:
    """Raise NoGrants if the list is empty: every object has at least its owner's grant."""
    if grants == 0:
        raise NoGrants(key)
