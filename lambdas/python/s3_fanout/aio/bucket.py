"""Interface of the bucket; each method is one call of the service."""

from typing import Protocol

from s3_fanout.answers import Page


class Bucket(Protocol):
    """Implemented by adapters; the service's errors are raised as the SDK raises them."""

    async def page(self, token: str | None) -> Page:
        """Return the first page of the objects, or the one that ``token`` names."""

    async def grants(self, key: str) -> int:
        """Return the number of grants in the object's access control list."""
