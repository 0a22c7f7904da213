"""Lambda entry point of variant python: ``compute.handler.handler``, without any SDK."""

from bench_core.boot import Boot
from bench_core.result import FunctionResult
from compute.serve import serve

VARIANT = "python"

boot = Boot()
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, VARIANT)
