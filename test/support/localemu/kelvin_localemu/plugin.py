"""What LocalEmu loads, by the entry points of pyproject.toml."""

from localemu.runtime import hooks
from localemu.services.lambda_.invocation.plugins import RuntimeExecutorPlugin

from kelvin_localemu.executor import ProcessExecutor


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    """``LAMBDA_RUNTIME_EXECUTOR=kelvin``: functions are processes of this machine."""

    name = "kelvin"

    def load(self, *_args: object, **_keywords: object) -> type[ProcessExecutor]:
        """Give the executor of which LocalEmu makes one an execution environment."""
        return ProcessExecutor


@hooks.on_infra_start()  # type: ignore[untyped-decorator]
def fill_the_gaps() -> None:
    """Give LocalEmu what it leaves out or does otherwise than AWS, where Kelvin needs it."""
    from kelvin_localemu import bystanders, iam, jsonata_engine, log_groups

    bystanders.install()
    iam.install()
    jsonata_engine.install()
    log_groups.install()
