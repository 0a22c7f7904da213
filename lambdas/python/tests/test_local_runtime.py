"""The Runtime API client for machines without awslambdaric, against a host on loopback."""

import json
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


class Host(HTTPServer):
    """A Runtime API on loopback that serves ``events`` and keeps the responses by path."""

    def __init__(self, events: list[object]) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.events = list(enumerate(events))
        self.answers: list[tuple[str, Any]] = []


class Conversation(BaseHTTPRequestHandler):
    """One connection of the runtime."""

    protocol_version = "HTTP/1.1"
    server: Host

    def do_GET(self) -> None:
        if not self.server.events:
            self.close_connection = True
            return
        index, event = self.server.events.pop(0)
        body = json.dumps(event).encode()
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", f"request-{index}")
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int(time.time() * 1000) + 30_000))
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:function:f")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.answers.append((self.path.removeprefix("/2018-06-01/runtime"), body))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


def answers_to(events: list[object], handler: str, folder: Path) -> list[tuple[str, Any]]:
    host = Host(events)
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    environment = {
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{host.server_port}",
        "PYTHONPATH": f"{ROOT}:{folder}",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
    }
    command = [sys.executable, "-B", "-m", "local_runtime", handler]
    subprocess.run(command, env=environment, timeout=20, check=False, capture_output=True)  # noqa: S603
    host.shutdown()
    thread.join()
    host.server_close()
    return host.answers


FUNCTIONS = """
from decimal import Decimal

def echo(event, _):
    return event

def fail(_, __):
    raise KeyError("pk")

def answer_with_a_number_of_dynamodb(_, __):
    return {"total": Decimal("1.5")}

def answer_with_a_set(_, __):
    return {1, 2}

def describe(_, context):
    return {
        "id": context.aws_request_id,
        "arn": context.invoked_function_arn,
        "memory": context.memory_limit_in_mb,
        "left": 0 < context.get_remaining_time_in_millis() <= 30_000,
    }
"""


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    (tmp_path / "functions.py").write_text(FUNCTIONS)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "functions.py").write_text(FUNCTIONS)
    return tmp_path


def test_each_event_is_answered_under_its_own_id(functions: Path) -> None:
    answers = answers_to([{"n": 1}, {"n": 2}], "functions.echo", functions)
    assert answers == [
        ("/invocation/request-0/response", {"n": 1}),
        ("/invocation/request-1/response", {"n": 2}),
    ]


def test_an_error_is_given_by_its_class_and_the_next_event_is_served(functions: Path) -> None:
    answers = answers_to([{}, {}], "functions.fail", functions)
    assert [path for path, _ in answers] == [
        "/invocation/request-0/error",
        "/invocation/request-1/error",
    ]
    assert answers[0][1] == {"errorType": "KeyError", "errorMessage": "'pk'"}


def test_a_handler_that_cannot_be_imported_fails_init(functions: Path) -> None:
    [(path, error)] = answers_to([{}], "functions.missing", functions)
    assert path == "/init/error"
    assert error["errorType"] == "AttributeError"


def test_a_handler_gets_the_context_that_lambda_gives_it(functions: Path) -> None:
    [(_, answer)] = answers_to([{}], "functions.describe", functions)
    expected = {"id": "request-0", "arn": "arn:aws:lambda:function:f", "memory": "512"}
    assert answer == {**expected, "left": True}


def test_a_handler_may_be_below_a_folder_and_answer_with_a_number_of_dynamodb(
    functions: Path,
) -> None:
    handler = "below/functions.answer_with_a_number_of_dynamodb"
    assert answers_to([{}], handler, functions) == [
        ("/invocation/request-0/response", {"total": 1.5})
    ]


def test_an_answer_that_is_not_json_is_an_error_and_the_next_event_is_served(
    functions: Path,
) -> None:
    answers = answers_to([{}, {}], "functions.answer_with_a_set", functions)
    assert [answer["errorType"] for _, answer in answers] == ["TypeError", "TypeError"]
