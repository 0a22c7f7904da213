"""``python -m local_runtime package.module.function``: serves until the host disconnects."""

import sys

from local_runtime.client import RuntimeClient
from local_runtime.loop import load_handler, serve_forever

if __name__ == "__main__":
    client = RuntimeClient.from_environment()
    serve_forever(client, load_handler(client, sys.argv[1]))
