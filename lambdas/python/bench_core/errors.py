"""Mistakes of the caller and of the deployment, said in one form.

Lambda reports the class's name as ``errorType`` and the text as ``errorMessage``; the text is
``<field>: found <found>; allowed: <allowed>``.
"""

import json

NOTHING = object()
"""Stands for a field that is absent; null is a value and is said as such."""


class _Refusal(ValueError):
    """A value that is not allowed.

    field: the name of the field or variable.
    found: the value as compact JSON, or the word nothing.
    allowed: what would be accepted, in words.
    """

    def __init__(self, field: str, found: object, allowed: str) -> None:
        self.field = field
        self.found = "nothing" if found is NOTHING else _compact_json(found)
        self.allowed = allowed
        super().__init__(f"{field}: found {self.found}; allowed: {allowed}")


class InvalidInput(_Refusal):
    """A field of the event that is not allowed."""


class InvalidConfiguration(_Refusal):
    """An environment variable that is absent or not allowed; raised in Init."""


def _compact_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Half a surrogate pair cannot be written as UTF-8: the runtime would die of its own log line.
    return text.encode(errors="backslashreplace").decode()
