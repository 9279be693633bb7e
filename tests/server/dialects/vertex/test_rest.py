"""REST routes: every form in which clients write them, Google's errors, and the REST API beside them."""

import json
from typing import Any

import pytest

from groundwire.dialects.declaration.routes import ErrorReply
from groundwire.dialects.vertex.errors import refused_response
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import DEFAULT_ANSWER_TOKENS, MAX_ANSWER_TOKENS, MIN_ANSWER_TOKENS
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.services.search import search
from groundwire_mcp.limits import MAX_BODY_BYTES
from tests.server.dialects.vertex.company import BETA, HANDBOOK, PARENT, RETRIEVE, Company, request, texts, violations
from tests.support.isolation.policies import NO_READERS
from tests.support.worlds.tenant_caller import JSON
from tests.support.worlds.world import caller


@pytest.mark.parametrize(
    "path",
    [
        RETRIEVE,
        f"/v1beta1/{PARENT}:retrieveContexts",
        f"/v1/{PARENT}/:retrieveContexts",
        BETA,
        f"/v1/{PARENT}%3AretrieveContexts",
        f"/v1beta1/{PARENT}/%3AretrieveContexts",
        "/v1beta1/:retrieveContexts",
        "/v1/projects/another-project/locations/us-central1:retrieveContexts",
        f"{RETRIEVE}?%24alt=json%3Benum-encoding%3Dint",
        f"{RETRIEVE}?$alt=json%3Benum-encoding=int",
        f"{RETRIEVE}?",
    ],
)
def test_each_form_of_the_route_gives_the_same_contexts(company: Company, path: str) -> None:
    expected = {"The wheel pump needs oil.", "The wheel pump stands in the cellar.", "A wheel has spokes."}
    assert set(texts(company.retrieve(request(), path))[:3]) == expected


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", f"/v1/{PARENT}:RetrieveContexts"),
        ("POST", f"/V1/{PARENT}:retrieveContexts"),
        ("POST", f"/v1/{PARENT}:somethingElse"),
        ("POST", f"/v1/{PARENT}/x:retrieveContexts"),
        ("POST", "/v1/projects/p1/locations//:retrieveContexts"),
        ("GET", RETRIEVE),
        ("PUT", RETRIEVE),
        ("POST", "/v1beta1/keys"),
        ("GET", "/v1/projects/p1"),
    ],
)
def test_other_paths_are_not_found_in_the_form_of_their_interface(company: Company, method: str, path: str) -> None:
    answer = company.world.request(method, path, company.headers, json.dumps(request()).encode())
    assert answer.status == 404
    if not path.startswith("/V1"):
        assert answer.payload["error"]["status"] == "NOT_FOUND"


@pytest.mark.parametrize("method", ["augmentPrompt", "corroborateContent", "askContexts", "asyncRetrieveContexts"])
@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_sibling_methods_are_unimplemented(company: Company, version: str, method: str) -> None:
    for colon in (":", "/:"):
        error = company.refusal({}, f"/{version}/{PARENT}{colon}{method}")
        assert (error["code"], error["status"]) == (501, "UNIMPLEMENTED")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "ragCorpora"),
        ("PATCH", "ragCorpora/handbook"),
        ("DELETE", "ragCorpora/handbook"),
        ("DELETE", "ragCorpora/nowhere"),
        ("DELETE", "ragCorpora/handbook/ragFiles/pump"),
        ("POST", "ragCorpora/handbook/ragFiles:import"),
        ("GET", "ragEngineConfig"),
    ],
)
def test_writes_are_unimplemented_and_change_nothing(company: Company, method: str, path: str) -> None:
    answer = company.world.request(method, f"/v1/{PARENT}/{path}", company.headers, b"{}")
    assert (answer.status, answer.payload["error"]["status"]) == (501, "UNIMPLEMENTED")
    assert company.get(f"/v1/{HANDBOOK}/ragFiles/pump").status == 200


def test_the_rest_api_beside_it_keeps_its_own_form(company: Company) -> None:
    for path in ("/v1/nowhere", "/v1/projects", "/v1/project/x"):
        error = company.get(path).payload["error"]
        assert error["code"] == "not_found"
    assert company.get("/v1/nowhere", {}).payload["error"]["code"] == "unauthenticated"
    assert company.get("/v1/status").status in {200, 403}


