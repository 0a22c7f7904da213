"""A stopped execution ends at once, as on AWS; LocalEmu's goes on until its running states end."""

from datetime import datetime

from localemu.aws.api.stepfunctions import ExecutionStatus
from localemu.services.stepfunctions.backend.execution import Execution

from kelvin_localemu.replace import replace

_stop = Execution.stop


def _end(execution: Execution, stop_date: datetime, error: str | None, cause: str | None) -> None:
    _stop(execution, stop_date=stop_date, error=error, cause=cause)
    if execution.exec_status == ExecutionStatus.RUNNING:
        execution.exec_status = ExecutionStatus.ABORTED
        execution.stop_date, execution.error, execution.cause = stop_date, error, cause


def install() -> None:
    """Replace what StopExecution calls."""
    replace(Execution, "stop", _end)
