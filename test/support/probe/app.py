"""A Python function that reports its environment. Deployable as is: handler app.handler."""

import os
from pathlib import Path


def handler(_event: object, _context: object) -> dict[str, object]:
    """Return the variables and the working directory."""
    return {"variables": dict(os.environ), "folder": str(Path.cwd())}
