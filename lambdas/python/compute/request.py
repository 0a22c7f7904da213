"""Parses an event: lib/contract/schemas/event.schema.json."""

from typing import Literal, NamedTuple

from bench_core.errors import NOTHING, InvalidInput
from bench_core.event import read_parameters

Operation = Literal["fibonacci", "vector", "noop"]

OPERATIONS: tuple[Operation, ...] = ("fibonacci", "vector", "noop")
FIELDS = ("operation", "n")
LARGEST_N = 40
"""The number that the source computed. The next one takes 1.6 times as long."""


class Fibonacci(NamedTuple):
    """The ``n``-th Fibonacci number, 1 to 40."""

    n: int
    operation: Literal["fibonacci"] = "fibonacci"


class Vector(NamedTuple):
    """100,000 integers allocated, transformed and summed."""

    operation: Literal["vector"] = "vector"


class Noop(NamedTuple):
    """No work: measures the cost of an invocation itself."""

    operation: Literal["noop"] = "noop"


Request = Fibonacci | Vector | Noop


def read_request(event: object) -> Request:
    """Parse ``event``; raises InvalidInput naming the invalid field."""
    parameters = read_parameters(event, FIELDS)
    operation = parameters.operation(OPERATIONS)
    if operation == "fibonacci":
        if "n" not in parameters.fields:
            raise InvalidInput("n", NOTHING, f"a whole number from 1 to {LARGEST_N}")
        return Fibonacci(parameters.whole_number("n", 1, LARGEST_N))
    parameters.only_with("n", "fibonacci")
    return Vector() if operation == "vector" else Noop()
