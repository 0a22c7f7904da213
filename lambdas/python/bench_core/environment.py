"""Names that the deployment gives to a function (tables, buckets), never hard-coded."""

import os

from bench_core.errors import NOTHING, InvalidConfiguration


def required(name: str, allowed: str) -> str:
    """Return the text of the environment variable ``name``.

    Raises InvalidConfiguration where it is absent or empty. Called at import, so that a wrong
    deployment fails in Init and not on a measured call.
    """
    value = os.environ.get(name)
    if not value:
        raise InvalidConfiguration(name, NOTHING if value is None else value, allowed)
    return value
