"""runtime-benchmark's function: one item, put by a resource that Init makes."""

import json
import os
import uuid
from typing import Any

import boto3

table = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Puts the body's fields under a new id."""
    item = {"id": str(uuid.uuid4()), **json.loads(event["body"])}
    table.put_item(Item=item)
    return {"statusCode": 201, "body": json.dumps(item)}
