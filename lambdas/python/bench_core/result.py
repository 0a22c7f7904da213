"""The result of a measured function: lib/contract/schemas/result.schema.json."""

import platform
from typing import Literal, NotRequired, TypedDict

from bench_core.boot import Invocation
from bench_core.stopwatch import Stopwatch

RUNTIME_VERSION = platform.python_version()

Operation = Literal[
    "get",
    "put",
    "query",
    "batch_write",
    "fibonacci",
    "vector",
    "fanout",
    "batch_write_get",
    "sha256_chain",
    "noop",
    "describe",
]


class FunctionResult(TypedDict):
    """Times are in milliseconds, by the function's monotonic clock."""

    operation: Operation
    runtime: Literal["rust", "python"]
    runtimeVersion: str
    variant: str
    durationMs: float
    sdkCallMs: NotRequired[float]
    itemsCount: NotRequired[int]
    retriedItems: NotRequired[int]
    value: NotRequired[int]
    concurrency: NotRequired[int]
    poolSize: NotRequired[int]
    initToFirstEventMs: NotRequired[float]
    sdkVersion: NotRequired[str]
    cpuModel: NotRequired[str]
    bootId: str
    coldStart: bool
    invocation: int


def new_result(
    operation: Operation, variant: str, whole: Stopwatch, invocation: Invocation
) -> FunctionResult:
    """Return a result with the fields that every function reports."""
    result: FunctionResult = {
        "operation": operation,
        "runtime": "python",
        "runtimeVersion": RUNTIME_VERSION,
        "variant": variant,
        "durationMs": whole.milliseconds,
        "bootId": invocation.boot_id,
        "coldStart": invocation.cold_start,
        "invocation": invocation.number,
    }
    # Only the first invocation has these.
    if invocation.init_to_first_event_ms is not None:
        result["initToFirstEventMs"] = invocation.init_to_first_event_ms
    if invocation.sdk_version is not None:
        result["sdkVersion"] = invocation.sdk_version
    return result
