"""What a handler learns about its invocation.

https://docs.aws.amazon.com/lambda/latest/dg/python-context.html
"""

import os
import time
from email.message import Message
from types import SimpleNamespace


class Context:
    """The second argument of a handler, for an invocation that no mobile app makes."""

    client_context = None
    identity = SimpleNamespace(cognito_identity_id=None, cognito_identity_pool_id=None)

    def __init__(self, headers: Message) -> None:
        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.invoked_function_arn = headers["lambda-runtime-invoked-function-arn"]
        self._deadline_ms = int(headers["lambda-runtime-deadline-ms"])
        self.function_name = os.environ.get("AWS_LAMBDA_FUNCTION_NAME")
        self.function_version = os.environ.get("AWS_LAMBDA_FUNCTION_VERSION")
        self.memory_limit_in_mb = os.environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
        self.log_group_name = os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
        self.log_stream_name = os.environ.get("AWS_LAMBDA_LOG_STREAM_NAME")

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the invocation times out."""
        return max(0, self._deadline_ms - int(time.time() * 1000))
