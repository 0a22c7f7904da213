"""The table, through boto3's low-level client."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from dynamodb_batch.item import Item, key

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Boto3Batches:
    """Implements ``Batches``; each method is one request and raises botocore's errors."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        self.client = client
        self.name = name

    def write(self, items: Sequence[Item]) -> int:
        """BatchWriteItem."""
        response = self.client.batch_write_item(
            RequestItems={self.name: [{"PutRequest": {"Item": item}} for item in items]}
        )
        return len(response["UnprocessedItems"].get(self.name, []))

    def read(self, items: Sequence[Item]) -> Sequence[Item]:
        """BatchGetItem with consistent reads: others might miss the write just before."""
        keys = [key(item) for item in items]
        response = self.client.batch_get_item(
            RequestItems={self.name: {"Keys": keys, "ConsistentRead": True}}
        )
        return response["Responses"].get(self.name, [])


def open_batches(name: str) -> Boto3Batches:
    """Return the table ``name`` with its own client; called once, in Init.

    Region, credentials and endpoint come from the environment, as in every Lambda function.
    """
    # Retries are off: one inside a measured call would be hidden. A failure is recorded instead.
    client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    return Boto3Batches(client, name)
