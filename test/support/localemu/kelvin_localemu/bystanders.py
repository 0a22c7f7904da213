"""Disable work that LocalEmu does on each call for services and calls outside Kelvin's stacks.

Each invocation sends a metric through the whole gateway. Each control plane call sends an event,
which waits for a minute in its own thread. Together they are half of LocalEmu's work.
"""

from collections.abc import Callable
from typing import Any

from localemu.services.cloudtrail import recording_hook
from localemu.services.lambda_.invocation import version_manager
from localemu.services.lambda_.invocation.internal_sqs_queue import FakeSqsClient

from kelvin_localemu.replace import replace

POLL_SECONDS = 0.2

_receive: Callable[..., Any] = FakeSqsClient.receive_message


def _nothing(*_args: object, **_keywords: object) -> None:
    """Do nothing."""


def _receive_soon(client: FakeSqsClient, **request: object) -> Any:
    """Poll asynchronous calls with a short wait, because a wait blocks updates of functions."""
    return _receive(client, **{**request, "WaitTimeSeconds": POLL_SECONDS})


def install() -> None:
    """Disable metrics to CloudWatch and CloudTrail events to EventBridge, and shorten the polls."""
    replace(recording_hook, "cloudtrail_activity_handler", _nothing)
    replace(recording_hook, "_emit_cloudtrail_to_eventbridge", _nothing)
    replace(version_manager, "record_cw_metric_invocation", _nothing)
    replace(version_manager, "record_cw_metric_error", _nothing)
    replace(FakeSqsClient, "receive_message", _receive_soon)
