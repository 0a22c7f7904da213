"""An in-memory bucket with a given number of objects and 60 per listing page."""

import asyncio
from threading import Lock
from time import sleep

from s3_fanout.answers import Page

PAGE = 60
CALL_SECONDS = 0.005


class Refused(Exception):
    """Error of the call that is made to fail."""


def object_key(index: int) -> str:
    return f"fanout/object-{index:03d}"


class MemoryBucket:
    """Records the requested keys and the maximum number of concurrent calls."""

    def __init__(self, objects: int = 100, grants: int = 1, failing: int | None = None) -> None:
        self.objects = objects
        self.asked: list[str] = []
        self.most = 0
        self._grants = grants
        self._failing = failing
        self._under_way = 0
        self._lock = Lock()

    def page(self, token: str | None) -> Page:
        start = int(token or 0)
        end = min(self.objects, start + PAGE)
        keys = [object_key(index) for index in range(start, end)]
        return Page(keys, str(end) if end < self.objects else None)

    def grants(self, key: str) -> int:
        self._begin()
        sleep(CALL_SECONDS)
        return self._end(key)

    def _begin(self) -> None:
        with self._lock:
            self._under_way += 1
            self.most = max(self.most, self._under_way)

    def _end(self, key: str) -> int:
        with self._lock:
            self._under_way -= 1
            self.asked.append(key)
        if self._failing is not None and key == object_key(self._failing):
            raise Refused("AccessDenied")
        return self._grants


class AsyncMemoryBucket:
    """MemoryBucket for async callers."""

    def __init__(self, bucket: MemoryBucket) -> None:
        self._bucket = bucket

    async def page(self, token: str | None) -> Page:
        return self._bucket.page(token)

    async def grants(self, key: str) -> int:
        self._bucket._begin()
        await asyncio.sleep(CALL_SECONDS)
        return self._bucket._end(key)
