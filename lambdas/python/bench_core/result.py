"""The result of a measured function: lib/contract/schemas/result.schema.json."""

from typing import Literal, NotRequired, TypedDict

from bench_core.boot import Invocation


class FunctionResult(TypedDict):
    """Times are in milliseconds, by the function's monotonic clock."""

    operation: Literal[
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


def with_origin(result: FunctionResult, invocation: Invocation) -> FunctionResult:
    """Add the fields that only the first invocation reports."""
    if invocation.init_to_first_event_ms is not None:
        result["initToFirstEventMs"] = invocation.init_to_first_event_ms
    if invocation.sdk_version is not None:
        result["sdkVersion"] = invocation.sdk_version
    return result
