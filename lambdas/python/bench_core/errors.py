"""Errors of the caller and of the deployment, in one format.

Lambda reports the class name as ``errorType`` and the text as ``errorMessage``:
``<field>: found <found>; allowed: <allowed>``.
"""

import json

NOTHING = object()
"""Marks an absent field; null is a value."""


class _InvalidValue(ValueError):
    """A value that is not allowed.

    field: the name of the field or variable.
    found: the value as compact JSON, or the word nothing.
    allowed: a description of the accepted values.
    """

    def __init__(self, field: str, found: object, allowed: str) -> None:
        self.field = field
        self.found = "nothing" if found is NOTHING else _compact_json(found)
        self.allowed = allowed
        super().__init__(f"{field}: found {self.found}; allowed: {allowed}")


class InvalidInput(_InvalidValue):
    """A field of the event that is not allowed."""


class InvalidConfiguration(_InvalidValue):
    """An environment variable that is absent or not allowed. Raised in Init."""


def _compact_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate cannot be encoded as UTF-8: the runtime would crash on its own log line.
    return text.encode(errors="backslashreplace").decode()
