"""Parses an event; defaults as in lib/contract/schemas/event.schema.json."""

from typing import Literal, NamedTuple

from bench_core.event import Parameters, read_parameters

OPERATIONS: tuple[Literal["fanout"], ...] = ("fanout",)
FIELDS = ("operation", "count", "concurrency", "poolSize")
OBJECTS = 100
"""Number of objects that the bucket is seeded with."""

USUAL_POOL_SIZE = 10
"""boto3's default:
https://botocore.amazonaws.com/v1/documentation/api/latest/reference/config.html
"""


class Fanout(NamedTuple):
    """List the objects and get the access control list of the first ``objects``, 1 to 100.

    concurrency: maximum concurrent calls; None: the variant's default.
    pool_size: connections that the client keeps; None: boto3's default, 10.
    """

    objects: int
    concurrency: int | None
    pool_size: int | None

    @property
    def connections(self) -> int:
        """Return the pool size, requested or default."""
        return USUAL_POOL_SIZE if self.pool_size is None else self.pool_size


def read_request(event: object) -> Fanout:
    """Parse ``event``; raises InvalidInput naming the invalid field."""
    parameters = read_parameters(event, FIELDS)
    parameters.operation(OPERATIONS)
    return Fanout(
        parameters.whole_number("count", OBJECTS, OBJECTS),
        _given(parameters, "concurrency"),
        _given(parameters, "poolSize"),
    )


def _given(parameters: Parameters, field: str) -> int | None:
    return parameters.whole_number(field, 1, OBJECTS) if field in parameters.fields else None
