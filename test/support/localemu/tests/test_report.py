"""The REPORT line is the same as Lambda's, so that its readers need no emulator case."""

from kelvin_localemu.report import Measured, invocation_log, report_line

WARM = Measured(duration_ms=3.456, memory_mb=128, peak_memory_mb=40)


def fields_of(line: str) -> dict[str, str]:
    parts = line.removesuffix("\t").split("\t")
    return dict(part.split(": ", 1) for part in parts)


def test_a_warm_invocation_has_no_init() -> None:
    assert fields_of(report_line("id-1", WARM)) == {
        "REPORT RequestId": "id-1",
        "Duration": "3.46 ms",
        "Billed Duration": "4 ms",
        "Memory Size": "128 MB",
        "Max Memory Used": "40 MB",
    }


def test_init_is_billed_with_the_duration() -> None:
    cold = Measured(duration_ms=3.4, memory_mb=128, peak_memory_mb=40, init_ms=10.7)
    fields = fields_of(report_line("id-1", cold))
    assert fields["Init Duration"] == "10.70 ms"
    assert fields["Billed Duration"] == "15 ms"


def test_a_timeout_is_said() -> None:
    ended = Measured(duration_ms=3000, memory_mb=128, peak_memory_mb=40, status="timeout")
    assert fields_of(report_line("id-1", ended))["Status"] == "timeout"


def test_what_the_function_printed_stands_between_start_and_end() -> None:
    lines = invocation_log("id-1", "$LATEST", "one\ntwo\n", WARM).splitlines()
    assert lines[:4] == [
        "START RequestId: id-1 Version: $LATEST",
        "one",
        "two",
        "END RequestId: id-1",
    ]
    assert lines[4].startswith("REPORT RequestId: id-1")


def test_a_silent_function_leaves_no_empty_line() -> None:
    assert "" not in invocation_log("id-1", "$LATEST", "", WARM).splitlines()
