"""Lists the objects, then makes a call for each, one after another."""

from bench_core.errors import InvalidInput
from bench_core.stopwatch import Stopwatch
from s3_fanout.boto3_bucket import Bucket
from s3_fanout.calls import ask, list_keys
from s3_fanout.outcome import Outcome
from s3_fanout.request import Fanout, read_request


def read_serial_request(event: object) -> Fanout:
    """Parse ``event``; raises InvalidInput if it asks for concurrent calls: another variant's."""
    request = read_request(event)
    if request.concurrency not in (None, 1):
        raise InvalidInput(
            "concurrency", request.concurrency, "1: this variant makes one call after the other"
        )
    return request


def fan_out(bucket: Bucket, request: Fanout) -> Outcome:
    """List the objects and read their grants; raises ObjectsMissing, NoGrants or SDK errors."""
    calls = Stopwatch()
    for key in list_keys(bucket, request.objects, calls):
        ask(bucket, key, calls)
    return Outcome(calls.milliseconds, 1)
