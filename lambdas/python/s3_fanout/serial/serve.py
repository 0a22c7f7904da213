"""Handles one event and returns its result."""

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult
from bench_core.stopwatch import Stopwatch
from s3_fanout.boto3_bucket import Bucket
from s3_fanout.outcome import result_of
from s3_fanout.pools import Pools
from s3_fanout.request import read_request
from s3_fanout.serial.fan_out import check_concurrency, fan_out


def serve(event: object, boot: Boot, pools: Pools[Bucket], variant: str) -> FunctionResult:
    """Answer one event; raises InvalidInput before any call."""
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read_request(event)
    check_concurrency(request)
    bucket = pools.of(request.connections)
    whole = Stopwatch()
    with whole:
        outcome = fan_out(bucket, request)
    return result_of(variant, request, invocation, whole, outcome)