@pytest.mark.parametrize("path", [RETRIEVE, BETA, f"/v1/{PARENT}/ragCorpora"])
def test_a_call_without_a_valid_key_is_unauthenticated(company: Company, path: str) -> None:
    for headers in ({}, {"authorization": "Bearer gw_local_wrong"}, {"x-goog-api-key": "wrong"}):
        answer = company.post(path, request(), headers)
        assert answer.status == 401
        error = answer.payload["error"]
        assert (error["code"], error["status"]) == (401, "UNAUTHENTICATED")
    secret = company.key.secret.reveal()
    assert company.post(f"{path}?key={secret}", request(), {}).status == 401


def test_a_key_without_the_scope_or_the_dialect_is_denied(company: Company) -> None:
    unscoped = company.world.acting_key(company.tenant, scopes=frozenset({Scope.VERIFY}))
    answer = company.post(RETRIEVE, request(), caller(unscoped, "ana"))
    assert (answer.status, answer.payload["error"]["status"]) == (403, "PERMISSION_DENIED")


def test_both_credential_headers_are_read_and_googles_counts_where_two_are_there(company: Company) -> None:
    secret = company.key.secret.reveal()
    google, bearer = {"x-goog-api-key": secret}, {"authorization": f"Bearer {secret}"}
    for path in (RETRIEVE, BETA):
        for headers in (google, bearer, {**google, "authorization": "Bearer of-google-cloud"}):
            assert company.post(path, request(), {**headers, "x-user-id": "ana"}).status == 200, headers
        wrong = {**bearer, "x-goog-api-key": "wrong", "x-user-id": "ana"}
        assert company.post(path, request(), wrong).status == 401
        twice = {**bearer, "api-key": secret, "x-user-id": "ana"}
        assert company.post(path, request(), twice).status == 400


def test_on_other_paths_two_credentials_are_refused_and_googles_header_is_one(company: Company) -> None:
    secret = company.key.secret.reveal()
    assert company.get("/v1/nowhere", {"x-goog-api-key": secret}).status == 404
    both = {"x-goog-api-key": secret, "authorization": f"Bearer {secret}"}
    for path in ("/v1/nowhere", "/v1/status"):
        assert company.get(path, both).status == 400
    assert company.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, both).status == 400


def test_each_caller_gets_what_it_may_read(company: Company) -> None:
    assert "The wheel pump opens with a code." not in texts(company.retrieve(request()))
    answer = company.post(RETRIEVE, request(), caller(company.key, "ben"))
    assert "The wheel pump opens with a code." in texts(answer.payload["contexts"]["contexts"])


def test_hidden_empty_and_unknown_corpora_get_the_same_answer(company: Company) -> None:
    errors = [
        company.refusal(request(corpus=f"{PARENT}/ragCorpora/{name}"))
        for name in ("closed", "nowhere", "a b", "x" * 99)
    ]
    assert {(each["code"], each["status"]) for each in errors} == {(404, "NOT_FOUND")}
    assert errors[0]["message"].replace("closed", "nowhere") == errors[1]["message"]


def test_a_context_has_its_source_its_chunk_and_its_distance(company: Company) -> None:
    [found] = company.retrieve(request("The wheel pump needs oil.", topK=1))
    assert found == {
        "sourceUri": "https://wiki.example/pump",
        "sourceDisplayName": "pump.txt",
        "text": "The wheel pump needs oil.",
        "chunk": {"text": "The wheel pump needs oil.", "pageSpan": {"firstPage": 1, "lastPage": 1}},
        "score": found["score"],
    }
    assert 0 <= found["score"] < 0.1
    [beta] = company.retrieve(request("The wheel pump needs oil.", topK=1), BETA)
    assert beta["chunk"]["fileId"] == "pump"
    assert beta["chunk"]["chunkId"].startswith("pump.")
    assert {**beta, "chunk": {**beta["chunk"], "fileId": None, "chunkId": None}} == {
        **found,
        "chunk": {**found["chunk"], "fileId": None, "chunkId": None},
    }


def test_a_source_without_an_address_of_its_own_has_one_that_opens_it_while_its_reader_may(company: Company) -> None:
    [wheel] = company.retrieve(request("A wheel has spokes.", topK=1))
    opened = company.world.open(wheel["sourceUri"])
    assert (opened.status, opened.response.body) == (200, b"A wheel has spokes.")
    company.world.services.administration.document_admin.override_policy(company.tenant, "wheel", NO_READERS)
    assert company.world.open(wheel["sourceUri"]).status == 404


