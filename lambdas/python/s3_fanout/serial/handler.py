"""Lambda entry point of variant python-serial: boto3, one call after another."""

from functools import partial

from bench_core.boot import Boot
from bench_core.result import FunctionResult
from bench_core.sdk import SDK_VERSION
from s3_fanout.boto3_bucket import Bucket, open_bucket
from s3_fanout.location import Location
from s3_fanout.pools import Pools
from s3_fanout.serial.fan_out import fan_out, read_serial_request
from s3_fanout.serve import serve

VARIANT = "python-serial"

boot = Boot(SDK_VERSION)
pools: Pools[Bucket] = Pools(partial(open_bucket, Location.of_environment()))
boot.ready()


def handler(event: object, context: object) -> FunctionResult:
    """Handle an event, plain or as HTTP: lib/contract/schemas/event.schema.json."""
    return serve(event, boot, VARIANT, pools, fan_out, read_serial_request)
