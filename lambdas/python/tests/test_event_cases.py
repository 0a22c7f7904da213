"""lib/contract/cases/dynamodb-events.json, and rules that it does not cover."""

from typing import Any

import pytest
from contract_files import case_name, cases, check_event, with_boot_id

from bench_core.errors import InvalidInput
from dynamodb.request import Request, read_request

BOOT_ID = "0123456789abcdef"


def contract_form(request: Request) -> dict[str, object]:
    fields = request._asdict()
    if "item_count" in fields:
        fields["itemCount"] = fields.pop("item_count")
    return fields


@pytest.mark.parametrize("case", cases("dynamodb-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any]) -> None:
    filled = with_boot_id(case, BOOT_ID)
    check_event(filled, lambda event: contract_form(read_request(event, BOOT_ID)))


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (None, "event: found null; allowed: a JSON object"),
        ({"operation": None}, "operation: found null; allowed: get, put, query, batch_write"),
        ({"operation": "get", "pk": None}, "pk: found null; allowed: text of 1 to 256 characters"),
        (
            {"operation": "batch_write", "itemCount": True},
            "itemCount: found true; allowed: a whole number from 1 to 25",
        ),
        (
            {"operation": "batch_write", "itemCount": "10"},
            'itemCount: found "10"; allowed: a whole number from 1 to 25',
        ),
        (
            {"queryStringParameters": {"operation": "batch_write", "itemCount": "1_0"}},
            'itemCount: found "1_0"; allowed: a whole number from 1 to 25',
        ),
        (
            {"queryStringParameters": ["operation"]},
            'queryStringParameters: found ["operation"]; allowed: a JSON object',
        ),
        ({"operation": "\ud800é"}, 'operation: found "\\ud800é"; allowed: get, put, '),
        ({"operation": {"a": [1, "é"]}}, 'operation: found {"a":[1,"é"]}; allowed: get, put, '),
    ],
)
def test_a_value_of_the_wrong_type_is_named_as_the_json_it_came_as(
    event: object, message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_request(event, BOOT_ID)
    assert str(caught.value).startswith(message)


def test_a_key_may_have_256_characters_and_no_more() -> None:
    assert read_request({"operation": "get", "pk": "é" * 256}, BOOT_ID).pk == "é" * 256
    with pytest.raises(InvalidInput, match="text of 1 to 256 characters"):
        read_request({"operation": "get", "pk": "é" * 257}, BOOT_ID)


def test_a_whole_number_written_with_a_point_is_whole_as_in_json_schema() -> None:
    request = read_request({"operation": "batch_write", "itemCount": 3.0}, BOOT_ID)
    assert contract_form(request)["itemCount"] == 3
