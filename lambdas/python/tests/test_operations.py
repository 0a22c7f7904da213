"""Rules of the operations that the contract's cases do not cover."""

from itertools import pairwise

import pytest
from memory_table import MemoryTable

from bench_core.boot import Boot
from bench_core.stopwatch import Stopwatch
from dynamodb.item import new_item
from dynamodb.operations import ItemsUnprocessed, batch_write, query
from dynamodb.serve import serve


def test_an_item_carries_1000_characters_and_a_number() -> None:
    item = new_item("p", "s")
    assert item["pk"] == {"S": "p"}
    assert item["sk"] == {"S": "s"}
    assert len(item["data"]["S"]) == 1000
    assert int(item["timestamp"]["N"]) > 1_700_000_000_000
    assert len(item) == 4


def test_query_follows_the_last_key_to_the_last_page() -> None:
    table = MemoryTable(page_size=10)
    assert query(table, Stopwatch(), "seed").items_count == 25
    assert table.calls == ["query"] * 3


def test_batch_write_sends_again_only_what_was_left(pauses: list[float]) -> None:
    table = MemoryTable(unprocessed=[5, 2])
    items = [new_item("p", f"{index:02d}") for index in range(25)]
    assert batch_write(table, Stopwatch(), items).retried_items == 7
    assert table.written == [["p", f"{index:02d}"] for index in range(25)]
    assert len(pauses) == 2


def test_pauses_double_and_stay_under_two_seconds_together(pauses: list[float]) -> None:
    with pytest.raises(ItemsUnprocessed):
        batch_write(MemoryTable(unprocessed=[1] * 8), Stopwatch(), [new_item("p", "s")])
    assert all(later == 2 * earlier for earlier, later in pairwise(pauses))
    assert len(pauses) == 7
    assert sum(pauses) < 2


def test_pauses_count_as_duration_and_not_as_sdk_calls() -> None:
    event = {"operation": "batch_write", "itemCount": 1}
    result = serve(event, Boot(), MemoryTable(unprocessed=[1]), "python")
    assert result["durationMs"] >= 10
    assert result["sdkCallMs"] < result["durationMs"] - 9


def test_later_writes_of_a_process_never_replace_earlier_ones() -> None:
    boot, table = Boot(), MemoryTable()
    for event in [{"operation": "put"}, {"operation": "put"}, {"operation": "batch_write"}]:
        serve(event, boot, table, "python")
    assert len(table.written) == len({tuple(key) for key in table.written}) == 27
    assert table.written[1:3] == [[f"put-{boot.id}", "item-1"], [f"batch-{boot.id}", "item-2-00"]]
