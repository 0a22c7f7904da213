"""The Lambda Runtime API of one execution environment, on loopback.

https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

import re
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue

VERSION = "/2018-06-01/runtime"
ANSWER = re.compile(rf"{VERSION}/invocation/([^/]+)/(response|error)")


@dataclass(frozen=True)
class Delivery:
    """An event to deliver to the runtime."""

    request_id: str
    event: bytes
    function_arn: str
    trace_id: str
    deadline_epoch_ms: int


@dataclass(frozen=True)
class Ready:
    """The runtime requests an event: Init or the last invocation is over."""

    at: float


@dataclass(frozen=True)
class Answered:
    """The runtime posted a result or an error for an invocation."""

    request_id: str
    body: bytes
    is_error: bool


@dataclass(frozen=True)
class InitFailed:
    """The runtime could not be initialised."""

    body: bytes


@dataclass(frozen=True)
class Exited:
    """The process has exited."""

    how: str


Signal = Ready | Answered | InitFailed | Exited


class RuntimeApi:
    """Delivers events and reports by signals what the runtime does."""

    def __init__(self) -> None:
        self.signals: SimpleQueue[Signal] = SimpleQueue()
        self._deliveries: SimpleQueue[Delivery | None] = SimpleQueue()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        """Value for AWS_LAMBDA_RUNTIME_API, as host:port."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    def deliver(self, delivery: Delivery) -> None:
        """Deliver an event once the runtime requests it; after Ready, it already has."""
        self._deliveries.put(delivery)

    def next_delivery(self) -> Delivery | None:
        """Wait for the next event; return None once the environment ends."""
        self.signals.put(Ready(time.monotonic()))
        return self._deliveries.get()

    def stop(self) -> None:
        """Release the waiting request, and stop listening."""
        self._deliveries.put(None)
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    api: RuntimeApi


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        if self.path != f"{VERSION}/invocation/next":
            self._reply(404)
            return
        delivery = self.server.api.next_delivery()
        if delivery is None:
            self.close_connection = True
            return
        headers = {
            "Lambda-Runtime-Aws-Request-Id": delivery.request_id,
            "Lambda-Runtime-Deadline-Ms": str(delivery.deadline_epoch_ms),
            "Lambda-Runtime-Invoked-Function-Arn": delivery.function_arn,
            "Lambda-Runtime-Trace-Id": delivery.trace_id,
        }
        self._reply(200, delivery.event, headers)

    def do_POST(self) -> None:
        body = self._body()
        answer = ANSWER.fullmatch(self.path)
        if answer is not None:
            request_id, kind = answer.groups()
            self.server.api.signals.put(Answered(request_id, body, kind == "error"))
        elif self.path == f"{VERSION}/init/error":
            self.server.api.signals.put(InitFailed(body))
        else:
            self._reply(404)
            return
        self._reply(202, b'{"status":"OK"}')

    def log_message(self, *_args: object) -> None:
        """Log nothing: the function's own log has it."""

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        chunks: list[bytes] = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
