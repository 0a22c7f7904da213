"""Lambda entry point of variant python: ``dynamodb_batch.handler.handler``, with boto3."""

from bench_core.boot import Boot
from bench_core.environment import required
from bench_core.result import FunctionResult
from bench_core.sdk import SDK_VERSION
from dynamodb_batch.boto3_batches import open_batches
from dynamodb_batch.serve import serve

VARIANT = "python"

boot = Boot(SDK_VERSION)
table = open_batches(required("TABLE_NAME", "the name of a DynamoDB table"))
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, table, VARIANT)
