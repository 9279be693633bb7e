"""Clients of OpenSearch work when only address and key are changed; `make clients` runs all of them."""

import json
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.e2e.clients.company import Company
from tests.e2e.clients.environments import version_of
from tests.e2e.clients.opensearch import runs as runs_module
from tests.e2e.clients.opensearch.catalogue import ENGINE_CLIENT, OPENSEARCH_CLIENTS, PARTS, OpenSearchClient
from tests.e2e.clients.opensearch.judge import errors_of_engine_wire, errors_of_page, errors_of_plugin_wire
from tests.e2e.clients.opensearch.runs import OpenSearchRun, errors_of, run_client, run_clients, table_of_opensearch
from tests.e2e.clients.opensearch.specification import served_specification
from tests.e2e.clients.relay import Exchange
from tests.support.documentation.pages import ROOT, rows
from tests.support.engines.missing import Absent, answer

PAGE = ROOT / "docs" / "clients" / "opensearch-clients.md"
SCRIPTS = Path(__file__).parent / "scripts"
OFTEN = [client for client in OPENSEARCH_CLIENTS if client.often]


@pytest.fixture(scope="module")
def runs(company: Company, tmp_path_factory: pytest.TempPathFactory) -> dict[str, OpenSearchRun]:
    try:
        return {client.name: run_client(client, company, tmp_path_factory.mktemp("opensearch")) for client in OFTEN}
    except Absent as absent:
        answer(absent)


@pytest.mark.parametrize("client", OFTEN, ids=lambda client: client.name)
def test_the_client_reads_what_its_caller_may_and_gets_the_reason_why_the_rest_is_refused(
    client: OpenSearchClient, runs: dict[str, OpenSearchRun]
) -> None:
    assert not runs[client.name].errors


def test_a_run_that_shows_each_caller_the_other_ones_answer_does_not_pass(
    company: Company, runs: dict[str, OpenSearchRun]
) -> None:
    for client in OFTEN:
        stages = [replace(stage, reported=stage.reported[::-1]) for stage in runs[client.name].stages]
        found = list(errors_of(stages, company))
        for caller in company.callers:
            assert any(caller.name in wire_error.text and "sees" in wire_error.text for wire_error in found)


@pytest.mark.parametrize("client", OFTEN, ids=lambda client: client.name)
def test_a_call_that_ends_otherwise_or_is_not_reported_does_not_pass(
    client: OpenSearchClient, company: Company, runs: dict[str, OpenSearchRun]
) -> None:
    stages = runs[client.name].stages
    for number, stage in enumerate(stages):
        for case in stage.cases[0]:
            is_error, text = stage.reported[0]["calls"][case.name]
            for wrong in ([not is_error, text], [is_error, "something else"], None):
                reported: list[dict[str, Any]] = deepcopy(list(stage.reported))
                if wrong is None:
                    del reported[0]["calls"][case.name]
                else:
                    reported[0]["calls"][case.name] = wrong
                changed = [*stages[:number], replace(stage, reported=tuple(reported)), *stages[number + 1 :]]
                assert case.part in {wire_error.part for wire_error in errors_of(changed, company)}, (case.name, wrong)


def test_missing_tools_or_callers_do_not_pass(company: Company, runs: dict[str, OpenSearchRun]) -> None:
    [stage, *_] = runs[OFTEN[0].name].stages
    reported = deepcopy(stage.reported)
    reported[0]["tools"].pop()
    for wrong in (reported, stage.reported[:1]):
        assert [wire_error.part for wire_error in errors_of([replace(stage, reported=wrong)], company)] == ["tools"]


def test_what_the_script_of_the_page_prints_is_the_tools_and_a_row_of_the_index() -> None:
    fine = "ListIndexTool\nresult:  CallToolResult(text='…\\n1,green,open,default,…\\n')"
    assert not list(errors_of_page({"printed": fine}, ["ListIndexTool"]))
    for wrong in ("", "result: ", fine.replace("default", "board"), fine.replace("List", "Search")):
        assert [wire_error.part for wire_error in errors_of_page({"printed": wrong}, ["ListIndexTool"])] == ["list"]


