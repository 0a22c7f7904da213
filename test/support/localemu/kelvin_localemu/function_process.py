"""The process of one execution environment, and what it prints."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Thread


class FunctionProcess:
    """Runs a command in the group of LocalEmu, so that whoever ends that group ends it too."""

    def __init__(
        self,
        command: Sequence[str],
        directory: Path,
        environment: Mapping[str, str],
        on_exit: Callable[[str], None],
    ) -> None:
        # A file never fills up and makes the function wait, as a pipe that nobody reads does.
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
        """Whether it runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it, and let go of what it printed."""
        self.kill()
        self._output.close()

    def take_output(self) -> str:
        """Give what it printed since the last call."""
        size = os.fstat(self._output.fileno()).st_size
        text = os.pread(self._output.fileno(), size - self._taken, self._taken)
        self._taken = size
        return text.decode(errors="replace")

    def all_output(self) -> str:
        """Give everything that it printed."""
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size, 0).decode(errors="replace")

    def peak_memory_mb(self) -> int:
        """Largest resident set so far, rounded up; 1 where the process is gone."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return 1
        peak = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
        return -(-int(peak[1]) // 1024) if peak else 1

    def _watch(self, on_exit: Callable[[str], None]) -> None:
        code = self._process.wait()
        on_exit(f"exit status {code}" if code >= 0 else f"signal {-code}")
