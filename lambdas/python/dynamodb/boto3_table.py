"""The table, through boto3's low-level client."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from dynamodb.item import Item
from dynamodb.table import Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef


class Boto3Table:
    """Implements ``Table``; each method is one request and raises botocore's errors."""

    def __init__(self, client: "DynamoDBClient", name: str) -> None:
        self.client = client
        self.name = name

    def get(self, key: Item) -> Item | None:
        """GetItem."""
        return self.client.get_item(TableName=self.name, Key=key).get("Item")

    def put(self, item: Item) -> None:
        """PutItem."""
        self.client.put_item(TableName=self.name, Item=item)

    def query(self, pk: str, after: Item | None) -> Page:
        """Query of one page."""
        request: QueryInputTypeDef = {
            "TableName": self.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": pk}},
        }
        if after is not None:
            request["ExclusiveStartKey"] = after
        response = self.client.query(**request)
        return Page(response["Items"], response.get("LastEvaluatedKey"))

    def batch_write(self, items: Sequence[Item]) -> Sequence[Item]:
        """BatchWriteItem."""
        response = self.client.batch_write_item(
            RequestItems={self.name: [{"PutRequest": {"Item": item}} for item in items]}
        )
        unprocessed = response["UnprocessedItems"].get(self.name, [])
        return [request["PutRequest"]["Item"] for request in unprocessed]


def open_table(name: str) -> Boto3Table:
    """Return the table ``name`` with its own client; called once, in Init.

    Region, credentials and endpoint come from the environment, as in every Lambda function.
    """
    # Retries are off: one inside a measured call would be hidden. A failure is recorded instead.
    client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
    return Boto3Table(client, name)
