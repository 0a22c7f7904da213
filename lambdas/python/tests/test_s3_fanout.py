"""lib/contract/cases/s3-fanout-*.json for each variant."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from contract_files import case_name, cases, check_event, check_outcome
from memory_bucket import AsyncMemoryBucket, MemoryBucket, object_key

from bench_core.boot import Boot
from bench_core.errors import InvalidInput
from s3_fanout.aio.fan_out import fan_out as fan_out_aio
from s3_fanout.boto3_bucket import Bucket
from s3_fanout.executor.fan_out import fan_out as fan_out_executor
from s3_fanout.pools import Pools
from s3_fanout.request import Fanout, read_request
from s3_fanout.serial.fan_out import fan_out as fan_out_serial
from s3_fanout.serial.fan_out import read_serial_request
from s3_fanout.serve import serve

if TYPE_CHECKING:
    from bench_core.result import FunctionResult
    from s3_fanout.aio.bucket import Bucket as AsyncBucket

OPERATIONS = cases("s3-fanout-operations.json")
SERIAL = [case for case in OPERATIONS if case["flow"] == "serial"]
CONCURRENT = [case for case in OPERATIONS if case["flow"] == "concurrent"]


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


def pools_of(bucket: MemoryBucket) -> Pools[Bucket]:
    return Pools(lambda _: bucket)


def serve_serial(event: object, boot: Boot, pools: Pools[Bucket]) -> Any:
    return serve(event, boot, "serial", pools, fan_out_serial, read_serial_request)


def answer(variant: str, event: object, bucket: MemoryBucket, runner: asyncio.Runner) -> Any:
    boot = Boot()
    boot.ready()
    if variant == "serial":
        return serve_serial(event, boot, pools_of(bucket))
    if variant == "executor":
        return serve(event, boot, variant, pools_of(bucket), fan_out_executor)
    awaited: Pools[AsyncBucket] = Pools(lambda _: AsyncMemoryBucket(bucket))
    return serve(
        event,
        boot,
        variant,
        awaited,
        lambda client, request: runner.run(fan_out_aio(client, request)),
    )


def as_python(case: dict[str, Any]) -> dict[str, Any]:
    """Add the pool size to a result, and use the fake's name for a service error."""
    if "error" not in case:
        return {**case, "resultKeys": [*case["resultKeys"], "poolSize"]}
    raised = {"AccessDenied": "Refused"}
    error = case["error"]
    return {**case, "error": {**error, "type": raised.get(error["type"], error["type"])}}


def as_json(request: Fanout) -> dict[str, object]:
    fields = {
        "operation": "fanout",
        "count": request.objects,
        "concurrency": request.concurrency,
        "poolSize": request.pool_size,
    }
    return {name: value for name, value in fields.items() if value is not None}


@pytest.mark.parametrize("case", cases("s3-fanout-events.json"), ids=case_name)
def test_an_event_is_read_as_the_contract_says(case: dict[str, Any]) -> None:
    check_event(case, lambda event: as_json(read_request(event)))


@pytest.mark.parametrize("case", SERIAL, ids=case_name)
def test_the_serial_variant_does_what_the_contract_says(
    case: dict[str, Any], runner: asyncio.Runner
) -> None:
    check("serial", case, runner)


@pytest.mark.parametrize("variant", ["executor", "aio"])
@pytest.mark.parametrize("case", CONCURRENT, ids=case_name)
def test_a_concurrent_variant_does_what_the_contract_says(
    variant: str, case: dict[str, Any], runner: asyncio.Runner
) -> None:
    # Each library has its own default, so the cases' 10 is requested explicitly.
    event = {"concurrency": 10, **case["event"]}
    check(variant, {**case, "event": event}, runner)


def check(variant: str, case: dict[str, Any], runner: asyncio.Runner) -> None:
    bucket = MemoryBucket(case.get("objects", 100), case.get("grants", 1), case.get("failing"))
    result = check_outcome(as_python(case), lambda event: answer(variant, event, bucket, runner))
    if result is None:
        return
    assert sorted(bucket.asked) == [object_key(index) for index in range(result["itemsCount"])]
    # How many threads of an executor start before the first ends depends on the machine.
    least = 1 if variant == "executor" else case["mostAtOnce"]
    assert least <= bucket.most <= case["mostAtOnce"]


def test_without_a_number_the_executor_has_the_threads_of_a_default_one(
    runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("os.process_cpu_count", lambda: 2, raising=False)
    bucket = MemoryBucket()
    result = answer("executor", {"operation": "fanout"}, bucket, runner)
    assert (result["concurrency"], result["poolSize"]) == (6, 10)
    assert 1 < bucket.most <= 6


def test_without_a_number_aioboto3_begins_every_call_at_once(runner: asyncio.Runner) -> None:
    bucket = MemoryBucket()
    result = answer("aio", {"operation": "fanout"}, bucket, runner)
    assert (result["concurrency"], result["poolSize"], bucket.most) == (100, 10, 100)


def test_the_time_of_calls_at_the_same_time_is_summed(runner: asyncio.Runner) -> None:
    event = {"operation": "fanout", "count": 50, "concurrency": 25}
    for variant in ("executor", "aio"):
        result: FunctionResult = answer(variant, event, MemoryBucket(), runner)
        assert result["sdkCallMs"] >= 50 * 5
        # If they did not overlap, their sum would be less than the whole.
        assert result["sdkCallMs"] > result["durationMs"]


def test_a_client_is_made_once_for_each_pool_size_and_the_usual_one_before_any_event() -> None:
    opened: list[int] = []

    def open_client(size: int) -> int:
        opened.append(size)
        return size

    pools = Pools(open_client)
    assert opened == [10]
    assert [pools.of(size) for size in (50, 10, 50)] == [50, 10, 50]
    assert opened == [10, 50]


def test_a_process_counts_failed_invocations_too() -> None:
    boot = Boot()
    pools = pools_of(MemoryBucket())
    with pytest.raises(InvalidInput):
        serve_serial({"operation": "list"}, boot, pools)
    second = serve_serial({"operation": "fanout", "count": 1}, boot, pools)
    assert (second["invocation"], second["coldStart"]) == (1, False)
