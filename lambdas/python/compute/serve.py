"""Handles one event and returns its result."""

from typing import assert_never

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch
from compute.request import Fibonacci, Noop, Request, Vector, read_request
from compute.work import fibonacci, vector


def serve(event: object, boot: Boot, variant: str) -> FunctionResult:
    """Answer one event; raises InvalidInput before any work."""
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read_request(event)
    whole = Stopwatch()
    with whole:
        value = _compute(request)
    result = new_result(request.operation, variant, whole, invocation)
    if value is not None:
        result["value"] = value
    return result


def _compute(request: Request) -> int | None:
    match request:
        case Fibonacci():
            return fibonacci(request.n)
        case Vector():
            return vector()
        case Noop():
            return None
        case _:
            assert_never(request)
