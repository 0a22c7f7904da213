"""One execution environment of LocalEmu's Lambda: a process and its Runtime API."""

import json
import time
from queue import Empty
from uuid import uuid4

from localemu.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localemu.services.lambda_.invocation.lambda_models import (
    ArchiveCode,
    FunctionVersion,
    InvocationResult,
)
from localemu.services.lambda_.invocation.runtime_executor import RuntimeExecutor

from kelvin_localemu.commands import command_of, environment_of
from kelvin_localemu.function_process import FunctionProcess
from kelvin_localemu.report import Measured, invocation_log
from kelvin_localemu.runtime_api import Answered, Delivery, Exited, InitFailed, Ready, RuntimeApi

LOOPBACK = "127.0.0.1"
INIT_LIMIT_SECONDS = 60.0


class ProcessExecutor(RuntimeExecutor):
    """Starts the function's process, delivers its invocations and reports them by REPORT lines."""

    def __init__(self, id: str, function_version: FunctionVersion) -> None:  # noqa: A002
        super().__init__(id, function_version)
        self._config = function_version.config
        self._environment: dict[str, str] = {}
        self._api: RuntimeApi | None = None
        self._process: FunctionProcess | None = None
        self._init_ms: float | None = None

    def start(self, env_vars: dict[str, str]) -> None:
        """Start the process and wait until it requests its first invocation."""
        self._environment = env_vars
        started = time.monotonic()
        self._start_process()
        signal = self._signal(INIT_LIMIT_SECONDS)
        if isinstance(signal, Ready):
            self._init_ms = (signal.at - started) * 1000
            return
        printed = self.get_logs()
        self.stop()
        if isinstance(signal, InitFailed):
            payload = signal.body
        else:
            how = signal.how if isinstance(signal, Exited) else "Init took too long"
            payload = _error("Runtime.ExitError", f"Runtime exited with error: {how}: {printed}")
        raise StatusErrorException("Init failed", payload=payload)

    def stop(self) -> None:
        """End the process and its Runtime API; safe to call again."""
        if self._process is not None:
            self._process.close()
            self._process = None
        if self._api is not None:
            self._api.stop()
            self._api = None

    def invoke(
        self, payload: dict[str, str], function_timeout: int | None = None
    ) -> InvocationResult:
        """Deliver one event; as on Lambda, Duration ends when the runtime requests the next."""
        if self._process is None or not self._process.alive:
            self.stop()
            self.start(self._environment)
            self._init_ms = None  # Lambda reports no Init for an environment that it started again
        request_id = payload["invoke-id"]
        limit = float(function_timeout or self._config.timeout)
        started = time.monotonic()
        self._deliver(payload, limit)
        answer, ended, status = self._outcome(request_id, started + limit)
        measured = Measured(
            duration_ms=(ended - started) * 1000,
            memory_mb=self._config.memory_size,
            peak_memory_mb=self._process_now.peak_memory_mb(),
            init_ms=self._init_ms,
            status=status,
        )
        self._init_ms = None
        if status == "timeout":
            self._process_now.kill()
        version = self.function_version.id.qualifier
        log = invocation_log(request_id, version, self._process_now.take_output(), measured)
        return InvocationResult(request_id, answer.body, answer.is_error, log)

    def get_logs(self) -> str:
        """Return all output of the process."""
        return "" if self._process is None else self._process.all_output()

    def get_address(self) -> str:
        """Return the environment's address."""
        return LOOPBACK

    def get_endpoint_from_executor(self) -> str:
        """Return LocalEmu's address as seen from the environment."""
        return LOOPBACK

    def get_runtime_endpoint(self) -> str:
        """Return an unused URL: nothing calls back, since the executor has its own Runtime API."""
        return f"http://{LOOPBACK}/{uuid4()}"

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        """Unpack the code, once."""
        _code_of(function_version).prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        """Keep the code: the function's next configuration uses it again."""

    @property
    def _process_now(self) -> FunctionProcess:
        assert self._process is not None  # noqa: S101 - started by start()
        return self._process

    def _start_process(self) -> None:
        code = _code_of(self.function_version).get_unzipped_code_location()
        api = RuntimeApi()
        runtime = str(self._config.runtime)
        command = command_of(runtime, code, self._config.handler or "")
        environment = environment_of(runtime, self._environment, code, api.address)
        self._api = api
        self._process = FunctionProcess(
            command, code, environment, lambda how: api.signals.put(Exited(how))
        )

    def _deliver(self, payload: dict[str, str], limit: float) -> None:
        assert self._api is not None  # noqa: S101 - started by start()
        self._api.deliver(
            Delivery(
                request_id=payload["invoke-id"],
                event=payload["payload"].encode(),
                function_arn=payload["invoked-function-arn"],
                trace_id=payload["trace-id"],
                deadline_epoch_ms=int((time.time() + limit) * 1000),
            )
        )

    def _outcome(self, request_id: str, deadline: float) -> tuple[Answered, float, str | None]:
        """Wait for the answer and the runtime's next request, for its exit, or for the timeout."""
        answer: Answered | None = None
        while True:
            signal = self._signal(deadline - time.monotonic())
            now = time.monotonic()
            if isinstance(signal, Answered):
                answer = signal
            elif isinstance(signal, Ready) and answer is not None:
                return answer, signal.at, "error" if answer.is_error else None
            elif signal is None:
                text = f"{request_id} Task timed out after {self._config.timeout:.2f} seconds"
                return _failure(request_id, "Sandbox.Timedout", text), now, "timeout"
            elif isinstance(signal, Exited):
                text = f"RequestId: {request_id} Error: Runtime exited with error: {signal.how}"
                failure = _failure(request_id, "Runtime.ExitError", text)
                return answer or failure, now, "error"

    def _signal(self, seconds: float) -> Ready | Answered | InitFailed | Exited | None:
        assert self._api is not None  # noqa: S101 - started by start()
        try:
            return self._api.signals.get(timeout=max(seconds, 0))
        except Empty:
            return None


def _code_of(function_version: FunctionVersion) -> ArchiveCode:
    code = function_version.config.code
    if code is None:
        raise ValueError(
            f"{function_version.id.function_name}: found no archive; images do not run"
        )
    return code


def _failure(request_id: str, error_type: str, message: str) -> Answered:
    return Answered(request_id, _error(error_type, message), is_error=True)


def _error(error_type: str, message: str) -> bytes:
    return json.dumps({"errorType": error_type, "errorMessage": message}).encode()
