"""A function's process keeps its output and reports its exit."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from kelvin_localemu.function_process import FunctionProcess

LIMIT_SECONDS = 20


Started = tuple[FunctionProcess, "SimpleQueue[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], Started]]:
    processes: list[FunctionProcess] = []

    def started(code: str) -> Started:
        ends: SimpleQueue[str] = SimpleQueue()
        command = [sys.executable, "-c", code]
        processes.append(FunctionProcess(command, tmp_path, {"NAME": "given"}, ends.put))
        return processes[-1], ends

    yield started
    for process in processes:
        process.close()


def test_the_end_is_told_with_the_exit_status(start: Callable[[str], Started]) -> None:
    process, ends = start("raise SystemExit(3)")
    assert ends.get(timeout=LIMIT_SECONDS) == "exit status 3"
    assert not process.alive


def test_a_kill_is_told_as_its_signal(start: Callable[[str], Started]) -> None:
    process, ends = start("import time; time.sleep(60)")
    assert process.alive
    process.kill()
    assert ends.get(timeout=LIMIT_SECONDS) == "signal 9"


def test_it_has_the_environment_that_it_is_given_and_no_other(
    start: Callable[[str], Started], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KELVIN_OF_THE_CALLER", "1")
    code = "import os; print(os.environ['NAME'], 'KELVIN_OF_THE_CALLER' in os.environ)"
    process, ends = start(code)
    ends.get(timeout=LIMIT_SECONDS)
    assert process.all_output() == "given False\n"


def test_output_is_taken_once_and_kept_whole(start: Callable[[str], Started]) -> None:
    process, ends = start("import sys; print('one'); print('two', file=sys.stderr)")
    ends.get(timeout=LIMIT_SECONDS)
    assert sorted(process.take_output().split()) == ["one", "two"]
    assert process.take_output() == ""
    assert sorted(process.all_output().split()) == ["one", "two"]


def test_the_peak_of_memory_is_at_least_that_of_an_interpreter(
    start: Callable[[str], Started],
) -> None:
    process, ends = start("print(1, flush=True); import time; time.sleep(60)")
    while not process.all_output():
        assert ends.empty()
    assert process.peak_memory_mb() > 3
    process.kill()
