"""Timed calls with boto3."""

from bench_core.stopwatch import Stopwatch
from s3_fanout.answers import check_grants, first_keys
from s3_fanout.boto3_bucket import Bucket


def list_keys(bucket: Bucket, count: int, calls: Stopwatch) -> list[str]:
    """Return the first ``count`` keys of all pages; raises ObjectsMissing."""
    keys: list[str] = []
    token: str | None = None
    while True:
        with calls:
            page = bucket.page(token)
        keys += page.keys
        token = page.next_token
        if token is None:
            return first_keys(keys, count)


def ask(bucket: Bucket, key: str, calls: Stopwatch) -> None:
    """Get an object's access control list; raises NoGrants."""
    with calls:
        grants = bucket.grants(key)
    check_grants(key, grants)
