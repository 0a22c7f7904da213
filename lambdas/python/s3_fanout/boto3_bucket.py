"""The bucket behind boto3's low-level client."""

from typing import Any, Protocol

import boto3
from botocore.config import Config

from s3_fanout.answers import Page, page_of
from s3_fanout.location import Location


class Bucket(Protocol):
    """What the operation calls; errors of the service pass through as the SDK raises them."""

    def page(self, token: str | None) -> Page:
        """Return one page of the objects, the first one or the one that ``token`` names."""

    def grants(self, key: str) -> int:
        """Return how many grants the object's access control list has."""


class Boto3Bucket:
    """Implements ``Bucket``; each method is one request. Threads may share it."""

    def __init__(self, client: Any, location: Location) -> None:
        self.client = client
        self.location = location

    def page(self, token: str | None) -> Page:
        """ListObjectsV2."""
        bucket, prefix = self.location
        request = {"Bucket": bucket, "Prefix": prefix}
        if token is not None:
            request["ContinuationToken"] = token
        return page_of(self.client.list_objects_v2(**request))

    def grants(self, key: str) -> int:
        """GetObjectAcl."""
        return len(self.client.get_object_acl(Bucket=self.location.bucket, Key=key)["Grants"])


def open_bucket(location: Location, pool_size: int) -> Boto3Bucket:
    """Return the bucket with a client of its own, which keeps ``pool_size`` connections.

    Region, credentials and endpoint come from the environment, as in every Lambda function.
    """
    # A retry inside the SDK would hide in one measured call; a failure is to be recorded instead.
    config = Config(max_pool_connections=pool_size, retries={"total_max_attempts": 1})
    return Boto3Bucket(boto3.client("s3", config=config), location)
