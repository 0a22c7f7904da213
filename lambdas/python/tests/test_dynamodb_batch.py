"""lib/contract/cases/dynamodb-batch-*.json, the adapter, and the function as Lambda loads it."""

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from botocore.stub import Stubber
from contract_files import RESULT, case_name, cases, check_event, check_outcome, with_boot_id

from bench_core.boot import Boot
from dynamodb_batch.boto3_batches import Boto3Batches, open_batches
from dynamodb_batch.item import Item, key, new_item
from dynamodb_batch.serve import serve

EVENT = {"operation": "batch_write_get"}


class MemoryBatches:
    """Implements ``Batches``; leaves items unprocessed or corrupts them, as a case requires."""

    def __init__(self, unprocessed: int = 0, spoilt: int = 0) -> None:
        self.items: list[Item] = []
        self.calls: list[str] = []
        self._unprocessed = unprocessed
        self._spoilt = spoilt

    def write(self, items: Sequence[Item]) -> int:
        """Store all but the last items."""
        self.calls.append("batch_write")
        self.items.extend(items[: len(items) - self._unprocessed])
        return self._unprocessed

    def read(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the stored items in reverse: DynamoDB guarantees no order."""
        self.calls.append("batch_get")
        wanted = [key(item) for item in items]
        found = [item for item in reversed(self.items) if key(item) in wanted]
        spoilt = [{**item, "price": {"N": "0"}} for item in found[: self._spoilt]]
        return spoilt + found[self._spoilt :]


@pytest.mark.parametrize("case", cases("dynamodb-batch-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    def read(event: object) -> object:
        return {"operation": serve(event, boot, MemoryBatches(), "python")["operation"]}

    check_event(case, read)


@pytest.mark.parametrize("case", cases("dynamodb-batch-operations.json"), ids=case_name)
def test_the_operation_does_what_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    table = MemoryBatches(case.get("unprocessed", 0), case.get("spoilt", 0))
    if check_outcome(case, lambda event: serve(event, boot, table, "python")) is not None:
        written = [[item["pk"]["S"], item["sk"]["S"]] for item in table.items]
        assert written == with_boot_id(case["written"], boot.id)
    assert table.calls == case["calls"]


def test_later_invocations_write_under_their_own_number(boot: Boot) -> None:
    table = MemoryBatches()
    for _ in range(2):
        serve(EVENT, boot, table, "python")
    assert table.items[5]["sk"] == {"S": "item-1-0"}


def test_an_item_has_eight_attributes_and_less_than_300_bytes() -> None:
    item = new_item("batch-" + "0" * 32, "item-1000-4", 4)
    assert len(item) == 8
    assert sum(len(name) + len(str(*value.values())) for name, value in item.items()) < 300


def test_the_adapter_writes_and_reads_the_items_of_one_table() -> None:
    table: Boto3Batches = open_batches("bench")
    items = [new_item("p", str(place), place) for place in range(2)]
    puts: list[dict[str, Any]] = [{"PutRequest": {"Item": item}} for item in items]
    keys = [key(item) for item in items]
    with Stubber(table.client) as service:
        service.add_response(
            "batch_write_item",
            {"UnprocessedItems": {"bench": puts[1:]}},
            {"RequestItems": {"bench": puts}},
        )
        service.add_response(
            "batch_get_item",
            {"Responses": {"bench": items}, "UnprocessedKeys": {}},
            {"RequestItems": {"bench": {"Keys": keys, "ConsistentRead": True}}},
        )
        assert table.write(items) == 1
        assert table.read(items) == items


def test_the_handler_says_what_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "dynamodb_batch.handler", raising=False)
    function = importlib.import_module("dynamodb_batch.handler")
    table = MemoryBatches()
    monkeypatch.setattr(function, "table", table)
    result = function.handler(EVENT, None)
    RESULT.validate(result)
    assert (result["variant"], result["value"]) == ("python", 15_040)
    assert result["sdkVersion"].startswith("botocore ")
