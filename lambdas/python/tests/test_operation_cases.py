"""lib/contract/cases/dynamodb-operations.json against the in-memory fake."""

from typing import Any

import pytest
from contract_files import case_name, cases, check_outcome, with_boot_id
from memory_table import MemoryTable

from bench_core.boot import Boot
from dynamodb.serve import serve


@pytest.mark.usefixtures("pauses")
@pytest.mark.parametrize("case", cases("dynamodb-operations.json"), ids=case_name)
def test_an_operation_does_what_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    table = MemoryTable(case.get("unprocessed", ()))
    result = check_outcome(case, lambda event: serve(event, boot, table, "python"))
    assert result is None or result["bootId"] == boot.id
    assert table.calls == case["calls"]
    if "written" in case:
        assert table.written == with_boot_id(case["written"], boot.id)
