"""Summarizes the requests in an event of CloudWatch Logs by their path."""

import base64
import gzip
import json
from collections import defaultdict
from statistics import median
from typing import Any


def lambda_handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return the number of requests and errors of each path, and the median of their times."""
    # https://docs.aws.amazon.com/lambda/latest/dg/services-cloudwatchlogs.html
    logs = json.loads(gzip.decompress(base64.b64decode(event["awslogs"]["data"])))
    requests_by_path = defaultdict(list)
    for log_event in logs["logEvents"]:
        request = json.loads(log_event["message"])
        requests_by_path[request["path"]].append(request)
    return {path: summarize(requests) for path, requests in sorted(requests_by_path.items())}


def summarize(requests: list[dict[str, Any]]) -> dict[str, float]:
    """Return the figures of one path."""
    return {
        "requests": len(requests),
        "errors": sum(request["status"] >= 500 for request in requests),
        "medianMs": median(request["durationMs"] for request in requests),
    }
