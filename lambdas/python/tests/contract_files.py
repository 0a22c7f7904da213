"""Files of lib/contract that every language tests against."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft7Validator

from bench_core.errors import InvalidInput

if TYPE_CHECKING:
    from bench_core.result import FunctionResult

CONTRACT = Path(__file__).parents[3] / "lib" / "contract"


def cases(file: str) -> list[dict[str, Any]]:
    """Return the cases of one file of lib/contract/cases."""
    read: list[dict[str, Any]] = json.loads((CONTRACT / "cases" / file).read_text())["cases"]
    return read


def schema(name: str) -> dict[str, Any]:
    """Return one schema of lib/contract/schemas."""
    read: dict[str, Any] = json.loads((CONTRACT / "schemas" / f"{name}.schema.json").read_text())
    return read


def case_name(case: dict[str, Any]) -> str:
    """Name a parametrised test after its case."""
    return str(case["name"])


def with_boot_id(expected: Any, boot_id: str) -> Any:
    """Replace ``<bootId>`` in an expected value with the process's boot id."""
    return json.loads(json.dumps(expected).replace("<bootId>", boot_id))


RESULT = Draft7Validator(schema("result"))


def check_event(case: Mapping[str, Any], read: Callable[[object], object]) -> None:
    """Compare a parsed event with the case's ``parsed``, or the error with its ``error``."""
    if "parsed" in case:
        assert read(case["event"]) == case["parsed"]
        return
    expected = case["error"]
    with pytest.raises(InvalidInput) as caught:
        read(case["event"])
    error = caught.value
    said = {"field": error.field, "found": error.found, "allowed": error.allowed}
    assert said == expected
    assert str(error) == "{field}: found {found}; allowed: {allowed}".format(**expected)


def check_outcome(
    case: Mapping[str, Any], serve: Callable[[object], "FunctionResult"]
) -> "FunctionResult | None":
    """Compare an invocation with ``error``, or with ``result`` and ``resultKeys``; return it."""
    if "error" in case:
        with pytest.raises(Exception) as caught:  # noqa: PT011 the case names the type
            serve(case["event"])
        assert caught.type.__name__ == case["error"]["type"]
        assert case["error"]["message"] in str(caught.value)
        return None
    result = serve(case["event"])
    RESULT.validate(result)
    assert {field: result.get(field) for field in case["result"]} == case["result"]
    assert sorted(result) == sorted(case["resultKeys"])
    return result
