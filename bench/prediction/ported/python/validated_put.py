"""lambda-benchmark's function: each message of a batch is validated by a JSON schema and put as an item."""

import json
import os
from pathlib import Path
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from jsonschema import Draft7Validator

logger = Logger()
validator = Draft7Validator(json.loads(Path(__file__).with_name("message.schema.json").read_text()))
table = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: object) -> None:
    """Stores the batch; raises if a message does not match the schema."""
    for record in event["Records"]:
        message = json.loads(record["body"])
        validator.validate(message)
        table.put_item(Item=message)
