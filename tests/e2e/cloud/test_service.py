"""The deployed service end to end: a file in the bucket is found, cited, opened, removed and deleted over HTTP."""

import hashlib
import json
import secrets
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest

from tests.e2e.cloud.company import Company, founded, key
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.artifacts import ROOT
from tests.support.aws.deployment.waiting import until
from tests.support.documents.png_file import page_with_png
from tests.support.entry.command import Command

HANDBOOK: Final = (ROOT / "samples" / "documents" / "company" / "employee-handbook.pdf").read_bytes()
FILE: Final = "handbook/employee-handbook.pdf"
POLICY: Final = "handbook/.policy.yaml"
QUESTION: Final = "How many days of annual leave do I get?"


@pytest.fixture(scope="module")
def acme(deployment: Deployment) -> Generator[Company]:
    """A company whose handbook maria alone may read."""
    company = founded(deployment, "acme")
    company.put(POLICY, b'users: ["maria"]')
    company.put(FILE, HANDBOOK)
    company.reconciled(FILE)
    yield company
    deployment.operate({"action": "tenant.delete", "tenant": company.tenant})


@pytest.fixture(scope="module")
def globex(deployment: Deployment) -> Company:
    """Another company, whose note everybody of it may read."""
    company = founded(deployment, "globex")
    company.put("notes/.policy.yaml", b"public: true")
    company.put("notes/leave.md", b"# Annual leave\n\nAt globex everybody has 99 days of annual leave.\n")
    company.reconciled("notes/leave.md")
    return company


def test_a_pdf_in_the_bucket_is_found_by_whom_its_policy_names_and_by_nobody_else(acme: Company) -> None:
    segments = acme.agent("maria").search(QUESTION)
    assert "27 days" in " ".join(segment["raw_text"] for segment in segments)
    assert {segment["source_file_name"] for segment in segments} == {"employee-handbook.pdf"}
    assert acme.agent("joe").search(QUESTION) == []
    assert acme.agent("joe", "department:board").search(QUESTION) == []


def test_two_companies_never_see_each_other(acme: Company, globex: Company) -> None:
    assert acme.agent("maria").files(QUESTION) == {"employee-handbook.pdf"}
    assert globex.agent("maria").files(QUESTION) == {"leave.md"}
    cited = acme.agent("maria").search(QUESTION)[0]["segment_uid"]
    assert acme.agent("maria").verify(cited)["has_access"] is True
    assert globex.agent("maria").verify(cited)["has_access"] is False
    document = cited.rpartition(".")[0]
    assert acme.rest("GET", f"/documents/{document}").status_code == 200
    assert globex.rest("GET", f"/documents/{document}").status_code == 404


def test_a_citation_opens_the_very_file_for_its_reader(acme: Company) -> None:
    link = acme.agent("maria").search(QUESTION)[0]["source_url"]
    assert urlsplit(link).path.startswith("/o/")
    answer = acme.deployment.http.get(urlsplit(link).path)
    assert answer.status_code in {302, 303, 307}, answer.text
    assert httpx.get(answer.headers["location"]).content == HANDBOOK


def test_the_page_of_a_citation_is_drawn_by_the_parser_function_and_kept(acme: Company) -> None:
    link = urlsplit(acme.agent("maria").search(QUESTION)[0]["source_url"])
    address = f"{link.path}?{link.query}&as=picture"
    first = acme.deployment.http.get(address)
    assert (first.status_code, first.headers["content-type"]) == (200, "image/svg+xml"), first.text
    assert "<rect" in first.text
    names = acme.deployment.account.s3.list_objects_v2(Bucket=acme.deployment.bucket, Prefix=f"tenants/{acme.tenant}/")
    keys = [each.get("Key", "") for each in names.get("Contents", [])]
    assert len([key for key in keys if "/.blobs/_pages" in key]) == 2
    # The file and the picture on their way are deleted at once.
    assert [key for key in keys if "/.blobs/results/" in key] == []
    assert acme.deployment.http.get(address).text == first.text


def test_a_changed_policy_file_and_a_policy_over_rest_are_in_force(acme: Company) -> None:
    cited = acme.agent("maria").search(QUESTION)[0]["segment_uid"]
    acme.put(POLICY, b'any_tags: ["department:board"]')
    until(lambda: acme.agent("joe", "department:board").search(QUESTION), "the board finds the handbook")
    assert acme.agent("maria").search(QUESTION) == []
    assert acme.agent("maria").verify(cited)["has_access"] is False

    document = cited.rpartition(".")[0]
    policy = {"public": False, "users": ["maria"], "any_tags": [], "all_tags": [], "until_next_run": True}
    assert acme.rest("PUT", f"/documents/{document}/policy", policy).is_success
    until(lambda: acme.agent("maria").search(QUESTION), "maria finds the handbook again")
    assert acme.agent("joe", "department:board").search(QUESTION) == []


