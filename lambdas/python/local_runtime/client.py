"""Client of the Lambda Runtime API over one kept connection.

https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

import http.client
import json
import os
import socket
from typing import NamedTuple, Self

from local_runtime.context import Context

VERSION = "/2018-06-01/runtime"


class Invocation(NamedTuple):
    """An event as JSON text, and its context, with the request id for its response."""

    context: Context
    event: bytes


class RuntimeClient:
    """Fetches events and posts responses. Raises ``OSError`` if the host is gone."""

    def __init__(self, host: str, port: int) -> None:
        self._connection = http.client.HTTPConnection(host, port)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @classmethod
    def from_environment(cls) -> Self:
        """Connect to the host:port of ``AWS_LAMBDA_RUNTIME_API``."""
        host, port = os.environ["AWS_LAMBDA_RUNTIME_API"].split(":")
        return cls(host, int(port))

    def next(self) -> Invocation:
        """Wait for the next event."""
        self._connection.request("GET", f"{VERSION}/invocation/next")
        response = self._connection.getresponse()
        event = response.read()
        return Invocation(Context(response.headers), event)

    def respond(self, request_id: str, result: str) -> None:
        """Post the function's result, which is JSON text."""
        self._post(f"/invocation/{request_id}/response", result)

    def fail(self, request_id: str, error: Exception) -> None:
        """Post the function's error under the name of its class."""
        self._post(f"/invocation/{request_id}/error", _described(error))

    def fail_init(self, error: Exception) -> None:
        """Report a failed Init."""
        self._post("/init/error", _described(error))

    def _post(self, path: str, body: str) -> None:
        self._connection.request("POST", f"{VERSION}{path}", body=body.encode())
        self._connection.getresponse().read()


def _described(error: Exception) -> str:
    return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error)})
