"""Location of the objects, from the environment."""

from typing import NamedTuple, Self

from bench_core.environment import required


class Location(NamedTuple):
    """A prefix of a bucket."""

    bucket: str
    prefix: str

    @classmethod
    def of_environment(cls) -> Self:
        """Read ``BUCKET_NAME`` and ``OBJECT_PREFIX``; raises InvalidConfiguration."""
        return cls(
            required("BUCKET_NAME", "the name of an S3 bucket"),
            required("OBJECT_PREFIX", "the prefix of the objects in it"),
        )
