"""The engine of the tests listens to this machine alone, has the tables of the template, and ends with its parent."""

import shutil
import socket
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from tests.support.aws.template import tables
from tests.support.engines.dynamodb import client
from tests.support.engines.missing import Absent, answer, are_required, summary


def test_the_tables_equal_those_of_the_template(dynamodb_url: str) -> None:
    connected = client(dynamodb_url)
    names = tables.create(connected)
    assert names.keys() == {"KeysTable", "UsersTable", "DocumentsTable", "SessionsTable"}
    sessions = connected.describe_time_to_live(TableName=names["SessionsTable"])["TimeToLiveDescription"]
    assert sessions.get("AttributeName") == "expires_at"
    documents = connected.describe_table(TableName=names["DocumentsTable"])["Table"]
    assert {index.get("IndexName") for index in documents.get("GlobalSecondaryIndexes", [])} >= {"by-content"}


def test_two_that_make_tables_meet_no_row_of_each_other(dynamodb_url: str) -> None:
    connected = client(dynamodb_url)
    assert not {*tables.create(connected).values()} & {*tables.create(connected).values()}


OPEN_AND_WAIT = """
from tests.support.engines.dynamodb import running
with running() as url:
    print(url, flush=True)
    input()
"""


def test_an_engine_ends_with_a_process_that_is_killed(dynamodb_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("java") is None:
        answer(Absent("DynamoDB Local of one's own needs Java: install it."))
    monkeypatch.delenv("DYNAMODB_URL", raising=False)
    command = [sys.executable, "-c", OPEN_AND_WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        assert address.hostname == "127.0.0.1"
        with socket.create_connection((address.hostname, address.port or 0), timeout=10) as connection:
            process.kill()
            assert connection.recv(1) == b""


def test_where_engines_are_required_a_missing_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_ENGINES", "1")
    with pytest.raises(pytest.fail.Exception, match="no Java"):
        answer(Absent("no Java"))


def test_where_the_engine_is_optional_its_tests_are_left_out_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REQUIRE_ENGINES", raising=False)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception) as left_out:
        answer(Absent("no Java"))
    report = SimpleNamespace(longrepr=("test_x.py", 1, f"Skipped: {left_out.value}"))
    assert summary([report, report]) == ["2 tests left out: no Java"]


@pytest.mark.parametrize(
    ("environment", "required"),
    [({}, False), ({"CI": "true"}, True), ({"REQUIRE_ENGINES": "1"}, True), ({"REQUIRE_ENGINES": ""}, False)],
)
def test_a_machine_of_the_project_has_every_engine(environment: dict[str, str], *, required: bool) -> None:
    assert are_required(environment) is required
