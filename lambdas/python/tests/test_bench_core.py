"""Identity, clock and configuration."""

import pytest

from bench_core.boot import Boot
from bench_core.environment import required
from bench_core.errors import InvalidConfiguration
from bench_core.stopwatch import Stopwatch


def test_only_the_first_invocation_is_a_cold_start() -> None:
    boot = Boot()
    invocations = [boot.next_invocation() for _ in range(3)]
    assert [invocation.number for invocation in invocations] == [0, 1, 2]
    assert [invocation.cold_start for invocation in invocations] == [True, False, False]
    assert {invocation.boot_id for invocation in invocations} == {boot.id}


def test_the_first_invocation_alone_says_how_long_after_init_it_came_and_which_sdk_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = iter([1.0, 1.25])
    monkeypatch.setattr("bench_core.boot.perf_counter", lambda: next(seconds))
    boot = Boot("botocore 1.2.3")
    boot.ready()
    first, second = boot.next_invocation(), boot.next_invocation()
    assert (first.init_to_first_event_ms, first.sdk_version) == (250, "botocore 1.2.3")
    assert (second.init_to_first_event_ms, second.sdk_version) == (None, None)
    assert Boot().next_invocation().init_to_first_event_ms is None


def test_a_boot_id_is_at_least_16_hex_digits_and_never_the_same() -> None:
    ids = {Boot().id for _ in range(100)}
    assert len(ids) == 100
    assert all(len(boot_id) >= 16 and int(boot_id, 16) >= 0 for boot_id in ids)


def test_a_stopwatch_sums_its_blocks_alone_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([1.0, 1.25, 7.0, 7.5])
    monkeypatch.setattr("bench_core.stopwatch.perf_counter", lambda: next(seconds))
    stopwatch = Stopwatch()
    assert stopwatch.milliseconds == 0
    for _ in range(2):
        with stopwatch:
            pass
    assert stopwatch.milliseconds == 750


def test_a_block_left_by_an_error_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([1.0, 1.25])
    monkeypatch.setattr("bench_core.stopwatch.perf_counter", lambda: next(seconds))
    stopwatch = Stopwatch()
    with pytest.raises(KeyError), stopwatch:
        raise KeyError
    assert stopwatch.milliseconds == 250


@pytest.mark.parametrize(("value", "found"), [(None, "nothing"), ("", '""')])
def test_a_missing_name_says_which_and_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, value: str | None, found: str
) -> None:
    monkeypatch.delenv("TABLE_NAME")
    if value is not None:
        monkeypatch.setenv("TABLE_NAME", value)
    with pytest.raises(InvalidConfiguration) as caught:
        required("TABLE_NAME", "a name")
    assert str(caught.value) == f"TABLE_NAME: found {found}; allowed: a name"
