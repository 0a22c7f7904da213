"""The function as Lambda loads it."""

import importlib
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import botocore
import pytest
from botocore.stub import Stubber
from contract_files import RESULT

from bench_core import describe
from bench_core.errors import InvalidInput
from dynamodb.item import new_item

ROOT = Path(__file__).parents[1]
HANDLER = ROOT / "dynamodb" / "handler.py"


@pytest.fixture
def function(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the handler's module as a new process would import it."""
    monkeypatch.delitem(sys.modules, "dynamodb.handler", raising=False)
    return importlib.import_module("dynamodb.handler")


def python(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 the program is this file's own
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_handler_counts_failed_invocations_too(function: ModuleType) -> None:
    with Stubber(function.table.client) as service:
        for _ in range(2):
            service.add_response("get_item", {"Item": new_item("seed", "item-00")})
        first = function.handler({"operation": "get"}, None)
        with pytest.raises(InvalidInput):
            function.handler({"operation": "gets"}, None)
        third = function.handler({"operation": "get"}, None)
    assert (first["invocation"], first["coldStart"]) == (0, True)
    assert (third["invocation"], third["coldStart"]) == (2, False)
    assert first["bootId"] == third["bootId"]


def test_a_result_says_what_ran(function: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    with Stubber(function.table.client) as service:
        service.add_response("get_item", {"Item": new_item("seed", "item-00")})
        result = function.handler({"operation": "get"}, None)
    RESULT.validate(result)
    assert result["variant"] == "python"
    assert result["runtime"] == "python"
    assert result["runtimeVersion"] == platform.python_version()
    assert result["sdkVersion"] == f"botocore {botocore.__version__}"
    assert result["initToFirstEventMs"] >= 0
    assert capfd.readouterr() == ("", ""), "a measured call writes nothing to its log"


def test_only_describe_reports_the_cpu_model(
    function: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "cpuinfo"
    monkeypatch.setattr(describe, "CPU_INFO", file)
    absent = function.handler({"operation": "describe"}, None)
    file.write_text("processor\t: 0\nmodel name\t: AMD EPYC\n\nmodel name\t: Other\n")
    described = function.handler({"operation": "describe"}, None)
    for result in (absent, described):
        RESULT.validate(result)
    assert "cpuModel" not in absent
    assert (described["cpuModel"], described["invocation"]) == ("AMD EPYC", 1)
    assert described["bootId"] == function.boot.id
    file.unlink()
    with Stubber(function.table.client) as service:
        service.add_response("get_item", {"Item": new_item("seed", "item-00")})
        assert "cpuModel" not in function.handler({"operation": "get"}, None)


def test_a_cpu_without_a_name_is_identified_by_its_numbers() -> None:
    graviton2 = "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n"
    assert describe.model_in(graviton2) == "implementer 0x41, part 0xd0c"
    for text in ("", "model name\t: \n", "CPU implementer\t: 0x41\n"):
        assert describe.model_in(text) is None


@pytest.mark.parametrize("module", ["dynamodb.handler", "compute.handler"])
def test_importing_a_handler_does_not_load_describe(module: str) -> None:
    program = f"import sys, {module}; print('bench_core.describe' in sys.modules)"
    assert python(program).stdout.strip() == "False"


def test_two_processes_have_different_boot_ids() -> None:
    program = "from dynamodb.handler import boot; print(boot.id)"
    ids = {python(program).stdout.strip() for _ in range(2)}
    assert len(ids) == 2
    assert all(len(boot_id) >= 16 for boot_id in ids)


def test_init_fails_where_the_table_is_not_named() -> None:
    run = python("import dynamodb.handler", TABLE_NAME="")
    assert run.returncode != 0
    expected = 'InvalidConfiguration: TABLE_NAME: found ""; allowed: the name of a DynamoDB table'
    assert run.stderr.strip().endswith(expected)


def test_the_handler_module_stays_under_60_lines() -> None:
    assert len(HANDLER.read_text().splitlines()) < 60


@pytest.mark.parametrize(
    ("experiment", "event"),
    [("compute", {"operation": "noop"}), ("sha256", {"operation": "sha256_chain", "rounds": 1})],
)
def test_a_function_without_a_service_loads_no_sdk(experiment: str, event: dict[str, Any]) -> None:
    run = python(
        f"import sys, {experiment}.handler as function;"
        f"assert function.handler({event!r}, None)['coldStart'];"
        "print(sorted({'boto3', 'botocore', 'urllib3'} & set(sys.modules)))"
    )
    assert run.stdout.strip() == "[]", run.stderr
