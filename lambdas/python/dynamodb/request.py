"""Parses an event; defaults as in lib/contract/schemas/event.schema.json."""

from typing import Literal, NamedTuple

from bench_core.event import read_parameters

Operation = Literal["get", "put", "query", "batch_write"]

OPERATIONS: tuple[Operation, ...] = ("get", "put", "query", "batch_write")
FIELDS = ("operation", "pk", "sk", "itemCount")
LONGEST_KEY = 256
LARGEST_BATCH = 25
"""Maximum items of one BatchWriteItem:
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
"""

SEEDED_PARTITION = "seed"
SEEDED_ITEM = "item-00"


class Get(NamedTuple):
    """Read one item."""

    pk: str
    sk: str
    operation: Literal["get"] = "get"


class Put(NamedTuple):
    """Write one item under ``pk``."""

    pk: str
    operation: Literal["put"] = "put"


class Query(NamedTuple):
    """Read a whole partition."""

    pk: str
    operation: Literal["query"] = "query"


class BatchWrite(NamedTuple):
    """Write ``item_count`` items, 1 to 25, under ``pk``."""

    pk: str
    item_count: int
    operation: Literal["batch_write"] = "batch_write"


Request = Get | Put | Query | BatchWrite


def read_request(event: object, boot_id: str) -> Request:
    """Parse ``event``; raises InvalidInput naming the invalid field.

    By default, writes go to a partition of this process, so that they never touch the seed.
    """
    parameters = read_parameters(event, FIELDS)
    operation = parameters.operation(OPERATIONS)
    if operation != "get":
        parameters.only_with("sk", "get")
    if operation != "batch_write":
        parameters.only_with("itemCount", "batch_write")
    match operation:
        case "get":
            pk = parameters.text("pk", SEEDED_PARTITION, LONGEST_KEY)
            return Get(pk, parameters.text("sk", SEEDED_ITEM, LONGEST_KEY))
        case "put":
            return Put(parameters.text("pk", f"put-{boot_id}", LONGEST_KEY))
        case "query":
            return Query(parameters.text("pk", SEEDED_PARTITION, LONGEST_KEY))
        case "batch_write":
            pk = parameters.text("pk", f"batch-{boot_id}", LONGEST_KEY)
            return BatchWrite(
                pk, parameters.whole_number("itemCount", LARGEST_BATCH, LARGEST_BATCH)
            )
