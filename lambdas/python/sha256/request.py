"""Parses an event: lib/contract/schemas/event.schema.json."""

from typing import Literal, NamedTuple

from bench_core.event import read_parameters

Operation = Literal["sha256_chain"]

OPERATIONS: tuple[Operation, ...] = ("sha256_chain",)
FIELDS = ("operation", "rounds")
ROUNDS = 1_000_000
"""Number of rounds in the published figures."""
MOST_ROUNDS = 2_000_000
"""Far below the timeout at any memory size."""


class Request(NamedTuple):
    """``rounds`` successive hashes."""

    rounds: int
    operation: Operation = "sha256_chain"


def read_request(event: object) -> Request:
    """Parse ``event``; raises InvalidInput naming the invalid field."""
    parameters = read_parameters(event, FIELDS)
    parameters.operation(OPERATIONS)
    return Request(parameters.whole_number("rounds", ROUNDS, MOST_ROUNDS))
