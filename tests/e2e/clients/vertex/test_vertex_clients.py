"""Clients of Vertex AI RAG Engine work when only address and key are changed; `make clients` runs all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.clients.company import Company, open_company
from tests.e2e.clients.environments import version_of
from tests.e2e.clients.vertex.catalogue import SYSTEM, VERTEX_CLIENTS, VertexClient
from tests.e2e.clients.vertex.runs import findings_of, run_client
from tests.support.documentation.pages import ROOT, rows
from tests.support.engines.missing import Absent, answer

PAGE = ROOT / "docs" / "clients" / "google-vertex.md"
OFTEN = [client for client in VERTEX_CLIENTS if client.often]


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    with open_company(tmp_path_factory.mktemp("company")) as made:
        yield made


@pytest.mark.parametrize("client", OFTEN, ids=lambda client: client.name)
def test_the_client_gets_the_contexts_of_its_caller_and_googles_errors(
    client: VertexClient, company: Company, tmp_path: Path
) -> None:
    try:
        made = run_client(client, company, tmp_path)
    except Absent as absent:
        answer(absent)
    assert not made.findings


def test_a_run_that_shows_each_caller_the_other_ones_answer_does_not_pass(company: Company, tmp_path: Path) -> None:
    try:
        made = run_client(OFTEN[0], company, tmp_path)
    except Absent as absent:
        answer(absent)
    assert not list(findings_of(made.reported, company.callers))
    swapped = list(findings_of(made.reported, company.callers[::-1]))
    assert [caller.name for caller in company.callers if any(caller.name in each for each in swapped)] == [
        caller.name for caller in company.callers
    ]
    [first, *_] = made.reported
    for part, wrong in {"nothing": 1, "error": "", "scores": [3.0], "sources": [], "texts": []}.items():
        [caller, *_] = company.callers
        assert list(findings_of([{**first, part: wrong}], [caller])), part
    assert list(findings_of(made.reported[:1], company.callers))


def test_every_client_has_its_row_on_the_page_with_its_version() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Tested clients\n")[2]
    reported = [row for row in rows(section) if len(row) == 3]
    assert reported == [["client", "package", "version"]] + [
        [
            client.name.removeprefix("Vertex: ") + (" *" if client.often else ""),
            f"`{client.package}`",
            "any" if client.environment == SYSTEM else version_of(client.environment, client.package),
        ]
        for client in VERTEX_CLIENTS
    ]
