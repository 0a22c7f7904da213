"""lib/contract/cases/sha256-*.json, and the function as Lambda loads it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract_files import case_name, cases, schema
from jsonschema import Draft7Validator

from bench_core.boot import Boot
from bench_core.errors import InvalidInput
from sha256.chain import chain, leading_bits
from sha256.request import read_request
from sha256.serve import serve

ROOT = Path(__file__).parents[1]
RESULT = Draft7Validator(schema("result"))


@pytest.mark.parametrize("case", cases("sha256-events.json"), ids=case_name)
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


@pytest.mark.parametrize("case", cases("sha256-operations.json"), ids=case_name)
def test_a_chain_ends_as_the_contract_says(case: dict[str, Any], boot: Boot) -> None:
    result = serve(case["event"], boot, "python")
    RESULT.validate(result)
    assert {field: result.get(field) for field in case["result"]} == case["result"]
    assert sorted(result) == case["resultKeys"]


def test_the_value_is_what_the_digest_begins_with() -> None:
    digest = chain(1)
    assert digest[:6].hex() == "66687aadf862"
    assert leading_bits(digest) == 0x66687AADF862


def test_the_function_loads_no_sdk() -> None:
    program = (
        "import sys, sha256.handler as function;"
        "event = {'operation': 'sha256_chain', 'rounds': 1};"
        "assert function.handler(event, None)['coldStart'];"
        "print(sorted({'boto3', 'botocore', 'urllib3'} & set(sys.modules)))"
    )
    run = subprocess.run(  # noqa: S603 the program is this file's own
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
