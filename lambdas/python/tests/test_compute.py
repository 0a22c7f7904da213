"""lib/contract/cases/compute-*.json."""

from typing import Any

import pytest
from contract_files import case_name, cases, check_event, check_outcome

from bench_core.boot import Boot
from bench_core.errors import InvalidInput
from compute.request import read_request
from compute.serve import serve


@pytest.mark.parametrize("case", cases("compute-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any]) -> None:
    check_event(case, lambda event: read_request(event)._asdict())


@pytest.mark.parametrize("case", cases("compute-operations.json"), ids=case_name)
def test_an_operation_computes_what_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    check_outcome(case, lambda event: serve(event, boot, "python"))


def test_a_process_counts_failed_invocations_too() -> None:
    boot = Boot()
    with pytest.raises(InvalidInput):
        serve({"operation": "fibonacci"}, boot, "python")
    second = serve({"operation": "noop"}, boot, "python")
    assert (second["invocation"], second["coldStart"]) == (1, False)
