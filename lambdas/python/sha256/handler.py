"""Lambda entry point of variant python: ``sha256.handler.handler``, hashlib without any SDK."""

from bench_core.boot import Boot
from bench_core.result import FunctionResult
from sha256.serve import serve

VARIANT = "python"

boot = Boot()
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Do what ``event`` asks for: lib/contract/schemas/event.schema.json, plain or as HTTP."""
    return serve(event, boot, VARIANT)
