"""Clients of Azure AI Search work when only address and key are changed; `make clients` runs all of them."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.clients.azure.catalogue import AZURE_CLIENTS, PARTS, AzureClient
from tests.e2e.clients.azure.judge import errors_of_wire
from tests.e2e.clients.azure.runs import AzureRun, errors_of, run_client
from tests.e2e.clients.company import Company
from tests.e2e.clients.environments import version_of
from tests.e2e.clients.relay import Exchange
from tests.support.documentation.pages import ROOT, rows
from tests.support.engines.missing import Absent, answer

PAGE = ROOT / "docs" / "clients" / "azure-search.md"
OFTEN = [client for client in AZURE_CLIENTS if client.often]


@pytest.fixture(scope="module")
def runs(company: Company, tmp_path_factory: pytest.TempPathFactory) -> dict[str, AzureRun]:
    try:
        return {client.name: run_client(client, company, tmp_path_factory.mktemp("azure")) for client in OFTEN}
    except Absent as absent:
        answer(absent)


@pytest.mark.parametrize("client", OFTEN, ids=lambda client: client.name)
def test_the_client_retrieves_and_administers_and_gets_the_errors_of_the_system(
    client: AzureClient, runs: dict[str, AzureRun]
) -> None:
    assert not runs[client.name].errors


def test_a_run_that_shows_each_caller_the_other_ones_answer_does_not_pass(
    company: Company, runs: dict[str, AzureRun]
) -> None:
    for client in OFTEN:
        sales, finance, administrator = runs[client.name].reported
        found = list(errors_of(client, [finance, sales, administrator], company.callers))
        for caller in company.callers:
            assert any(caller.name in error.text and "sees" in error.text for error in found)


@pytest.mark.parametrize(
    ("part", "where", "wrong"),
    [
        ("question", (0, "question", "texts"), []),
        ("question", (0, "question", "keys"), ["a", "a"]),
        ("question", (0, "question", "kinds"), ["KnowledgeBaseReference"]),
        ("question", (0, "question", "scores"), [4.5]),
        ("question", (0, "question", "searches"), []),
        ("question", (0, "question again", "keys"), []),
        ("filter", (0, "filter", "texts"), []),
        ("filter", (0, "filter of others", "keys"), ["a"]),
        ("threshold", (0, "threshold 0", "texts"), []),
        ("threshold", (0, "threshold 4", "texts"), ["something"]),
        ("data", (0, "data", "data"), []),
        ("messages", (0, "messages", "texts"), []),
        ("intents", (0, "intents", "searches"), ["one"]),
        ("errors", (0, "errors", "filter"), ""),
        ("errors", (0, "errors", "key"), "ClientAuthenticationError 401 who"),
        ("errors", (0, "errors", "closed"), "ResourceNotFoundError 404 it is closed"),
        ("stream", (0, "errors", "stream"), "HttpResponseError 200 a stream"),
        ("definitions", (2, "definitions", "change stale"), ""),
        ("definitions", (2, "definitions", "delete"), "HttpResponseError 400 no"),
        ("definitions", (2, "definitions"), {}),
        ("definitions", (2, "defined", "texts"), []),
        ("sources", (2, "sources", "read deleted"), ""),
        ("sources", (2, "status"), "creating"),
        ("partial", (2, "partial", "errors"), []),
        ("partial", (2, "partial", "texts"), []),
    ],
)
def test_a_client_that_got_something_else_does_not_pass(
    part: str, where: tuple[Any, ...], wrong: object, company: Company, runs: dict[str, AzureRun]
) -> None:
    [client] = [client for client in OFTEN if client.parts == PARTS]
    reported = list(deepcopy(runs[client.name].reported))
    assert not list(errors_of(client, reported, company.callers))
    place: Any = reported
    *path, last = where
    for each in path:
        place = place[each]
    place[last] = wrong
    assert part in {error.part for error in errors_of(client, reported, company.callers)}
    assert list(errors_of(client, reported[:-1], company.callers))


def test_another_path_or_version_a_broken_server_and_an_id_that_is_not_repeated_do_not_pass() -> None:
    client = OFTEN[0]
    path = f"/agents('default')/retrieve?api-version={client.version}"
    ids: dict[str, str] = dict.fromkeys(("x-ms-client-request-id", "client-request-id", "request-id"), "a")
    fine = Exchange("POST", {"x-ms-client-request-id": "a"}, {}, 200, b"{}", path, ids)
    assert not list(errors_of_wire(client, [fine]))
    for wrong in (
        Exchange("POST", {}, {}, 200, b"{}", path.replace("2025", "2024")),
        Exchange("POST", {}, {}, 200, b"{}", f"/agents/default/retrieve?api-version={client.version}"),
        Exchange("POST", {}, {}, 502, b"{}", path),
        Exchange("POST", fine.headers, {}, 200, b"{}", path),
    ):
        assert [error.part for error in errors_of_wire(client, [wrong])][:1] == ["wire"]
    assert list(errors_of_wire(client, []))


def test_what_runs_often_has_both_forms_of_the_api_and_both_languages() -> None:
    assert {Path(client.script).suffix for client in OFTEN} == {".py", ".mjs"}
    assert {client.script for client in OFTEN} >= {"agents.py", "bases.py"}
    assert {client.version.lower() for client in AZURE_CLIENTS} == {
        "2025-05-01-preview",
        "2025-08-01-preview",
        "2025-11-01-preview",
        "2026-04-01",
        "2026-05-01-preview",
        "2026-08-01-preview",
    }


def test_every_client_has_its_row_on_the_page_with_its_version() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Tested clients\n")[2]
    reported = [row for row in rows(section) if len(row) == 4]
    assert reported == [["client", "package", "version", "API"]] + [
        [
            client.title + (" *" if client.often else ""),
            f"`{client.package}`",
            version_of(client.environment, client.package),
            client.version,
        ]
        for client in AZURE_CLIENTS
    ]