def test_scores_are_distances_alone_and_need_not_be_in_the_order_of_the_contexts(company: Company) -> None:
    company.add("zebra", "A zebra drinks water beside many other animals of the wide plains, and a zebra eats grass.")
    company.add("short", "zebra wheel pump")
    for alpha in ({}, {"alpha": 0}, {"alpha": 0.2}):
        scores = [each["score"] for each in company.retrieve(request("needs the zebra stands", hybridSearch=alpha))]
        assert len(scores) > 2
        assert scores != sorted(scores)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b"null", b'{"query":1,"query":2}', b'{"a":"\\ud800"}', b"\xff"]
)
def test_what_is_no_request_is_an_invalid_argument(company: Company, body: bytes) -> None:
    assert company.refusal(body)["status"] == "INVALID_ARGUMENT"


def test_the_reason_why_a_body_is_no_json_keeps_its_letters(company: Company) -> None:
    prefix = "Invalid JSON payload received. The body is not"
    assert company.refusal(b"\xff")["message"] == f"{prefix} UTF-8 (byte 0)."
    assert company.refusal(b"{")["message"].startswith(f"{prefix} JSON: ")


@pytest.mark.parametrize("method", ["PROPFIND", "TRACE", "get"])
def test_a_method_that_no_route_knows_gets_googles_form(company: Company, method: str) -> None:
    for path in (RETRIEVE, BETA, f"/v1/{PARENT}/ragCorpora"):
        answer = company.world.request(method, path, company.headers, b"")
        error = answer.payload["error"]
        assert (answer.status, error["code"]) in {(404, 404), (501, 501)}
        assert error["status"] in {"NOT_FOUND", "UNIMPLEMENTED"}


@pytest.mark.parametrize("place", ["%0A", "p1%0A", "%0D%0A"])
def test_a_path_with_a_line_end_gets_googles_form(company: Company, place: str) -> None:
    for version in ("v1", "v1beta1"):
        path = f"/{version}/projects/{place}/locations/eu:retrieveContexts"
        for headers in (company.headers, {**JSON}):
            answer = company.post(path, request(), headers)
            assert set(answer.payload) == {"error"}
            assert answer.payload["error"]["code"] == answer.status
            assert answer.status == (401 if headers == JSON else 400)


@pytest.mark.parametrize("path", [RETRIEVE, BETA])
def test_a_body_over_the_limit_is_an_invalid_argument_as_google_has_it(company: Company, path: str) -> None:
    error = company.refusal(b" " * MAX_BODY_BYTES + b"{}", path)
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert error["message"] == f"Request payload size exceeds the limit: {MAX_BODY_BYTES} bytes."


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 415, 429, 500, 502, 503])
def test_the_code_of_an_early_refusal_is_its_http_status(status: int) -> None:
    response = refused_response(ErrorReply(status, -32600, "No.", {}))
    error = json.loads(response.body)["error"]
    assert (response.status, error["code"]) == (status, status)


def test_all_errors_are_named_at_once(company: Company) -> None:
    error = company.refusal(
        {
            "foo": 1,
            "query": {"text": "x", "bar": 2, "rag_retrieval_config": {"top_k": "abc"}},
            "vertexRagStore": {"similarityTopK": 3, "ragResources": [{"ragCorpus": HANDBOOK}, {"ragFileIds": [None]}]},
        }
    )
    assert sorted(violations(error)) == [
        "",
        "query",
        "query.rag_retrieval_config.top_k",
        "vertex_rag_store",
        "vertex_rag_store.rag_resources[1].rag_file_ids[0]",
    ]
    lines = error["message"].split("\n")
    assert "Invalid JSON payload received. Unknown name \"bar\" at 'query': Cannot find field." in lines
    assert "Invalid value at 'query.rag_retrieval_config.top_k' (TYPE_INT32), \"abc\"" in lines


