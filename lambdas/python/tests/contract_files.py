"""The files of lib/contract, which every language runs."""

import json
from pathlib import Path
from typing import Any

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


def with_boot_id(expected: object, boot_id: str) -> object:
    """Put the process's boot id where a case says ``<bootId>``."""
    return json.loads(json.dumps(expected).replace("<bootId>", boot_id))
