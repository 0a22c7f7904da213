"""Reads the parameters of an event, plain or in the HTTP shape.

Plain: ``{"operation": "get", "pk": "seed"}``. HTTP (a function URL, API Gateway): the same names
under ``queryStringParameters``, where every value is a string and ``op`` means ``operation``.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from bench_core.errors import NOTHING, InvalidInput

Name = TypeVar("Name", bound=str)

HTTP_PARAMETERS = "queryStringParameters"


def asks_to_describe(event: object) -> bool:
    """Return whether the event asks for a description of the machine."""
    return isinstance(event, dict) and event.get("operation") == "describe"


class Parameters(NamedTuple):
    """The fields of an event.

    fields: every value as received, the operation under ``operation``.
    textual: True in the HTTP shape, where numbers are strings.
    """

    fields: Mapping[str, object]
    textual: bool

    def operation(self, allowed: Sequence[Name]) -> Name:
        """Return the name of the operation, one of ``allowed``."""
        found = self.fields.get("operation", NOTHING)
        for name in allowed:
            if found == name:
                return name
        raise InvalidInput("operation", found, ", ".join(allowed))

    def text(self, field: str, default: str, longest: int) -> str:
        """Return a string of 1 to ``longest`` characters."""
        found = self.fields.get(field, default)
        if not isinstance(found, str) or not 1 <= len(found) <= longest:
            raise InvalidInput(field, found, f"text of 1 to {longest} characters")
        return found

    def whole_number(self, field: str, default: int, highest: int) -> int:
        """Return a whole number from 1 to ``highest``."""
        found = self.fields.get(field, default)
        number = _number_in_text(found) if self.textual else _whole_number(found)
        if number is None or not 1 <= number <= highest:
            raise InvalidInput(field, found, f"a whole number from 1 to {highest}")
        return number

    def only_with(self, field: str, operation: str) -> None:
        """Refuse ``field``, which only ``operation`` reads."""
        if field in self.fields:
            raise InvalidInput(field, self.fields[field], f"only with {operation}")


def read_parameters(event: object, allowed: Sequence[str]) -> Parameters:
    """Return the parameters of the event.

    Raises InvalidInput for a field outside ``allowed``, so that a misspelt one does not silently
    leave the default.
    """
    outer = _json_object("event", event)
    textual = HTTP_PARAMETERS in outer
    if textual:
        inner = outer[HTTP_PARAMETERS]
        # API Gateway sends null if the request has no parameters.
        fields = _operation_named({} if inner is None else _json_object(HTTP_PARAMETERS, inner))
    else:
        fields = outer
    for field, found in fields.items():
        if field not in allowed:
            raise InvalidInput(field, found, ", ".join(allowed))
    return Parameters(fields, textual)


def _json_object(field: str, found: object) -> Mapping[str, object]:
    if not isinstance(found, dict):
        raise InvalidInput(field, found, "a JSON object")
    return found


def _operation_named(fields: Mapping[str, object]) -> Mapping[str, object]:
    if "op" not in fields:
        return fields
    if "operation" in fields:
        raise InvalidInput("op", fields["op"], "operation or op, not both")
    return {"operation" if field == "op" else field: found for field, found in fields.items()}


def _whole_number(found: object) -> int | None:
    # In Python True is an int; in JSON it is not a number. 3.0 is a whole number.
    if isinstance(found, bool) or not isinstance(found, int | float) or found % 1 != 0:
        return None
    return int(found)


def _number_in_text(found: object) -> int | None:
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) <= 9:
        return int(found)
    return _whole_number(found)
