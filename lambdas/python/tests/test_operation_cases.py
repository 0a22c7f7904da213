"""lib/contract/cases/dynamodb-operations.json against the in-memory fake."""

from typing import Any

import pytest
from contract_files import case_name, cases, schema, with_boot_id
from jsonschema import Draft7Validator
from memory_table import MemoryTable

from bench_core.boot import Boot
from dynamodb.serve import serve

RESULT = Draft7Validator(schema("result"))


@pytest.mark.usefixtures("pauses")
@pytest.mark.parametrize("case", cases("dynamodb-operations.json"), ids=case_name)
def test_an_operation_does_what_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    table = MemoryTable(case.get("unprocessed", ()))
    if "error" in case:
        with pytest.raises(Exception) as caught:  # noqa: PT011 the case names the type
            serve(case["event"], boot, table, "python")
        assert type(caught.value).__name__ == case["error"]["type"]
        assert case["error"]["message"] in str(caught.value)
    else:
        result = serve(case["event"], boot, table, "python")
        RESULT.validate(result)
        assert {field: result.get(field) for field in case["result"]} == case["result"]
        assert sorted(result) == case.get("resultKeys", sorted(result))
        assert result["bootId"] == boot.id
    assert table.calls == case["calls"]
    if "written" in case:
        assert table.written == with_boot_id(case["written"], boot.id)
