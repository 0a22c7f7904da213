"""Lambda entry point of variant python-executor: boto3 in an executor's threads."""

from functools import partial

from bench_core.boot import Boot
from bench_core.result import FunctionResult
from bench_core.sdk import SDK_VERSION
from s3_fanout.boto3_bucket import Bucket, open_bucket
from s3_fanout.executor.fan_out import fan_out
from s3_fanout.location import Location
from s3_fanout.pools import Pools
from s3_fanout.serve import serve

VARIANT = "python-executor"

boot = Boot(SDK_VERSION)
pools: Pools[Bucket] = Pools(partial(open_bucket, Location.of_environment()))
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, VARIANT, pools, fan_out)
