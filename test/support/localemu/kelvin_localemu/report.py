"""Lines that Lambda prints around an invocation."""

from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Measured:
    """Measurements of an invocation; ``init_ms`` only after a cold start."""

    duration_ms: float
    memory_mb: int
    peak_memory_mb: int
    init_ms: float | None = None
    status: str | None = None


def invocation_log(request_id: str, version: str, printed: str, measured: Measured) -> str:
    """Return the log of one invocation in Lambda's text format, with the REPORT line last."""
    lines = [f"START RequestId: {request_id} Version: {version}"]
    lines += [printed.removesuffix("\n")] if printed else []
    lines += [f"END RequestId: {request_id}", report_line(request_id, measured)]
    return "\n".join(lines) + "\n"


def report_line(request_id: str, measured: Measured) -> str:
    """Return the REPORT line; Init is billed (AWS, since 2025-08-01)."""
    billed = ceil(measured.duration_ms + (measured.init_ms or 0))
    parts = [
        f"REPORT RequestId: {request_id}",
        f"Duration: {measured.duration_ms:.2f} ms",
        f"Billed Duration: {billed} ms",
        f"Memory Size: {measured.memory_mb} MB",
        f"Max Memory Used: {measured.peak_memory_mb} MB",
    ]
    if measured.init_ms is not None:
        parts.append(f"Init Duration: {measured.init_ms:.2f} ms")
    if measured.status is not None:
        parts.append(f"Status: {measured.status}")
    return "\t".join(parts) + "\t"
