"""Outcome of an invocation, and its result."""

import platform
from typing import NamedTuple

from bench_core.boot import Invocation
from bench_core.result import FunctionResult, with_origin
from bench_core.stopwatch import Stopwatch
from s3_fanout.request import Fanout

RUNTIME_VERSION = platform.python_version()


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
    result: FunctionResult = {
        "operation": "fanout",
        "runtime": "python",
        "runtimeVersion": RUNTIME_VERSION,
        "variant": variant,
        "durationMs": whole.milliseconds,
        "sdkCallMs": outcome.calls_ms,
        "itemsCount": request.objects,
        "concurrency": outcome.concurrency,
        "poolSize": request.connections,
        "bootId": invocation.boot_id,
        "coldStart": invocation.cold_start,
        "invocation": invocation.number,
    }
    return with_origin(result, invocation)
