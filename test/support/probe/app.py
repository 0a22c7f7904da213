"""What a Python function finds of its environment. Deployable as it is: handler app.handler."""

import os
from pathlib import Path


def handler(_event: object, _context: object) -> dict[str, object]:
    """Answer with the variables and the working directory."""
    return {"variables": dict(os.environ), "folder": str(Path.cwd())}
