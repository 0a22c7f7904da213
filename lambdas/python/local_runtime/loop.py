"""Imports the function, then serves one event after another."""

import importlib
import json
import sys
from collections.abc import Callable
from decimal import Decimal

from local_runtime.client import RuntimeClient
from local_runtime.context import Context

Handler = Callable[[object, Context], object]


def load_handler(client: RuntimeClient, name: str) -> Handler:
    """Import ``package.module.function``; an exception is reported as a failed Init."""
    module, _, function = name.rpartition(".")
    try:
        handler: Handler = getattr(importlib.import_module(module.replace("/", ".")), function)
    except Exception as error:  # whatever an import raises is the function's own
        client.fail_init(error)
        sys.exit(1)
    return handler


def serve_forever(client: RuntimeClient, handler: Handler) -> None:
    """Serve events until the host closes the connection."""
    while True:
        context, event = client.next()
        try:
            result = json.dumps(handler(json.loads(event), context), default=_number)
        except Exception as error:  # whatever the function raises is its answer
            client.fail(context.aws_request_id, error)
        else:
            client.respond(context.aws_request_id, result)


def _number(value: object) -> float:
    """Return a number of DynamoDB as JSON's; no other type is added to JSON's."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON serializable")
