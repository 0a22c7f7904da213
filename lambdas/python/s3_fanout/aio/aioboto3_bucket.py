"""The bucket, through aioboto3's client."""

from typing import Any

import aioboto3
from aiobotocore.config import AioConfig

from s3_fanout.answers import Page, page_of
from s3_fanout.location import Location


class Aioboto3Bucket:
    """Implements ``Bucket``; each method is one request. Bound to the loop that opened it."""

    def __init__(self, client: Any, location: Location) -> None:
        self.client = client
        self.location = location

    async def page(self, token: str | None) -> Page:
        """ListObjectsV2."""
        bucket, prefix = self.location
        request = {"Bucket": bucket, "Prefix": prefix}
        if token is not None:
            request["ContinuationToken"] = token
        return page_of(await self.client.list_objects_v2(**request))

    async def grants(self, key: str) -> int:
        """GetObjectAcl."""
        answer = await self.client.get_object_acl(Bucket=self.location.bucket, Key=key)
        return len(answer["Grants"])


async def open_bucket(location: Location, pool_size: int) -> Aioboto3Bucket:
    """Return the bucket with its own client, which keeps ``pool_size`` connections.

    It is never closed: the client and its event loop live as long as the process.
    """
    # Retries are off: one inside a measured call would be hidden. A failure is recorded instead.
    config = AioConfig(max_pool_connections=pool_size, retries={"total_max_attempts": 1})
    client = await aioboto3.Session().client("s3", config=config).__aenter__()
    return Aioboto3Bucket(client, location)
