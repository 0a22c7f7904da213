"""Lambda entry point of variant python-aioboto3: aioboto3 in one thread.

``asyncio.run`` would close its event loop after each event, and the connections of the client
made in Init with it. Instead, one runner is kept for the life of the process.
"""

import asyncio

from bench_core.boot import Boot
from bench_core.result import FunctionResult
from bench_core.sdk import SDK_VERSION
from s3_fanout.aio.aioboto3_bucket import open_bucket
from s3_fanout.aio.bucket import Bucket
from s3_fanout.aio.fan_out import fan_out
from s3_fanout.location import Location
from s3_fanout.outcome import Outcome
from s3_fanout.pools import Pools
from s3_fanout.request import Fanout
from s3_fanout.serve import serve

VARIANT = "python-aioboto3"

boot = Boot(SDK_VERSION)
location = Location.of_environment()
runner = asyncio.Runner()
pools: Pools[Bucket] = Pools(lambda size: runner.run(open_bucket(location, size)))
boot.ready()


def _in_runner(bucket: Bucket, request: Fanout) -> Outcome:
    return runner.run(fan_out(bucket, request))


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, VARIANT, pools, _in_runner)