def test_a_ticket_reports_whether_its_file_has_come_and_what_became_of_it(acme: Company) -> None:
    content = b"# Parking\n\nPark behind the house.\n"
    order = {
        "collection": "visitors",
        "file_name": "parking.md",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        # For somebody who asks nothing else here: without a floor of relevance every readable passage is found.
        "policy": {"public": False, "users": ["lena"], "any_tags": [], "all_tags": []},
    }
    ticket = acme.rest("POST", "/uploads", order).json()["ticket"]

    def state() -> str:
        answer = acme.rest("GET", f"/uploads/{ticket}")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["state"])

    assert state() == "awaiting"
    acme.put(f"visitors/.uploads/{ticket}/file", content)
    assert state() != "awaiting"
    until(lambda: state() == "indexed", "the upload is indexed")


def test_a_deleted_object_is_not_found_and_its_citations_no_longer_open(acme: Company) -> None:
    name = "offices/africa/zanzibar.md"
    acme.put("offices/.policy.yaml", b"public: true")
    acme.put(name, b"# Zanzibar\n\nThe office in Zanzibar opens at nine.\n")
    cited = until(lambda: acme.agent("joe").search("When does the office in Zanzibar open?"), "the note is found")
    acme.remove(name)
    until(lambda: not acme.agent("joe").search("When does the office in Zanzibar open?"), "the note is gone")
    assert acme.agent("joe").verify(cited[0]["segment_uid"])["has_access"] is False


