"""The adapter: its requests to DynamoDB and how it reads the responses."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber

from dynamodb.boto3_table import Boto3Table, open_table
from dynamodb.item import key, new_item

ITEM = new_item("p", "s")


@pytest.fixture
def table() -> Boto3Table:
    return open_table("bench")


@pytest.fixture
def service(table: Boto3Table) -> Iterator[Stubber]:
    with Stubber(table.client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


def test_get_returns_the_item(table: Boto3Table, service: Stubber) -> None:
    request = {"TableName": "bench", "Key": {"pk": {"S": "p"}, "sk": {"S": "s"}}}
    service.add_response("get_item", {"Item": ITEM}, request)
    assert table.get(key("p", "s")) == ITEM


def test_get_of_nothing_returns_none(table: Boto3Table, service: Stubber) -> None:
    service.add_response("get_item", {})
    assert table.get(key("p", "s")) is None


def test_put_sends_the_item(table: Boto3Table, service: Stubber) -> None:
    service.add_response("put_item", {}, {"TableName": "bench", "Item": ITEM})
    table.put(ITEM)


def test_query_asks_for_the_partition_and_starts_after_a_key(
    table: Boto3Table, service: Stubber
) -> None:
    first = {
        "TableName": "bench",
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "p"}},
    }
    last_key = key("p", "s")
    service.add_response("query", {"Items": [ITEM], "LastEvaluatedKey": last_key}, first)
    service.add_response("query", {"Items": []}, {**first, "ExclusiveStartKey": last_key})
    assert table.query("p", None) == ([ITEM], last_key)
    assert table.query("p", last_key) == ([], None)


def test_batch_write_returns_what_was_left_unprocessed(table: Boto3Table, service: Stubber) -> None:
    other = new_item("p", "t")
    put, put_other = ({"PutRequest": {"Item": item}} for item in (ITEM, other))
    request = {"RequestItems": {"bench": [put, put_other]}}
    service.add_response("batch_write_item", {"UnprocessedItems": {"bench": [put_other]}}, request)
    service.add_response("batch_write_item", {"UnprocessedItems": {}}, request)
    assert table.batch_write([ITEM, other]) == [other]
    assert table.batch_write([ITEM, other]) == []


def test_an_error_of_the_service_passes_through(table: Boto3Table, service: Stubber) -> None:
    service.add_client_error("get_item", "ProvisionedThroughputExceededException")
    with pytest.raises(ClientError, match="ProvisionedThroughputExceededException"):
        table.get(key("p", "s"))


def test_a_failing_call_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[str] = []

    class Failing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.headers["X-Amz-Target"])
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_error(500)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Failing) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        endpoint = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
        table = open_table("bench")
        with pytest.raises(ClientError):
            table.get(key("p", "s"))
        table.client.close()
        server.shutdown()
    assert requests == ["DynamoDB_20120810.GetItem"]
