"""The clients that are small to install, of both languages and every protocol version, do what people do with them.

`make clients` runs all of the matrix.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.clients.azure.catalogue import AZURE_CLIENTS
from tests.e2e.clients.catalogue import CLIENTS, OFTEN, Client
from tests.e2e.clients.client_runs import client_run
from tests.e2e.clients.company import Caller, Company
from tests.e2e.clients.environments import LOCKS, version_of
from tests.e2e.clients.judge import errors_of, errors_on_the_wire
from tests.e2e.clients.loops.catalogue import LOOPS
from tests.e2e.clients.opensearch.catalogue import OPENSEARCH_CLIENTS
from tests.e2e.clients.relay import Exchange
from tests.e2e.clients.sources.catalogue import KINDS as SOURCE_SERVERS
from tests.e2e.clients.vertex.catalogue import SYSTEM, VERTEX_CLIENTS
from tests.support.engines.missing import Absent, answer

ALL_CLIENTS = (*CLIENTS, *LOOPS, *VERTEX_CLIENTS, *AZURE_CLIENTS, *OPENSEARCH_CLIENTS)
ENVIRONMENTS = sorted({each.environment for each in (*ALL_CLIENTS, *SOURCE_SERVERS)} - {SYSTEM})
CALLER = Caller("personal", {"Authorization": "Bearer k"}, "mine.md", "the expected", ("the forbidden",))
RIGHT = {
    "tools": ["rag_search"],
    "answer": "Here is the expected.",
    "blocks": ["text"],
    "refusal": "result: search_phrases must have 1 to 5 phrases.",
    "error": "McpError: Unknown tool",
    "resources": ["mine.md"],
    "resource": "It says the expected.",
    "prompts": ["answer_with_citations"],
    "prompt": "Answer from the expected.",
}


@pytest.mark.parametrize("client", OFTEN, ids=lambda client: client.name)
def test_the_client_lists_calls_gets_errors_and_sees_only_what_its_caller_may(
    client: Client, company: Company, tmp_path: Path
) -> None:
    try:
        made = client_run(client, company, tmp_path)
    except Absent as absent:
        answer(absent)
    assert not made.errors


def test_a_run_that_shows_each_caller_the_other_ones_answer_does_not_pass(company: Company, tmp_path: Path) -> None:
    sales, finance = company.callers
    swapped = (replace(finance, headers=sales.headers), replace(sales, headers=finance.headers))
    [quick] = [client for client in OFTEN if client.name == "TypeScript sdk 1.32"]
    try:
        made = client_run(quick, replace(company, callers=swapped), tmp_path)
    except Absent as absent:
        answer(absent)
    assert made.mark("call") == "FAILS"


def test_what_runs_often_speaks_every_version_and_both_languages() -> None:
    assert {client.wire for client in CLIENTS} == {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
    assert {client.wire for client in OFTEN} >= {"2025-03-26", "2025-11-25", "2026-07-28"}
    assert {Path(client.script).suffix for client in OFTEN} == {".py", ".mjs"}
    assert len({client.environment for client in OFTEN}) >= 5


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_environment_is_locked_to_the_last_package_and_its_lock_names_no_registry(environment: str) -> None:
    folder = LOCKS / environment
    node = (folder / "package-lock.json").is_file()
    lock = (folder / ("package-lock.json" if node else "requirements.txt")).read_text(encoding="utf-8")
    if node:
        assert '"integrity"' in lock
        assert '"resolved"' not in lock
    else:
        assert "://" not in lock
        assert "--index" not in lock
        entries = re.split(r"\n(?=\S)", lock.strip())
        assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
        requested = (folder / "requirements.in").read_text(encoding="utf-8").split()
        pins = (line.partition("==") for line in requested)
        assert all(version_of(environment, name.partition("[")[0]) == pin for name, _, pin in pins)


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("list", {"tools": ["verify_document_access"]}),
        ("call", {"answer": "Nothing was found."}),
        ("call", {"resource": "Beside the expected: the forbidden."}),
        ("call", {"blocks": ["text", "file"]}),
        ("call", {"blocks": []}),
        ("error", {"error": ""}),
        ("error", {"refusal": ""}),
        ("error", {"refusal": "McpError: search_phrases must have 1 to 5 phrases."}),
        ("error", {"refusal": "result: An error occurred while running the tool. Please try again."}),
        ("error", {"error": "TypeError: 'NoneType' object is not subscriptable"}),
        ("resources", {"resources": []}),
        ("resources", {"resource": ""}),
        ("prompts", {"prompts": []}),
        ("prompts", {"prompt": ""}),
    ],
)
def test_a_client_that_got_something_else_does_not_pass(part: str, wrong: dict[str, object]) -> None:
    assert not list(errors_of(RIGHT, CALLER))
    assert [error.part for error in errors_of(RIGHT | wrong, CALLER)] == [part]


def test_a_request_without_its_callers_headers_and_an_answer_of_a_broken_server_do_not_pass() -> None:
    fine = Exchange("POST", {"authorization": "Bearer k"}, {"method": "tools/list"}, 200, b"{}")
    assert not list(errors_on_the_wire([fine], [CALLER]))
    for wrong in (replace(fine, headers={}), replace(fine, status=502)):
        assert [error.part for error in errors_on_the_wire([wrong], [CALLER])] == ["wire"]
