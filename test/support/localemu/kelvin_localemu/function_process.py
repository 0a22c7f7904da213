"""The process of one execution environment, and its output."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Thread


class FunctionProcess:
    """Runs a command in LocalEmu's process group, so that killing the group kills it too."""

    def __init__(
        self,
        command: Sequence[str],
        directory: Path,
        environment: Mapping[str, str],
        on_exit: Callable[[str], None],
    ) -> None:
        # Unlike a pipe that nobody reads, a file never fills up and blocks the function.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - close() closes it
        self._taken = 0
        self._process = subprocess.Popen(  # noqa: S603 - the function under test
            command,
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )
        Thread(target=self._watch, args=(on_exit,), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Kill the process and discard its output."""
        self.kill()
        self._output.close()

    def take_output(self) -> str:
        """Return the output since the last call."""
        size = os.fstat(self._output.fileno()).st_size
        text = os.pread(self._output.fileno(), size - self._taken, self._taken)
        self._taken = size
        return text.decode(errors="replace")

    def all_output(self) -> str:
        """Return all output."""
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size, 0).decode(errors="replace")

    def peak_memory_mb(self) -> int:
        """Return the largest resident set so far, rounded up; 1 if the process is gone."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 1
        peak = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
        return -(-int(peak[1]) // 1024) if peak else 1

    def _watch(self, on_exit: Callable[[str], None]) -> None:
        code = self._process.wait()
        on_exit(f"exit status {code}" if code >= 0 else f"signal {-code}")