def test_an_outage_of_the_embedder_is_unavailable_with_a_time_to_come_back(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise Unavailable("/var/secret", retry_after_s=7)

    monkeypatch.setattr(search, "embed_phrases", fail)
    answer = company.post(RETRIEVE, request())
    assert (answer.status, answer.payload["error"]["status"]) == (503, "UNAVAILABLE")
    assert dict(answer.response.headers)["retry-after"].isdigit()
    assert "secret" not in json.dumps(answer.payload)


def test_a_call_beyond_the_rate_is_exhausted_with_a_time_to_come_back(company: Company) -> None:
    slow = {**JSON, **caller(company.world.slow_key(company.tenant, "default"), "ana")}
    assert company.post(RETRIEVE, request(), slow).status == 200
    answer = company.post(RETRIEVE, request(), slow)
    assert (answer.status, answer.payload["error"]["status"]) == (429, "RESOURCE_EXHAUSTED")
    assert int(dict(answer.response.headers)["retry-after"]) > 0


def test_without_the_dialect_the_paths_have_no_route(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", "default")
    company.world.reopen()
    assert company.post(RETRIEVE, request()).payload["error"]["code"] == "not_found"
    for path in (BETA, "/mcp/generate", "/mcp/retrieval"):
        assert company.post(path, request()).status == 404


def test_an_audit_line_names_the_documents_of_an_answer_and_no_text(company: Company) -> None:
    shown = company.retrieve(request("The wheel pump needs oil.", topK=1))
    [line] = company.world.services.stores.audit.read(1)
    assert (line["segments"], line["documents"]) == (len(shown), ["pump@1"])
    assert line["outcome"] == "answered"
    assert "oil" not in json.dumps(dict(line))


def test_an_answer_holds_at_most_the_tokens_of_its_key(company: Company) -> None:
    for number in range(12):
        company.add(f"long-{number}", f"Wheel pump {number}. " + f"Hall {number} has wheels and pumps. " * 20)

    def answer(max_tokens: int) -> list[dict[str, Any]]:
        key = company.world.acting_key(company.tenant, max_tokens=max_tokens)
        found = company.post(RETRIEVE, request(topK=20), caller(key, "ana"))
        return found.payload["contexts"]["contexts"]

    def without_links(contexts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        # A link carries the key for which it was made.
        return [{name: value for name, value in each.items() if name != "sourceUri"} for each in contexts]

    whole = without_links(answer(MAX_ANSWER_TOKENS))
    assert without_links(answer(DEFAULT_ANSWER_TOKENS)) == whole
    for tokens in (MIN_ANSWER_TOKENS, 1_000, 2_000):
        cut = answer(tokens)
        assert 0 < len(cut) < len(whole)
        assert without_links(cut) == whole[: len(cut)]
        assert estimate_tokens(json.dumps(cut)) <= tokens or len(cut) == 1


def test_a_request_reads_alike_whatever_names_its_project(company: Company) -> None:
    by_number = HANDBOOK.replace("p1", "123456")
    assert company.retrieve(request(corpus=by_number)) == company.retrieve(request())


def test_the_openapi_document_of_the_dialects_has_their_operations_and_no_other(company: Company) -> None:
    document = company.get("/v1/openapi.json?part=dialects").payload
    for version in ("v1", "v1beta1"):
        parent = f"/{version}/projects/{{project}}/locations/{{location}}"
        operation = document["paths"][f"{parent}:retrieveContexts"]["post"]
        assert (operation["tags"], operation["x-scopes"]) == (["vertex"], ["search"])
        assert [each["name"] for each in operation["parameters"]] == ["project", "location"]
        assert set(document["paths"][f"{parent}/ragCorpora/{{corpus}}/ragFiles"]) == {"get"}
    assert "/v1/search" not in document["paths"]
    assert set(company.get("/v1/openapi.json").payload["paths"]) & set(document["paths"]) == set()


def test_the_order_of_contexts_equals_that_of_the_other_dialects(company: Company) -> None:
    for number in range(15):
        company.add(f"more-{number}", f"Wheel {number * 7919} and the pump of hall {number}.")
    company.add("oil", "Oil for every wheel, and for the pump.")
    # Words are weighted by what the key covers, so that it is one key that calls both.
    headers = caller(company.world.acting_key(company.tenant, collections=frozenset({"handbook"})), "ana")
    for text in ("wheel pump", "oil", "hall 7"):
        segments = company.world.search(headers, text).segments
        longest, shorter = (
            texts(company.post(RETRIEVE, request(text, topK=count), headers).payload["contexts"]["contexts"])
            for count in (100, 5)
        )
        assert len(segments) >= 15
        assert longest[: len(segments)] == [each["raw_text"] for each in segments]
        assert shorter == longest[:5]
