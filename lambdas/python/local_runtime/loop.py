"""Imports the function, then serves one event after another."""

import importlib
import json
import sys
from collections.abc import Callable

from local_runtime.client import RuntimeClient

Handler = Callable[[object, None], object]


def load_handler(client: RuntimeClient, name: str) -> Handler:
    """Import ``package.module.function``; an exception is reported as a failed Init."""
    module, _, function = name.rpartition(".")
    try:
        handler: Handler = getattr(importlib.import_module(module), function)
    except Exception as error:  # whatever an import raises is the function's own
        client.fail_init(error)
        sys.exit(1)
    return handler


def serve_forever(client: RuntimeClient, handler: Handler) -> None:
    """Serve events until the host closes the connection."""
    while True:
        request_id, event = client.next()
        try:
            result = handler(json.loads(event), None)
        except Exception as error:  # whatever the function raises is its answer
            client.fail(request_id, error)
        else:
            client.respond(request_id, result)
