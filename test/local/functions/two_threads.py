"""A function that works on two threads, some 0.3 ms of CPU each call beside its own, over a bare Runtime API."""

import os
import socket
import threading
import time

CPU_NS_OF_A_THREAD = 150_000
host, port = os.environ["AWS_LAMBDA_RUNTIME_API"].split(":")
runtime_api = socket.create_connection((host, int(port)))
runtime_api.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def ask(head: str, body: bytes = b"") -> bytes:
    """The whole answer, head and body, of a request on the one connection."""
    text = f"{head} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n"
    runtime_api.sendall(text.encode() + body)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += runtime_api.recv(65_536)
    fields, _, rest = answer.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in fields.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0)
    while len(rest) < length:
        rest += runtime_api.recv(65_536)
    return fields


def burn() -> None:
    begun = time.thread_time_ns()
    while time.thread_time_ns() - begun < CPU_NS_OF_A_THREAD:
        pass


begin, end = threading.Barrier(2), threading.Barrier(2)


def helper() -> None:
    while True:
        begin.wait()
        burn()
        end.wait()


threading.Thread(target=helper, daemon=True).start()
while True:
    head = ask("GET /2018-06-01/runtime/invocation/next")
    request_id = next(
        line[31:].strip().decode() for line in head.split(b"\r\n") if line[:31].lower() == b"lambda-runtime-aws-request-id: "
    )
    begin.wait()
    burn()
    end.wait()
    ask(f"POST /2018-06-01/runtime/invocation/{request_id}/response", b"{}")
