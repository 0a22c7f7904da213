"""Handles one event: parses it, does the timed work and returns the result."""

from typing import Literal

from bench_core.boot import Boot
from bench_core.event import asks_to_describe, read_parameters
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch
from dynamodb_batch.batches import Batches, write_and_read
from dynamodb_batch.item import ITEMS, new_item

OPERATIONS: tuple[Literal["batch_write_get"], ...] = ("batch_write_get",)


def serve(event: object, boot: Boot, table: Batches, variant: str) -> FunctionResult:
    """Answer one event.

    Raises InvalidInput before any call, ItemsUnprocessed, ItemsDiffer, or the SDK's errors.
    """
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    operation = read_parameters(event, ("operation",)).operation(OPERATIONS)
    whole = Stopwatch()
    calls = Stopwatch()
    with whole:
        # Sort keys contain the invocation's number, so that a process never overwrites its own
        # items.
        written = [
            new_item(f"batch-{boot.id}", f"item-{invocation.number}-{place}", place)
            for place in range(ITEMS)
        ]
        outcome = write_and_read(table, calls, written)
    result = new_result(operation, variant, whole, invocation)
    result["sdkCallMs"] = calls.milliseconds
    result["itemsCount"] = outcome.items_count
    result["value"] = outcome.value
    return result
