"""Lambda entry point of variant python: ``dynamodb.handler.handler``, the official SDK, boto3."""

from bench_core.boot import Boot
from bench_core.environment import required
from bench_core.result import FunctionResult
from bench_core.sdk import SDK_VERSION
from dynamodb.boto3_table import open_table
from dynamodb.serve import serve

VARIANT = "python"

boot = Boot(SDK_VERSION)
table = open_table(required("TABLE_NAME", "the name of a DynamoDB table"))
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, table, VARIANT)
