"""A listing, then the calls in an executor's threads, awaited by asyncio."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from bench_core.stopwatch import Stopwatch
from s3_fanout.boto3_bucket import Bucket
from s3_fanout.calls import ask, list_keys
from s3_fanout.outcome import Outcome
from s3_fanout.request import Fanout


async def fan_out(bucket: Bucket, request: Fanout) -> Outcome:
    """Do the whole work; raises ObjectsMissing, NoGrants, or what the SDK raises.

    Without a number the threads are as many as the default executor has, min(32, CPUs + 4):
    https://docs.python.org/3/library/concurrent.futures.html#concurrent.futures.ThreadPoolExecutor
    """
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(request.concurrency) as executor:
        listing = Stopwatch()
        keys = await loop.run_in_executor(executor, list_keys, bucket, request.objects, listing)
        # A stopwatch a call: they run at the same time.
        calls = [Stopwatch() for _ in keys]
        await asyncio.gather(
            *(
                loop.run_in_executor(executor, ask, bucket, key, call)
                for key, call in zip(keys, calls, strict=True)
            )
        )
        milliseconds = sum(call.milliseconds for call in [listing, *calls])
        return Outcome(milliseconds, executor._max_workers)
