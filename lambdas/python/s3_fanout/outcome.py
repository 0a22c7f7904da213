"""Outcome of an invocation, and its result."""

from typing import NamedTuple

from bench_core.boot import Invocation
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch
from s3_fanout.request import Fanout


class Outcome(NamedTuple):
    """Outcome of the calls.

    calls_ms: sum of their times, which exceeds the whole if they overlap.
    concurrency: maximum number of concurrent calls.
    """

    calls_ms: float
    concurrency: int


def result_of(
    variant: str, request: Fanout, invocation: Invocation, whole: Stopwatch, outcome: Outcome
) -> FunctionResult:
    """Return the result of an invocation that read every requested object."""
    result = new_result("fanout", variant, whole, invocation)
    result["sdkCallMs"] = outcome.calls_ms
    result["itemsCount"] = request.objects
    result["concurrency"] = outcome.concurrency
    result["poolSize"] = request.connections
    return result
