"""Handles one event: parses it, does the timed work and returns the result."""

from bench_core.boot import Boot
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch
from sha256.chain import chain, leading_bits
from sha256.request import read_request


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
    result = new_result(request.operation, variant, whole, invocation)
    result["value"] = leading_bits(digest)
    return result
