"""Reads the names (of tables, buckets) that the deployment sets in the environment."""

import os

from bench_core.errors import NOTHING, InvalidConfiguration


def required(name: str, allowed: str) -> str:
    """Return the value of the environment variable ``name``.

    Raises InvalidConfiguration if it is absent or empty. Called at import, so that a wrong
    deployment fails in Init and not in a measured call.
    """
    value = os.environ.get(name)
    if not value:
        raise InvalidConfiguration(name, NOTHING if value is None else value, allowed)
    return value
