"""Logs go to LoggingConfig's log group, as on AWS; LocalEmu would create its own groups."""

from localemu.services.lambda_.invocation.execution_environment import ExecutionEnvironment

from kelvin_localemu.replace import replace

_own_name = ExecutionEnvironment.get_log_group_name


def _configured_name(environment: ExecutionEnvironment) -> str:
    logging_config = environment.function_version.config.logging_config or {}
    return str(logging_config.get("LogGroup") or _own_name(environment))


def install() -> None:
    """Use the log group of LoggingConfig."""
    replace(ExecutionEnvironment, "get_log_group_name", _configured_name)
