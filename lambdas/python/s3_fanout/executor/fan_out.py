"""Lists the objects, then makes the calls in an executor's threads, awaited by asyncio."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from bench_core.stopwatch import Stopwatch
from s3_fanout.boto3_bucket import Bucket
from s3_fanout.calls import ask, list_keys
from s3_fanout.outcome import Outcome
from s3_fanout.request import Fanout


def fan_out(bucket: Bucket, request: Fanout) -> Outcome:
    """List the objects and read their grants; raises ObjectsMissing, NoGrants or SDK errors."""
    return asyncio.run(_in_threads(bucket, request))


async def _in_threads(bucket: Bucket, request: Fanout) -> Outcome:
    """Make the calls in an executor.

    By default there are as many threads as in the default executor, min(32, CPUs + 4):
    https://docs.python.org/3/library/concurrent.futures.html#concurrent.futures.ThreadPoolExecutor
    """
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(request.concurrency) as executor:
        listing = Stopwatch()
        keys = await loop.run_in_executor(executor, list_keys, bucket, request.objects, listing)
        # One stopwatch per call, because the calls overlap.
        calls = [Stopwatch() for _ in keys]
        await asyncio.gather(
            *(
                loop.run_in_executor(executor, ask, bucket, key, call)
                for key, call in zip(keys, calls, strict=True)
            )
        )
        milliseconds = sum(call.milliseconds for call in [listing, *calls])
        return Outcome(milliseconds, executor._max_workers)
