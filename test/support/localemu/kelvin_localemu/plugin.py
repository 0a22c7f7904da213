"""Entry points that LocalEmu loads, as listed in pyproject.toml."""

from localemu.runtime import hooks
from localemu.services.lambda_.invocation.plugins import RuntimeExecutorPlugin

from kelvin_localemu.executor import ProcessExecutor


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    """``LAMBDA_RUNTIME_EXECUTOR=kelvin``: functions are processes of this machine."""

    name = "kelvin"

    def load(self, *_args: object, **_keywords: object) -> type[ProcessExecutor]:
        """Return the executor class; LocalEmu creates one executor per execution environment."""
        return ProcessExecutor


@hooks.on_infra_start()  # type: ignore[untyped-decorator]
def fill_the_gaps() -> None:
    """Add what Kelvin needs and LocalEmu lacks or does differently from AWS."""
    from kelvin_localemu import bystanders, iam, jsonata_engine, log_groups, stopped_executions

    bystanders.install()
    iam.install()
    jsonata_engine.install()
    log_groups.install()
    stopped_executions.install()
