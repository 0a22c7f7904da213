"""The plugin's Runtime API, from the point of view of a runtime."""

import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, RemoteDisconnected

import pytest

from kelvin_localemu.runtime_api import Answered, Delivery, InitFailed, Ready, RuntimeApi

RUNTIME = "/2018-06-01/runtime"
EVENT = Delivery("id-1", b'{"operation":"get"}', "arn:of:the:function", "Root=1", 1234)


@pytest.fixture
def api() -> Iterator[RuntimeApi]:
    one = RuntimeApi()
    yield one
    one.stop()


@pytest.fixture
def runtime(api: RuntimeApi) -> Iterator[HTTPConnection]:
    connection = HTTPConnection(api.address, timeout=5)
    yield connection
    connection.close()


def status_of(connection: HTTPConnection, path: str, body: bytes) -> int:
    connection.request("POST", f"{RUNTIME}{path}", body)
    response = connection.getresponse()
    response.read()
    return response.status


def test_a_runtime_that_asks_is_ready_and_gets_the_event_with_its_headers(
    api: RuntimeApi, runtime: HTTPConnection
) -> None:
    api.deliver(EVENT)
    runtime.request("GET", f"{RUNTIME}/invocation/next")
    response = runtime.getresponse()
    assert response.read() == EVENT.event
    assert response.headers["Lambda-Runtime-Aws-Request-Id"] == "id-1"
    assert response.headers["Lambda-Runtime-Deadline-Ms"] == "1234"
    assert response.headers["Lambda-Runtime-Invoked-Function-Arn"] == "arn:of:the:function"
    assert response.headers["Lambda-Runtime-Trace-Id"] == "Root=1"
    assert isinstance(api.signals.get(timeout=1), Ready)


@pytest.mark.parametrize(("kind", "is_error"), [("response", False), ("error", True)])
def test_an_answer_is_told_with_its_request(
    api: RuntimeApi, runtime: HTTPConnection, kind: str, is_error: bool
) -> None:
    assert status_of(runtime, f"/invocation/id-1/{kind}", b"{}") == 202
    assert api.signals.get(timeout=1) == Answered("id-1", b"{}", is_error)


def test_an_answer_may_come_in_chunks(api: RuntimeApi, runtime: HTTPConnection) -> None:
    path = f"{RUNTIME}/invocation/id-1/response"
    runtime.request("POST", path, iter([b'{"a":', b"1}"]), encode_chunked=True)
    assert runtime.getresponse().status == 202
    assert api.signals.get(timeout=1) == Answered("id-1", b'{"a":1}', is_error=False)


def test_an_init_that_failed_is_told(api: RuntimeApi, runtime: HTTPConnection) -> None:
    assert status_of(runtime, "/init/error", b'{"errorType":"X"}') == 202
    assert api.signals.get(timeout=1) == InitFailed(b'{"errorType":"X"}')


def test_what_the_runtime_api_does_not_have_is_not_found(
    api: RuntimeApi, runtime: HTTPConnection
) -> None:
    assert status_of(runtime, "/invocation/id-1/other", b"") == 404
    assert api.signals.empty()


def test_the_end_lets_go_of_a_runtime_that_waits(api: RuntimeApi, runtime: HTTPConnection) -> None:
    runtime.request("GET", f"{RUNTIME}/invocation/next")
    assert isinstance(api.signals.get(timeout=5), Ready)
    threading.Thread(target=api.stop).start()
    with pytest.raises(RemoteDisconnected):
        runtime.getresponse()


def test_it_listens_on_loopback_alone(api: RuntimeApi) -> None:
    host, port = api.address.split(":")
    assert host == "127.0.0.1"
    own = socket.gethostbyname(socket.gethostname())
    if not own.startswith("127."):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((own, int(port)), timeout=1)