def test_a_picture_comes_with_its_answer_and_is_deleted_with_its_document(acme: Company) -> None:
    acme.put("yards/.policy.yaml", b'users: ["joe"]')
    acme.put("yards/bay.md", page_with_png("Yard", "The loading bay of the warehouse").encode())
    acme.reconciled("yards/bay.md")
    call = {"name": "search_image", "arguments": {"query": "loading bay", "strictness": 0, "include_images": True}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    def pictures(user: str) -> list[dict[str, Any]]:
        answer = acme.deployment.http.post("/edgeai/mcp", json=message, headers=dict(acme.agent(user).headers))
        assert answer.status_code == 200, answer.text
        return [each for each in answer.json()["result"]["content"] if each["type"] == "image"]

    def stored() -> int:
        prefix = acme.object(".blobs/_images")
        return acme.deployment.account.s3.list_objects_v2(Bucket=acme.deployment.bucket, Prefix=prefix)["KeyCount"]

    [found] = until(lambda: pictures("joe"), "the picture is found")
    assert stored() == 2
    assert pictures("maria") == []
    image_id = found["_meta"]["image_id"]
    _, fetched = acme.agent("joe").tool("fetch", id=image_id).json()["result"]["content"]
    assert fetched["data"] == found["data"]
    assert acme.rest("DELETE", f"/documents/{image_id.rpartition('.')[0]}").is_success
    until(lambda: not pictures("joe"), "the picture is gone")
    assert "result" not in acme.agent("joe").tool("fetch", id=image_id).json()
    assert stored() == 0


def test_the_operators_command_makes_a_tenant_and_a_key_that_the_service_admits(
    deployment: Deployment, tmp_path: Path
) -> None:
    groundwire = Command(tmp_path, deployment.account.credentials)
    stack = ("--stack", deployment.stack.name)
    name = f"umbrella-{secrets.token_hex(4)}"
    tenant = groundwire.json(*stack, "tenant", "create", name)["tenant"]
    made = groundwire.json(*stack, "key", "create", "-t", tenant, "--act-as", "--scope", "search", "--max-tag", "*")
    assert deployment.agent(made["key"], "maria").search(QUESTION) == []
    assert name in {row["name"] for row in groundwire.json(*stack, "tenant", "list")}


def test_a_session_begins_and_ends_at_a_path_with_a_slash_at_its_end(acme: Company) -> None:
    agent = acme.agent("maria")
    information = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": information}
    http, sent = acme.deployment.http, {"accept": "application/json, text/event-stream", **agent.headers}
    started = http.post("/mcp/", json=call, headers=sent)
    assert started.status_code == 200, started.text
    session = {**sent, "mcp-session-id": started.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert http.post("/mcp", json=listed, headers=session).status_code == 200
    assert http.delete("/mcp/", headers=session).is_success
    assert http.post("/mcp/", json=listed, headers=session).status_code == 404


@pytest.mark.parametrize("presented", ["Bearer nonsense", "Bearer gw_live_000000000000_" + "0" * 43 + "2ZMPju"])
def test_a_bad_key_gets_the_handlers_401(deployment: Deployment, presented: str) -> None:
    answer = deployment.http.post("/mcp", json={}, headers={"authorization": presented})
    assert answer.status_code == 401
    assert "error" in answer.json()


def test_a_revoked_key_fails_on_its_next_call(acme: Company) -> None:
    text = key(acme.deployment, acme.tenant, {"kind": "act_as", "scopes": ["search", "act_as"], "max_tags": ["*"]})
    agent = acme.deployment.agent(text, "maria")
    assert agent.search(QUESTION)
    (kid,) = [one["kid"] for one in acme.rest("GET", "/keys").json()["keys"] if one["kid"] in text]
    assert acme.rest("DELETE", f"/keys/{kid}").is_success
    assert agent.tool("rag_search", search_phrases=[QUESTION]).status_code == 401


def test_a_key_beyond_its_rate_is_given_a_retry_time(acme: Company) -> None:
    slow = {"kind": "act_as", "scopes": ["verify", "act_as"], "max_tags": ["*"], "rate_per_minute": 1, "burst": 2}
    agent = acme.deployment.agent(key(acme.deployment, acme.tenant, slow), "maria")
    answers = [agent.tool("verify_document_access", segment_uid="doc_0.0") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "path",
    [
        "/v1/projects/p1/locations/eu:retrieveContexts",
        "/v1/projects/p1/locations/eu/:retrieveContexts",
        "/v1beta1/projects/p1/locations/eu/:retrieveContexts?%24alt=json%3Benum-encoding%3Dint",
        "/v1beta1/projects/p1/locations/eu%3AretrieveContexts",
        "/v1beta1/:retrieveContexts",
    ],
)
def test_a_client_of_vertex_gets_contexts_at_each_form_of_its_address(acme: Company, path: str) -> None:
    corpus = "projects/p1/locations/eu/ragCorpora/handbook"
    body = {"query": {"text": QUESTION}, "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]}}
    post = acme.deployment.http.post
    answer = post(path, json=body, headers=dict(acme.agent("maria").headers))
    assert answer.status_code == 200, answer.text
    [first, *_] = answer.json()["contexts"]["contexts"]
    assert first["sourceDisplayName"] == "employee-handbook.pdf"
    assert first["chunk"]["pageSpan"]["firstPage"] >= 1
    refused = post(path, json=body, headers=dict(acme.agent("joe").headers))
    assert (refused.status_code, refused.json()["error"]["status"]) == (404, "NOT_FOUND")
    own = acme.rest("GET", "/nowhere")
    assert (own.status_code, own.json()["error"]["code"]) == (404, "not_found")


def test_a_client_of_vertex_calls_its_tool_with_googles_header(acme: Company) -> None:
    arguments = {"parent": "projects/p1/locations/eu", "query": {"text": QUESTION}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message |= {"params": {"name": "retrieve_contexts", "arguments": arguments}}
    headers = {"x-goog-api-key": acme.key, "authorization": "Bearer of-google", "x-user-id": "maria"}
    for path in ("/mcp/generate", "/mcp/retrieval"):
        answer = acme.deployment.http.post(path, json=message, headers=headers)
        assert answer.status_code == 200, answer.text
        found = answer.json()["result"]["structuredContent"]["contexts"]["contexts"]
        assert "27 days" in " ".join(each["text"] for each in found)


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_a_client_of_opensearch_searches_an_index_by_either_method(acme: Company, method: str) -> None:
    body = {"query": {"match": {"content": QUESTION}}, "size": 3}
    request = acme.deployment.http.request
    headers = dict(acme.agent("maria").headers)
    answer = request(method, "/opensearch/handbook/_search", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    [first, *_] = answer.json()["hits"]["hits"]
    assert first["_source"]["source_file_name"] == "employee-handbook.pdf"
    refused = request(method, "/opensearch/handbook/_search", json=body, headers=dict(acme.agent("joe").headers))
    assert (refused.status_code, refused.json()["error"]["reason"]) == (404, "no such index [handbook]")


def test_the_root_of_opensearch_is_there_with_and_without_a_slash(acme: Company) -> None:
    headers = dict(acme.agent("maria").headers)
    for path in ("/opensearch", "/opensearch/"):
        answer = acme.deployment.http.get(path, headers=headers)
        assert (answer.status_code, answer.json()["version"]["number"]) == (200, "3.5.0"), answer.text
    listed = acme.deployment.http.get("/opensearch/_cat/indices?format=json", headers=headers)
    assert [row["index"] for row in listed.json()] == ["handbook"]
    for path in ("/_plugins/_ml/mcp", "/_plugins/_ml/mcp/"):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        tools = acme.deployment.http.post(path, json=message, headers=headers).json()["result"]["tools"]
        assert [tool["name"] for tool in tools] == ["ListIndexTool"]


def test_a_search_continues_by_lexical_score_alone_while_the_embedding_function_is_down(acme: Company) -> None:
    acme.deployment.embedding.down = True
    try:
        answer = acme.agent("maria").tool("rag_search", search_phrases=[QUESTION])
    finally:
        acme.deployment.embedding.down = False
    assert answer.json()["result"]["segments"], answer.text


def test_only_the_published_embedding_function_is_called(acme: Company) -> None:
    assert acme.agent("maria").search(QUESTION)
    requested = {f"{name}:{qualifier}".rstrip(":") for name, qualifier in acme.deployment.embedding.requested}
    embedding = {name.rpartition(":")[2] for name in requested if "EmbeddingFunction" in name}
    assert embedding == {"live"}, json.dumps(sorted(requested))
