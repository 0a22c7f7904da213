"""Clients by pool size: the usual one is made in Init, others on demand."""

from collections.abc import Callable
from typing import Generic, TypeVar

from s3_fanout.request import USUAL_POOL_SIZE

Client = TypeVar("Client")


class Pools(Generic[Client]):
    """Keeps every client and its connections for the life of the process."""

    def __init__(self, open_client: Callable[[int], Client]) -> None:
        self._open = open_client
        self._clients = {USUAL_POOL_SIZE: open_client(USUAL_POOL_SIZE)}

    def of(self, size: int) -> Client:
        """Return the client of that pool size, which the first request for it creates."""
        if size not in self._clients:
            self._clients[size] = self._open(size)
        return self._clients[size]
