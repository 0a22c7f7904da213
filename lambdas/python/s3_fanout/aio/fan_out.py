"""Lists the objects, then makes the calls concurrently in one thread."""

import asyncio
from contextlib import nullcontext

from bench_core.stopwatch import Stopwatch
from s3_fanout.aio.bucket import Bucket
from s3_fanout.answers import check_grants, first_keys
from s3_fanout.outcome import Outcome
from s3_fanout.request import Fanout


async def fan_out(bucket: Bucket, request: Fanout) -> Outcome:
    """List the objects and read their grants; raises ObjectsMissing, NoGrants or the SDK's errors.

    By default all calls start together. The client's pool limits them to its connections, and a
    call's time includes the wait for one.
    """
    listing = Stopwatch()
    keys = await _list_keys(bucket, request.objects, listing)
    gate = nullcontext() if request.concurrency is None else asyncio.Semaphore(request.concurrency)
    times = await asyncio.gather(*(_ask(bucket, key, gate) for key in keys))
    concurrency = request.objects if request.concurrency is None else request.concurrency
    return Outcome(listing.milliseconds + sum(times), concurrency)


async def _list_keys(bucket: Bucket, count: int, calls: Stopwatch) -> list[str]:
    keys: list[str] = []
    token: str | None = None
    while True:
        with calls:
            page = await bucket.page(token)
        keys += page.keys
        token = page.next_token
        if token is None:
            return first_keys(keys, count)


async def _ask(bucket: Bucket, key: str, gate: "asyncio.Semaphore | nullcontext[None]") -> float:
    call = Stopwatch()
    async with gate:
        with call:
            grants = await bucket.grants(key)
    check_grants(key, grants)
    return call.milliseconds
