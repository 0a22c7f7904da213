"""Handles one event: parses it, does the timed work and returns the result."""

from typing import assert_never

from bench_core.boot import Boot, Invocation
from bench_core.event import asks_to_describe
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch
from dynamodb.item import new_item
from dynamodb.operations import Outcome, batch_write, get, put, query
from dynamodb.request import BatchWrite, Get, Put, Query, Request, read_request
from dynamodb.table import Table


def serve(event: object, boot: Boot, table: Table, variant: str) -> FunctionResult:
    """Answer one event.

    Raises InvalidInput before any call, ItemNotFound, ItemsUnprocessed, or the SDK's errors.
    """
    invocation = boot.next_invocation()
    if asks_to_describe(event):
        from bench_core.describe import describe

        return describe(variant, invocation)
    request = read_request(event, boot.id)
    whole = Stopwatch()
    calls = Stopwatch()
    with whole:
        outcome = _perform(request, invocation, table, calls)
    result = new_result(request.operation, variant, whole, invocation)
    result["sdkCallMs"] = calls.milliseconds
    result["itemsCount"] = outcome.items_count
    if outcome.retried_items is not None:
        result["retriedItems"] = outcome.retried_items
    return result


def _perform(request: Request, invocation: Invocation, table: Table, calls: Stopwatch) -> Outcome:
    # Sort keys contain the invocation's number, so that a process never overwrites its own items.
    match request:
        case Get():
            return get(table, calls, request.pk, request.sk)
        case Put():
            return put(table, calls, new_item(request.pk, f"item-{invocation.number}"))
        case Query():
            return query(table, calls, request.pk)
        case BatchWrite():
            items = [
                new_item(request.pk, f"item-{invocation.number}-{index:02d}")
                for index in range(request.item_count)
            ]
            return batch_write(table, calls, items)
        case _:
            assert_never(request)
