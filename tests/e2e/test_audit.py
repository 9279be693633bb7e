"""One audit line for every call, whatever became of it, and never a key, a phrase or a document's text."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.e2e.company import PUBLIC, Company
from tests.support.clients.agent import Agent, agent, tool_call

CANARY = "periwinkle-canary-4711"
Call = Callable[[Company, Agent], httpx.Response]


def lines(company: Company) -> list[dict[str, Any]]:
    return [json.loads(line) for line in company.server.audit.read_text().splitlines()]


def message(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def _open(company: Company, asker: Agent) -> httpx.Response:
    return asker.http.get(str(asker.search("pump")[0]["source_url"]))


CALLS: dict[str, tuple[Call, int]] = {
    "search": (lambda _, asker: asker.tool("rag_search", search_phrases=["pump"]), 200),
    "verification": (lambda _, asker: asker.tool("verify_document_access", segment_uid="no.such"), 200),
    "initialize": (lambda _, asker: asker.post(message("initialize", protocolVersion="2025-11-25")), 200),
    "list of tools": (lambda _, asker: asker.post(message("tools/list")), 200),
    "notification": (lambda _, asker: asker.post({"jsonrpc": "2.0", "method": "notifications/initialized"}), 202),
    "unknown method": (lambda _, asker: asker.post(message("no/such")), 200),
    "unknown tool": (lambda _, asker: asker.tool("no_such"), 200),
    "wrong arguments": (lambda _, asker: asker.tool("rag_search"), 200),
    "batch": (lambda _, asker: asker.post([message("ping"), message("ping")]), 200),
    "no key": (lambda _, asker: Agent(asker.http, {}).post(message("ping")), 401),
    "bad key": (lambda _, asker: agent(asker.http, "gw_local_x").post(message("ping")), 401),
    "two keys": (lambda _, asker: asker.post(message("ping"), {"x-api-key": "gw_local_x"}), 400),
    "bad tags": (lambda _, asker: asker.post(message("ping"), {"x-session-tags": "no array"}), 400),
    "missing scope": (
        lambda company, asker: agent(asker.http, company.key("--scope", "search")).tool("verify_document_access"),
        403,
    ),
    "GET": (lambda _, asker: asker.http.get("/mcp", headers=dict(asker.headers)), 405),
    "DELETE": (lambda _, asker: asker.http.delete("/mcp", headers=dict(asker.headers)), 405),
    "not JSON": (lambda _, asker: asker.post(b"{"), 400),
    "too large": (lambda _, asker: asker.post(b'"' + b"x" * 2_000_000 + b'"'), 413),
    "wrong content type": (lambda _, asker: asker.post(message("ping"), {"content-type": "text/plain"}), 415),
    "foreign origin": (lambda _, asker: asker.post(message("ping"), {"origin": "https://evil.example"}), 403),
    "bad link": (lambda _, asker: asker.http.get("/open/nonsense"), 404),
}


@pytest.mark.parametrize(("call", "status"), CALLS.values(), ids=CALLS)
def test_every_call_leaves_exactly_one_line_with_its_status(company: Company, call: Call, status: int) -> None:
    response, before = None, 0

    def counted(request: httpx.Request) -> None:
        # What a case prepares beside the server is recorded as well: count from the moment of sending.
        nonlocal before
        before = len(lines(company))

    client = httpx.Client(base_url=company.server.url, timeout=60, event_hooks={"request": [counted]})
    with client:
        response = call(company, Agent(client, company.agent.headers))
    [line] = lines(company)[before:]
    assert response.status_code == line["status"] == status
    assert line["bytes"] == len(response.content)
    assert line["duration_ms"] > 0
    assert line["request_id"]
    assert line["time"] > 1_700_000_000


def test_a_link_that_is_refused_is_recorded_with_its_person_and_document(company: Company) -> None:
    company.ingest("pump.md", "# Pump\n\nThe blue pump.\n", PUBLIC, doc_id="pump")
    asker = company.agent.speaking_for("maria")
    link = str(asker.search("pump")[0]["source_url"])
    company.run("documents", "set-policy", "pump", "--nobody")
    assert asker.http.get(link).status_code == 404
    line = lines(company)[-1]
    assert (line["tenant"], line["user"], line["documents"]) == (company.tenant, "maria", ["pump"])
    assert (line["outcome"], line["status"]) == ("refused", 404)


def test_a_link_that_opens_is_recorded_with_its_document(company: Company) -> None:
    company.ingest("pump.md", "# Pump\n\nThe blue pump.\n", PUBLIC, doc_id="pump")
    assert _open(company, company.agent.speaking_for("maria")).status_code == 200
    line = lines(company)[-1]
    assert (line["tenant"], line["user"], line["documents"]) == (company.tenant, "maria", ["pump@1"])
    assert (line["outcome"], line["status"]) == ("opened", 200)


def test_a_search_is_recorded_with_its_caller_and_its_answer(company: Company) -> None:
    company.ingest("pump.md", "# Pump\n\nThe blue pump.\n", PUBLIC, doc_id="pump")
    asker = company.agent.speaking_for("maria", ["a", "b"])
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    call = tool_call("rag_search", search_phrases=["pump", "pumps"])
    call["params"]["_meta"] = {"traceparent": trace}
    assert asker.post(call, {"x-human-uid": "human_1", "x-app-uid": "app_1"}).status_code == 200
    line = lines(company)[-1]
    assert line["tenant"] == company.tenant
    assert line["user"] == "maria"
    assert line["kid"] == company.agent.headers["authorization"].split("_")[2]
    assert (line["tool"], line["outcome"], line["decision"]) == ("rag_search", "answered", "admitted")
    assert (line["documents"], line["segments"], line["phrases"]) == (["pump@1"], 1, 2)
    assert (line["x-human-uid"], line["x-app-uid"], line["trace"]) == ("human_1", "app_1", trace)
    assert '"a"' not in json.dumps(line)


def test_a_refusal_is_recorded_with_its_reason_and_nothing_was_searched(company: Company) -> None:
    company.agent.tool("rag_search", search_phrases=["pump"])
    company.agent.post(tool_call("rag_search", search_phrases=["pump"]), {"x-session-tags": '["sys:x", 1]'})
    searched, refused = lines(company)[-2:]
    assert searched["segments"] == 0
    assert (refused["decision"], refused["reason"]) == ("bad_identity_header", "malformed_tags")
    assert refused["tenant"] == company.tenant
    assert not {"segments", "documents", "phrases"} & set(refused)


def test_neither_log_nor_screen_ever_holds_a_key_a_phrase_or_a_documents_text(company: Company) -> None:
    company.ingest("pump.md", f"# {CANARY} heading\n\nThe text of {CANARY}.\n", PUBLIC)
    other = company.key()
    secret = company.agent.headers["authorization"].removeprefix("Bearer ")
    [segment] = company.agent.search(f"{CANARY} phrase")
    company.agent.verify(segment["segment_uid"])
    company.agent.http.get(segment["source_url"])
    company.agent.tool("rag_search", search_phrases=[CANARY] * 6)
    company.agent.tool(CANARY)
    company.agent.post(f'{{"{CANARY}'.encode())
    call = tool_call("rag_search", search_phrases=[CANARY])
    agent(company.agent.http, secret[:-1]).post(call)
    agent(company.agent.http, secret[:-1] + ("a" if secret[-1] != "a" else "b")).post(call)
    company.agent.post(call, {"x-api-key": other})
    written = company.server.audit.read_text() + company.server.output.removeprefix(company.server.printed)
    for held in (CANARY, secret, secret.rsplit("_", 1)[1][:20], other.rsplit("_", 1)[1][:20]):
        assert held not in written
    assert urlsplit(segment["source_url"]).path.rsplit("/", 1)[1] not in written


def test_the_log_that_a_working_server_writes_is_whole(company: Company) -> None:
    company.agent.search("pump")
    assert company.server.command.json("audit", "verify")["intact"] is True
