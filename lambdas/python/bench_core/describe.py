"""Reads the CPU model in a separate, unmeasured call.

Only that call imports this module, so that it adds nothing to Init.
"""

from pathlib import Path

from bench_core.boot import Invocation
from bench_core.result import FunctionResult, new_result
from bench_core.stopwatch import Stopwatch

CPU_INFO = Path("/proc/cpuinfo")


def describe(variant: str, invocation: Invocation) -> FunctionResult:
    """Answer ``describe``; ``durationMs`` is the time of the reading."""
    whole = Stopwatch()
    with whole:
        model = cpu_model()
    result = new_result("describe", variant, whole, invocation)
    if model is not None:
        result["cpuModel"] = model
    return result


def cpu_model() -> str | None:
    """Return the CPU model, or None if the system does not report it."""
    try:
        return model_in(CPU_INFO.read_text())
    except OSError:
        return None


def model_in(cpuinfo: str) -> str | None:
    """Return the first CPU's model.

    arm64 has no model name: there it is the numbers of the implementer and the part.
    https://docs.kernel.org/arch/arm64/cpu-feature-registers.html
    """
    fields: dict[str, str] = {}
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if value.strip():
            fields.setdefault(name.strip(), value.strip())
    if "model name" in fields:
        return fields["model name"]
    if "CPU implementer" not in fields or "CPU part" not in fields:
        return None
    return f"implementer {fields['CPU implementer']}, part {fields['CPU part']}"
