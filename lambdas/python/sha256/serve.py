"""Handles one event: parses it, does the timed work and returns the result."""

import platform

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult, with_origin
from bench_core.stopwatch import Stopwatch
from sha256.chain import chain, leading_bits
from sha256.request import read_request

RUNTIME_VERSION = platform.python_version()


def serve(event: object, boot: Boot, variant: str) -> FunctionResult:
    """Answer one event; raises InvalidInput before any work."""
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read_request(event)
    whole = Stopwatch()
    with whole:
        digest = chain(request.rounds)
    result: FunctionResult = {
        "operation": request.operation,
        "runtime": "python",
        "runtimeVersion": RUNTIME_VERSION,
        "variant": variant,
        "durationMs": whole.milliseconds,
        "value": leading_bits(digest),
        "bootId": invocation.boot_id,
        "coldStart": invocation.cold_start,
        "invocation": invocation.number,
    }
    return with_origin(result, invocation)
