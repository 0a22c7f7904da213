"""What LocalEmu does beside each call for services and calls that no stack of Kelvin's has.

A metric of each invocation is a call through the whole gateway, and so is an event of each call of
the control plane, which waits for a minute in a thread of its own: half of LocalEmu's work in all.
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
    """Tell nobody."""


def _receive_soon(client: FakeSqsClient, **request: object) -> Any:
    """Wait a moment for asynchronous calls; while it waits, no function can be updated."""
    return _receive(client, **{**request, "WaitTimeSeconds": POLL_SECONDS})


def install() -> None:
    """Send no metrics to CloudWatch, no events of CloudTrail's to EventBridge, and poll briefly."""
    replace(recording_hook, "cloudtrail_activity_handler", _nothing)
    replace(recording_hook, "_emit_cloudtrail_to_eventbridge", _nothing)
    replace(version_manager, "record_cw_metric_invocation", _nothing)
    replace(version_manager, "record_cw_metric_error", _nothing)
    replace(FakeSqsClient, "receive_message", _receive_soon)
