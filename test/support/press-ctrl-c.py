"""Run a command in its own terminal, and press Ctrl-C once it has printed a text."""

import os
import pty
import sys


def press(awaited: bytes, command: list[str]) -> int:
    """Forward the command's output, and return its exit code."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)  # noqa: S606 the test names it
    printed = b""
    is_pressed = False
    while chunk := read(terminal):
        sys.stdout.buffer.write(chunk)
        printed += chunk
        if awaited in printed and not is_pressed:
            os.write(terminal, b"\x03")
            is_pressed = True
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def read(terminal: int) -> bytes:
    """Return new output; empty once no process has the terminal open."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


sys.exit(press(sys.argv[1].encode(), sys.argv[2:]))
