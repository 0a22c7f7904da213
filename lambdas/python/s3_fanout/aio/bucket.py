"""The bucket as the operation sees it; each method is one call of the service."""

from typing import Protocol

from s3_fanout.answers import Page


class Bucket(Protocol):
    """What an adapter offers. Errors of the service pass through as the SDK raises them."""

    async def page(self, token: str | None) -> Page:
        """Return one page of the objects, the first one or the one that ``token`` names."""

    async def grants(self, key: str) -> int:
        """Return how many grants the object's access control list has."""
