"""What a measured function returns: lib/contract/schemas/result.schema.json."""

from typing import Literal, NotRequired, TypedDict


class FunctionResult(TypedDict):
    """Times are milliseconds by the function's own monotonic clock; what is absent is absent."""

    operation: Literal[
        "get", "put", "query", "batch_write", "fibonacci", "vector", "fanout", "noop"
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
    bootId: str
    coldStart: bool
    invocation: int
