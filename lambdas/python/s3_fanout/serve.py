"""Handles one event and returns its result. Each variant passes its way of making the calls."""

from collections.abc import Callable
from typing import TypeVar

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult
from bench_core.stopwatch import Stopwatch
from s3_fanout.outcome import Outcome, result_of
from s3_fanout.pools import Pools
from s3_fanout.request import Fanout, read_request

Client = TypeVar("Client")


def serve(
    event: object,
    boot: Boot,
    variant: str,
    pools: Pools[Client],
    fan_out: Callable[[Client, Fanout], Outcome],
    read: Callable[[object], Fanout] = read_request,
) -> FunctionResult:
    """Answer one event; raises InvalidInput before any call."""
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read(event)
    bucket = pools.of(request.connections)
    whole = Stopwatch()
    with whole:
        outcome = fan_out(bucket, request)
    return result_of(variant, request, invocation, whole, outcome)
