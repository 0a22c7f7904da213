"""The s3-fanout adapter: its requests to S3 and how it reads the responses."""

from collections.abc import Iterator

import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber

from s3_fanout.boto3_bucket import Boto3Bucket, open_bucket
from s3_fanout.location import Location

GRANT = {"Permission": "FULL_CONTROL"}


@pytest.fixture
def bucket() -> Boto3Bucket:
    return open_bucket(Location("bench", "fanout/"), 10)


@pytest.fixture
def service(bucket: Boto3Bucket) -> Iterator[Stubber]:
    with Stubber(bucket.client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


def test_a_listing_asks_for_the_prefix_and_goes_on_after_a_token(
    bucket: Boto3Bucket, service: Stubber
) -> None:
    first = {"Bucket": "bench", "Prefix": "fanout/"}
    answer = {"Contents": [{"Key": "fanout/a"}], "NextContinuationToken": "t"}
    service.add_response("list_objects_v2", answer, first)
    service.add_response("list_objects_v2", {}, {**first, "ContinuationToken": "t"})
    assert bucket.page(None) == (["fanout/a"], "t")
    assert bucket.page("t") == ([], None)


def test_the_grants_of_an_object_are_counted(bucket: Boto3Bucket, service: Stubber) -> None:
    request = {"Bucket": "bench", "Key": "fanout/a"}
    service.add_response("get_object_acl", {"Grants": [GRANT, GRANT]}, request)
    assert bucket.grants("fanout/a") == 2


def test_an_error_of_the_service_passes_through(bucket: Boto3Bucket, service: Stubber) -> None:
    service.add_client_error("get_object_acl", "AccessDenied")
    with pytest.raises(ClientError, match="AccessDenied"):
        bucket.grants("fanout/a")


def test_the_pool_is_as_large_as_asked_for_and_nothing_is_tried_twice() -> None:
    config = open_bucket(Location("bench", "fanout/"), 50).client.meta.config
    assert config.max_pool_connections == 50
    assert config.retries["total_max_attempts"] == 1
