"""Rows that a release sent to an OpenSearch are searched there."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.opensearch import SERVICES
from tests.contract.stored import release_before
from tests.contract.stored.conftest import FIRST
from tests.contract.stored.documents import copied
from tests.contract.stored.reading.fixture import Fixture
from tests.contract.stored.reading.rows import search_service
from tests.contract.stored.writing.rows import write_rows
from tests.support.opensearch import emulator
from tests.support.opensearch.earlier_release import text_fields_body
from tests.support.opensearch.emulator import OpenSearchEmulator
from tests.support.opensearch.signed_calls import call


def load(door: OpenSearchEmulator, fixture: Fixture) -> None:
    """The service holds what the release sent to one of its kind."""
    for request in fixture.lines(f"rows-{door.name}"):
        declare_text_fields(door, request)
        status, answer = call(door.url, request["method"], request["path"], request.get("body") or request["lines"])
        assert status < 300, answer
        assert not answer.get("errors"), answer
    door.become_visible()


def declare_text_fields(door: OpenSearchEmulator, request: Any) -> None:
    """Put the fields that the release left to dynamic templates: the emulator refuses a bulk that adds one."""
    lines = request.get("lines", [])
    names = {name for line in lines for name in line if name.startswith("text_")}
    indexes = {line["index"]["_index"] for line in lines if "index" in line}
    for index in indexes if names else ():
        assert call(door.url, "PUT", f"/{index}/_mapping", text_fields_body(names))[0] == 200


def check(facts: Any, made: Any) -> None:
    """The passages are found, and by those alone who may read them."""
    files = made["documents"]
    everybodys = {files[name] for name in ("pumps.md", "valves.md", "mail.eml", "query.md", "manual.pdf")} | {"unread"}
    assert set(facts["nobody"]) == everybodys
    assert set(facts["withdrawn"]) == everybodys - {"unread"}
    assert set(facts["ann"]) == everybodys | {files["salaries.md"], "letter"}
    assert set(facts["narrowed"]) == set(facts["ann"]) - {"letter"}
    assert sum(rows for _, _, rows in facts["versions"]) == sum(map(len, facts["segments"])) == len(facts["windows"])
    assert max(facts["windows"]) == 2


@pytest.fixture(autouse=True)
def _credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sign requests as the one caller whom the services let in."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", str(emulator.CREDENTIALS.access_key))
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", str(emulator.CREDENTIALS.secret_key))


@pytest.mark.parametrize("service", SERVICES)
def test_passages_of_a_stored_index_are_found_by_their_readers(
    service: str, opensearch_url: str, tmp_path: Path
) -> None:
    fixture = Fixture(FIRST, tmp_path)
    with emulator.opened(opensearch_url, service, 0) as door:
        load(door, fixture)
        check(search_service(fixture, service, door.url, emulator.COLLECTION, emulator.REGION), fixture.made)


def test_passages_that_the_present_code_stores_are_found_by_the_release_before(
    opensearch_url: str, package_before: Path, tmp_path: Path
) -> None:
    found, model = copied()
    for service, requests in write_rows(found, model).items():
        lines = "".join(f"{json.dumps(each)}\n" for each in requests)
        (tmp_path / f"rows-{service}.ndjson").write_text(lines, encoding="utf-8")
    fixture, arguments = Fixture(tmp_path, tmp_path), list[str]()
    with ExitStack() as doors:
        for service in SERVICES:
            door = doors.enter_context(emulator.opened(opensearch_url, service, 0))
            load(door, fixture)
            arguments += [service, door.url, emulator.COLLECTION, emulator.REGION]
        facts = release_before.read(package_before, str(tmp_path), str(tmp_path), *arguments)
    for service in SERVICES:
        check(facts[service], Fixture(FIRST, tmp_path).made)
