"""lib/contract/cases/compute-*.json, and the function as Lambda loads it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract_files import case_name, cases, schema
from jsonschema import Draft7Validator

from bench_core.boot import Boot
from bench_core.errors import InvalidInput
from compute.request import read_request
from compute.serve import serve

ROOT = Path(__file__).parents[1]
RESULT = Draft7Validator(schema("result"))


@pytest.mark.parametrize("case", cases("compute-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any]) -> None:
    if "parsed" in case:
        assert read_request(case["event"])._asdict() == case["parsed"]
        return
    expected = case["error"]
    with pytest.raises(InvalidInput) as caught:
        read_request(case["event"])
    error = caught.value
    said = {"field": error.field, "found": error.found, "allowed": error.allowed}
    assert said == expected
    assert str(error) == "{field}: found {found}; allowed: {allowed}".format(**expected)


@pytest.mark.parametrize("case", cases("compute-operations.json"), ids=case_name)
def test_an_operation_computes_what_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    result = serve(case["event"], boot, "python")
    RESULT.validate(result)
    assert {field: result.get(field) for field in case["result"]} == case["result"]
    assert sorted(result) == case["resultKeys"]


def test_the_invocations_of_a_process_are_counted_failed_ones_too() -> None:
    boot = Boot()
    with pytest.raises(InvalidInput):
        serve({"operation": "fibonacci"}, boot, "python")
    second = serve({"operation": "noop"}, boot, "python")
    assert (second["invocation"], second["coldStart"]) == (1, False)


def test_the_function_loads_no_sdk() -> None:
    program = (
        "import sys, compute.handler as function;"
        "assert function.handler({'operation': 'noop'}, None)['coldStart'];"
        "print(sorted({'boto3', 'botocore', 'urllib3'} & set(sys.modules)))"
    )
    run = subprocess.run(  # noqa: S603 the program is this file's own
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
