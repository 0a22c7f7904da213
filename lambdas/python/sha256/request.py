"""What an event asks for: lib/contract/schemas/event.schema.json."""

from typing import Literal, NamedTuple

from bench_core.event import read_parameters

Operation = Literal["sha256_chain"]

OPERATIONS: tuple[Operation, ...] = ("sha256_chain",)
FIELDS = ("operation", "rounds")
ROUNDS = 1_000_000
"""What the published figures are of."""
MOST_ROUNDS = 2_000_000
"""Well inside the timeout at any memory size."""


class Request(NamedTuple):
    """``rounds`` hashes, one after another."""

    rounds: int
    operation: Operation = "sha256_chain"


def read_request(event: object) -> Request:
    """Return what ``event`` asks for; raises InvalidInput naming the field that is wrong."""
    parameters = read_parameters(event, FIELDS)
    parameters.operation(OPERATIONS)
    return Request(parameters.whole_number("rounds", ROUNDS, MOST_ROUNDS))
