"""Fixtures that keep tests from reaching AWS or reading the machine's configuration."""

import os

import pytest

from bench_core.boot import Boot

# Makes pytest show the compared values of its assertions.
pytest.register_assert_rewrite("contract_files")

LAMBDA_ENVIRONMENT = {
    "TABLE_NAME": "bench",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}


@pytest.fixture(autouse=True)
def lambda_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in LAMBDA_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def boot() -> Boot:
    """Return the identity of a process after Init."""
    boot = Boot()
    boot.ready()
    return boot


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record the pauses between batch calls, in seconds, instead of waiting."""
    recorded: list[float] = []
    monkeypatch.setattr("dynamodb.operations.sleep", recorded.append)
    return recorded