def test_the_judge_rejects_another_path_or_credential_and_an_effective_identity_header() -> None:
    client = OFTEN[0]
    basic = {"authorization": "Basic a"}
    counted = Exchange("GET", {**basic, "content-length": "2"}, {}, 200, b"{}", "/opensearch/default/_count")
    refused = Exchange("GET", {**basic, "x-user-id": "a"}, {}, 403, b"{}", "/opensearch/default/_count")
    assert not list(errors_of_engine_wire(client, [counted, refused]))
    for part, wrong in (
        ("wire", replace(counted, path="/default/_count")),
        ("wire", replace(counted, status=503)),
        ("wire", replace(counted, headers={"authorization": "Bearer a"})),
        ("headers", replace(refused, status=200)),
    ):
        assert [wire_error.part for wire_error in errors_of_engine_wire(client, [counted, refused, wrong])] == [part]
    assert [wire_error.part for wire_error in errors_of_engine_wire(client, [])] == ["headers", "wire"]


def test_another_handshake_or_status_of_messages_does_not_pass() -> None:
    path = "/_plugins/_ml/mcp"
    server = json.dumps({"result": {"serverInfo": {"name": "OpenSearch-MCP-Stateless-Server"}}}).encode()
    requested = Exchange("POST", {}, {"id": 0, "method": "server/discover"}, 200, b"{}", path)
    has_started = Exchange("POST", {}, {"id": 1, "method": "initialize"}, 200, server, path)
    noted = Exchange("POST", {}, {"method": "notifications/initialized"}, 202, b"", path)
    fine = [requested, has_started, noted]
    assert not list(errors_of_plugin_wire(fine))
    for wrong in (
        [],
        [has_started, noted],
        [requested, replace(has_started, answer=server.replace(b"OpenSearch", b"Another")), noted],
        [*fine, replace(noted, status=200)],
        [*fine, replace(requested, status=500)],
        [*fine, replace(requested, verb="GET")],
        [*fine, replace(requested, path="/mcp")],
    ):
        assert [wire_error.part for wire_error in errors_of_plugin_wire(wrong)] == ["wire"]


def test_a_client_that_cannot_be_installed_is_named_with_the_reason(
    company: Company, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> Path:
        raise Absent(f"the MCP client {name}: no wheel")

    def opened(_folder: Path) -> AbstractContextManager[Company]:
        return nullcontext(company)

    monkeypatch.setattr(runs_module, "open_company", opened)
    monkeypatch.setattr(runs_module, "environment", absent)
    came = dict(zip(OPENSEARCH_CLIENTS, run_clients(OPENSEARCH_CLIENTS, tmp_path), strict=True))
    assert came == {client: f"the MCP client {client.environment}: no wheel" for client in OPENSEARCH_CLIENTS}
    table = table_of_opensearch(dict(came))
    assert list(table.columns[2].cells) == ["not available"] * len(OPENSEARCH_CLIENTS)


def test_the_specification_has_the_four_operations_in_two_files() -> None:
    with served_specification() as address:
        files = [json.load(urlopen(f"{address}/{name}")) for name in ("cluster.yaml", "_core.yaml")]
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}/tasks.yaml")
    groups = [{paths["get"]["x-operation-group"] for paths in file["paths"].values()} for file in files]
    assert groups == [{"cluster.health"}, {"count", "msearch", "explain"}]


def test_the_catalogue_has_both_transports_and_credentials_and_every_script_is_used() -> None:
    engine = [client for client in OPENSEARCH_CLIENTS if client.package == ENGINE_CLIENT]
    assert {client.mode for client in engine} == {"", "Bearer", "Basic"}
    assert {version_of(client.environment, client.package) for client in engine} == {"0.12.0"}
    assert {part for client in OPENSEARCH_CLIENTS for part in client.parts} == {*PARTS}
    assert all(client.lacks < {*PARTS} for client in OPENSEARCH_CLIENTS)
    started = {file.name for file in SCRIPTS.glob("*.py") if "__main__" in file.read_text(encoding="utf-8")}
    assert started == {"launcher.py", *(client.script for client in OPENSEARCH_CLIENTS)}
    assert len({client.environment for client in OFTEN}) == 2


def test_every_client_has_its_row_on_the_page_with_its_version() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Tested clients\n")[2].partition("\n## ")[0]
    reported = [row for row in rows(section) if len(row) == 3]
    assert reported == [["client", "package", "version"]] + [
        [
            client.title + (" *" if client.often else ""),
            f"`{client.package}`",
            version_of(client.environment, client.package),
        ]
        for client in OPENSEARCH_CLIENTS
    ]
