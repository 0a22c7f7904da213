"""The bucket, through boto3's low-level client."""

from typing import Any, Protocol

import boto3
from botocore.config import Config

from s3_fanout.answers import Page, page_of
from s3_fanout.location import Location


class Bucket(Protocol):
    """Interface of the bucket; the service's errors are raised as the SDK raises them."""

    def page(self, token: str | None) -> Page:
        """Return the first page of the objects, or the one that ``token`` names."""

    def grants(self, key: str) -> int:
        """Return the number of grants in the object's access control list."""


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
    """Return the bucket with its own client, which keeps ``pool_size`` connections.

    Region, credentials and endpoint come from the environment, as in every Lambda function.
    """
    # Retries are off: one inside a measured call would be hidden. A failure is recorded instead.
    config = Config(max_pool_connections=pool_size, retries={"total_max_attempts": 1})
    return Boto3Bucket(boto3.client("s3", config=config), location)
