"""``python -m local_runtime package.module.function``: serves until the host disconnects."""

import io
import sys

from local_runtime.client import RuntimeClient
from local_runtime.loop import load_handler, serve_forever

if __name__ == "__main__":
    # What a call prints belongs to its log.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    client = RuntimeClient.from_environment()
    serve_forever(client, load_handler(client, sys.argv[1]))
