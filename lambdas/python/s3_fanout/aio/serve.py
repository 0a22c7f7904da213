"""Handles one event and returns its result."""

import asyncio

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult
from bench_core.stopwatch import Stopwatch
from s3_fanout.aio.bucket import Bucket
from s3_fanout.aio.fan_out import fan_out
from s3_fanout.outcome import result_of
from s3_fanout.pools import Pools
from s3_fanout.request import read_request


def serve(
    event: object, boot: Boot, runner: asyncio.Runner, pools: Pools[Bucket], variant: str
) -> FunctionResult:
    """Answer one event; raises InvalidInput before any call."""
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read_request(event)
    bucket = pools.of(request.connections)
    whole = Stopwatch()
    with whole:
        outcome = runner.run(fan_out(bucket, request))
    return result_of(variant, request, invocation, whole, outcome)
