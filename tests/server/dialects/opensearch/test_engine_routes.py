"""REST routes of the engine: each route with its answer, and each refusal with its reason."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.services.documents.links.source_links import SourceLinks
from tests.server.dialects.opensearch.node import JSON, Node, refusal
from tests.support.isolation.policies import NO_READERS
from tests.support.worlds.world import Answer

NOT_FOUND = (404, "index_not_found_exception")
REFUSED = (403, "security_exception")


def got(node: Node, path: str, body: object = None, user: str = "ana") -> Any:
    answer = node.send("GET" if body is None else "POST", f"/opensearch{path}", body, user=user)
    assert answer.status == 200, answer.payload
    return answer.payload


def text(answer: Answer) -> str:
    return answer.response.body.decode()


def header(answer: Answer, name: str) -> str:
    return dict(answer.response.headers)[name]


def names_of(hits: Mapping[str, Any]) -> list[str]:
    return [hit["_source"]["source_file_name"] for hit in hits["hits"]["hits"]]


@pytest.mark.parametrize("path", ["/opensearch", "/opensearch/"])
def test_the_root_is_printed_for_people_and_reports_a_version_that_clients_know(node: Node, path: str) -> None:
    answer = node.send("GET", path)
    assert text(answer).startswith('{\n  "name" : "groundwire",\n')
    assert answer.payload["version"]["number"] == "3.5.0"
    assert header(answer, "x-opensearch-version") == "OpenSearch/3.5.0 (opensearch)"
    assert text(node.send("GET", f"{path}?pretty=false")).startswith('{"name":"groundwire"')
    head = node.send("HEAD", path)
    assert (head.status, text(head)) == (200, "")


def test_indexes_are_a_table_of_texts_or_padded_lines(node: Node) -> None:
    rows = got(node, "/_cat/indices?format=json")
    assert [row["index"] for row in rows] == ["handbook", "kitchen"]
    assert [row["docs.count"] for row in rows] == ["3", "1"]
    assert all(value is None or isinstance(value, str) for row in rows for value in row.values())
    assert got(node, "/_cat/indices/k*?format=json") == rows[1:]
    assert got(node, "/_cat/indices/nosuch*?format=json") == []
    table = text(node.send("GET", "/opensearch/_cat/indices?v&h=index,docs.count"))
    assert table == "index    docs.count\nhandbook          3\nkitchen           1\n"
    accepted = node.send("GET", "/opensearch/_cat/indices", headers={"accept": "application/json"})
    assert accepted.payload == rows


def test_a_hit_has_an_address_that_opens_its_document_while_its_reader_may(node: Node) -> None:
    by_text = got(node, "/handbook/_search", {"query": {"match": {"content": "Bread is baked"}}, "size": 1})
    everything = got(node, "/handbook/_search", {"query": {"term": {"source_file_name": "bread.txt"}}})
    [url] = {hit["_source"]["url"] for answer in (by_text, everything) for hit in answer["hits"]["hits"]}
    opened = node.world.open(url)
    assert (opened.status, opened.response.body) == (200, b"Bread is baked in the morning.")
    node.world.services.administration.document_admin.override_policy(node.tenant, "bread", NO_READERS)
    assert node.world.open(url).status == 404


@pytest.mark.parametrize("chosen", [False, ["title"], {"excludes": ["url"]}])
def test_a_search_that_shows_no_address_makes_no_link(
    node: Node, monkeypatch: pytest.MonkeyPatch, chosen: object
) -> None:
    made: list[Document] = []

    def counted(_links: SourceLinks, document: Document, _caller: Caller) -> str:
        made.append(document)
        return "https://kb.example/"

    monkeypatch.setattr(SourceLinks, "url_for", counted)
    found = got(node, "/handbook/_search", {"query": {"match_all": {}}, "_source": chosen})
    assert len(found["hits"]["hits"]) == 3
    assert made == []


def test_shards_are_an_empty_table_of_an_index_that_exists(node: Node) -> None:
    assert got(node, "/_cat/shards/handbook?format=json") == []
    assert text(node.send("GET", "/opensearch/_cat/shards/handbook")) == ""
    assert node.send("GET", "/opensearch/_cat/shards/closed?format=json").status == 404


def test_an_index_shows_the_fields_that_the_user_may_read(node: Node) -> None:
    described = got(node, "/handbook")
    assert described.keys() == {"handbook"}
    assert described["handbook"].keys() == {"aliases", "mappings", "settings"}
    assert described["handbook"]["settings"]["index"]["provided_name"] == "handbook"
    assert got(node, "/handbook/_mapping") == {"handbook": {"mappings": described["handbook"]["mappings"]}}
    assert got(node, "/_mapping").keys() == {"handbook", "kitchen"}
    assert got(node, "/handbook,kitchen/_mappings").keys() == {"handbook", "kitchen"}
    assert got(node, "/nosuch*") == got(node, "/nosuch*/_mapping") == {}
    properties = described["handbook"]["mappings"]["properties"]
    assert properties["metadata"]["properties"].keys() == {"year"}
    hidden = got(node, "/handbook/_mapping", user="ben")["handbook"]["mappings"]["properties"]["metadata"]
    assert hidden["properties"].keys() == {"hidden", "year"}


def test_names_are_resolved_over_what_exists_for_the_user(node: Node) -> None:
    nothing: Any = {"indices": [], "aliases": [], "data_streams": []}
    assert got(node, "/_resolve/index/closed") == got(node, "/_resolve/index/nosuch") == nothing
    found = got(node, "/_resolve/index/*")
    assert found == {**nothing, "indices": [{"name": name, "attributes": ["open"]} for name in ("handbook", "kitchen")]}
    assert [node.send("HEAD", f"/opensearch/{name}").status for name in ("handbook", "closed")] == [200, 404]


def test_the_health_is_green_and_counts_the_indexes_of_the_user(node: Node) -> None:
    assert (got(node, "/_cluster/health")["status"], got(node, "/_cluster/health")["active_shards"]) == ("green", 2)
    assert got(node, "/_cluster/health", user="ben")["active_shards"] == 3
    assert got(node, "/_cluster/health/kitchen?wait_for_status=green&timeout=5s")["active_primary_shards"] == 1
    missing = node.send("GET", "/opensearch/_cluster/health/closed")
    assert (missing.status, missing.payload["status"], missing.payload["timed_out"]) == (408, "red", True)
    assert missing.payload.keys() == got(node, "/_cluster/health").keys()


def test_a_search_reads_its_body_and_the_parameters_count_before_it(node: Node) -> None:
    body = {"query": {"term": {"metadata.year": 2024}}, "size": 1}
    found = got(node, "/handbook/_search", body)
    assert found["hits"]["total"] == {"value": 2, "relation": "eq"}
    assert (len(found["hits"]["hits"]), found["hits"]["max_score"]) == (1, 1.0)
    assert len(got(node, "/handbook/_search?size=5", body)["hits"]["hits"]) == 2
    assert got(node, "/_search?size=0")["hits"] == {
        "total": {"value": 4, "relation": "eq"},
        "max_score": None,
        "hits": [],
    }
    assert got(node, "/_search?size=0&track_total_hits=false")["hits"] == {"max_score": None, "hits": []}
    by_year = got(node, "/handbook/_search?sort=metadata.year:asc,source_file_name&_source_includes=source_file_name")
    assert names_of(by_year) == ["bread.txt", "pump.txt", "pump.txt"]
    assert all(hit["_source"].keys() == {"source_file_name"} for hit in by_year["hits"]["hits"])
    assert got(node, "/nosuch,handbook/_search?ignore_unavailable=true")["hits"]["total"]["value"] == 3
    assert got(node, "/nosuch*/_search")["hits"]["max_score"] == 0.0


def test_a_get_with_a_body_is_a_search_and_one_whose_body_was_lost_is_an_error(node: Node) -> None:
    body = json.dumps({"query": {"term": {"metadata.year": 2023}}}).encode()
    assert node.send("GET", "/opensearch/handbook/_count", body).payload["count"] == 1
    lost = node.send("GET", "/opensearch/handbook/_count", headers={**JSON, "content-length": str(len(body))})
    assert refusal(lost)[:2] == (400, "illegal_argument_exception")
    assert "lost in transit" in refusal(lost)[2]


def test_a_count_is_of_what_the_user_may_read(node: Node) -> None:
    assert got(node, "/handbook/_count")["count"] == 3
    assert got(node, "/handbook/_count", user="ben")["count"] == 4
    assert got(node, "/_count", {"query": {"exists": {"field": "metadata.year"}}})["count"] == 3
    assert got(node, "/nosuch*/_count") == {
        "count": 0,
        "_shards": {"total": 0, "successful": 0, "skipped": 0, "failed": 0},
    }


def test_typed_keys_name_the_type_of_the_keys(node: Node) -> None:
    body = {"size": 0, "aggs": {"y": {"terms": {"field": "metadata.year"}}, "f": {"terms": {"field": "language"}}}}
    found = got(node, "/handbook/_search?typed_keys", body)["aggregations"]
    assert found.keys() == {"dterms#y", "sterms#f"}
    assert found["dterms#y"]["buckets"] == [{"key": 2024, "doc_count": 2}, {"key": 2023, "doc_count": 1}]


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def several(node: Node, path: str, *values: object) -> list[dict[str, Any]]:
    answer = node.send("GET", f"/opensearch{path}/_msearch", lines(*values))
    assert answer.status == 200, answer.payload
    assert answer.payload.keys() == {"took", "responses"}
    return answer.payload["responses"]


def test_several_searches_have_their_errors_in_their_places(node: Node) -> None:
    first, missing, unsorted, all_of_path = several(
        node,
        "/handbook",
        {"index": "kitchen"},
        {"size": 1},
        {"index": ["closed"]},
        {},
        {},
        {"sort": "metadata.nosuch"},
        {"preference": "x"},
        {"query": {"match_all": {}}},
    )
    assert (first["status"], first["hits"]["total"]["value"]) == (200, 1)
    assert (missing["status"], missing["error"]["type"], missing["error"]["index"]) == (404, NOT_FOUND[1], "closed")
    assert (unsorted["status"], unsorted["error"]["reason"]) == (400, "all shards failed")
    assert unsorted["error"]["root_cause"][0]["type"] == "query_shard_exception"
    assert (all_of_path["status"], all_of_path["hits"]["total"]["value"]) == (200, 3)


def test_several_searches_are_one_audit_record_with_all_documents(node: Node) -> None:
    several(node, "", {"index": "kitchen"}, {}, {"index": "handbook"}, {"query": {"term": {"metadata.year": 2023}}})
    log = node.world.services.settings.home / "audit.jsonl"
    record = json.loads(log.read_text().splitlines()[-1])
    assert record["segments"] == 2
    assert len(record["documents"]) == 2


SEVERAL_WRONG: Mapping[str, tuple[bytes, str]] = {
    "empty": (b"", "request body or source parameter is required"),
    "no line end": (b'{}\n{"size":0}', "must be terminated by a newline"),
    "header alone": (b"{}\n", "no requests added"),
    "odd": (b"{}\n{}\n{}\n", "a header without a search"),
    "too many": (b"{}\n{}\n" * 11, "more than 10 searches"),
    "header": (lines({"foo": 1}, {}), "key [foo] is not supported in the metadata section"),
    "query": (lines({}, {"query": {"nosuch": {}}}), "unknown query [nosuch]"),
    "no json": (b"{}\n{\n", "Cannot parse"),
    "array": (b"{}\n[]\n", "Expected [START_OBJECT]"),
}


@pytest.mark.parametrize("case", SEVERAL_WRONG)
def test_an_error_of_reading_fails_all_searches(node: Node, case: str) -> None:
    body, words = SEVERAL_WRONG[case]
    answer = node.send("POST", "/opensearch/handbook/_msearch", body)
    assert refusal(answer)[0] == 400
    assert words in refusal(answer)[2]


@pytest.mark.parametrize("name", ["closed", "nosuch", ".opensearch", "Hand Book", "handbook,closed"])
@pytest.mark.parametrize("path", ["", "/_mapping", "/_search", "/_count"])
def test_a_hidden_and_an_unknown_index_get_the_same_answer(node: Node, name: str, path: str) -> None:
    answer = node.send("GET", f"/opensearch/{name.replace(' ', '%20')}{path}")
    missing = name.rpartition(",")[2]
    assert answer.status == 404
    assert answer.payload["error"] == {
        "root_cause": [
            {
                "type": NOT_FOUND[1],
                "reason": f"no such index [{missing}]",
                "index": missing,
                "resource.id": missing,
                "resource.type": "index_or_alias",
                "index_uuid": "_na_",
            }
        ],
        **answer.payload["error"]["root_cause"][0],
    }


CHANGES = [
    ("PUT", "/handbook"),
    ("DELETE", "/handbook"),
    ("POST", "/handbook"),
    ("PUT", "/handbook/_doc/1"),
    ("POST", "/handbook/_doc"),
    ("POST", "/_bulk"),
    ("POST", "/handbook/_delete_by_query"),
    ("POST", "/handbook/_mapping"),
    ("PUT", "/closed/_mapping"),
    ("POST", "/_aliases"),
    ("POST", "/_sql"),
    ("DELETE", "/_search/scroll"),
    ("PATCH", "/handbook"),
]


@pytest.mark.parametrize(("method", "path"), CHANGES)
def test_what_changes_something_is_refused_with_the_reason(node: Node, method: str, path: str) -> None:
    status, type_, reason = refusal(node.send(method, f"/opensearch{path}", {}))
    assert (status, type_) == REFUSED
    assert reason == (f"no permissions for [{method} {path}]: these routes only read; add documents by ingestion")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_explanations_are_refused_with_the_reason(node: Node, method: str) -> None:
    status, type_, reason = refusal(node.send(method, "/opensearch/handbook/_explain/x", {"query": {"match_all": {}}}))
    assert (status, type_) == REFUSED
    assert "hits have their relevance in _score" in reason


@pytest.mark.parametrize("path", ["/_nodes/stats", "/_alias", "/_field_caps", "/_settings"])
def test_a_route_of_the_engine_that_is_not_served_is_named(node: Node, path: str) -> None:
    status, _, reason = refusal(node.send("GET", f"/opensearch{path}"))
    assert (status, reason.startswith(f"[GET {path}] is not supported here: these exist: _search,")) == (400, True)


@pytest.mark.parametrize("path", ["/_cat/nodes", "/handbook/_settings", "/handbook/_doc/1", "/a/b/c"])
def test_an_unknown_path_has_no_handler(node: Node, path: str) -> None:
    answer = node.send("GET", f"/opensearch{path}")
    assert (answer.status, answer.payload) == (400, {"error": f"no handler found for uri [{path}] and method [GET]"})


def test_a_name_with_an_underscore_is_no_index(node: Node) -> None:
    found = refusal(node.send("GET", "/opensearch/_nosuch"))
    assert found == (400, "invalid_index_name_exception", "Invalid index name [_nosuch], must not start with '_'.")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/_cat/indices", "GET"),
        ("PUT", "/handbook/_search", "GET,POST"),
        ("DELETE", "/_msearch", "GET,POST"),
        ("POST", "/_cluster/health", "GET"),
        ("POST", "/", "GET,HEAD"),
    ],
)
def test_a_method_that_reads_another_place_is_named_with_those_of_the_route(
    node: Node, method: str, path: str, allowed: str
) -> None:
    answer = node.send(method, f"/opensearch{path}", {})
    assert (answer.status, header(answer, "allow")) == (405, allowed)
    assert answer.payload["error"].startswith(f"Incorrect HTTP method for uri [{path}] and method [{method}]")


WRONG_PARAMETERS = [
    ("/handbook/_search?foo=1", "request [/handbook/_search] contains unrecognized parameter: [foo]"),
    ("/_cat/indices?foo=1", "request [/_cat/indices] contains unrecognized parameter: [foo]"),
    ("/handbook/_search?q=pump", "[q] is not supported here: send the query as a body"),
    ("/handbook/_search?terminate_after=5", "[terminate_after] is not supported here"),
    ("/handbook/_search?scroll=1m", "[scroll] is not supported here"),
    ("/handbook/_count?q=pump", "[q] is not supported here"),
    ("/handbook/_search?size=x", "Failed to parse int parameter [size] with value [x]"),
    ("/handbook/_search?size=-1", "[size] parameter cannot be negative, found [-1]"),
    ("/handbook/_search?size=" + "9" * 5000, "Failed to parse int parameter [size]"),
    ("/handbook/_search?typed_keys=maybe", "Failed to parse value [maybe] as only [true] or [false] are allowed."),
    ("/handbook/_search?allow_no_indices=false", "[allow_no_indices=false] is not supported here"),
    ("/handbook?expand_wildcards=closed", "[expand_wildcards] is not supported here"),
    ("/_cat/indices?format=yaml", "[format] is not supported here"),
    ("/handbook/_search?format=yaml", "[format] is not supported here"),
    ("/handbook/_search?filter_path=hits", "request [/handbook/_search] contains unrecognized parameter"),
    ("/_cat/indices?s=index", "[s] is not supported here"),
    ("/,/_search", "the path names no index"),
]


@pytest.mark.parametrize(("path", "words"), WRONG_PARAMETERS)
def test_a_parameter_that_is_wrong_or_not_served_is_named(node: Node, path: str, words: str) -> None:
    status, type_, reason = refusal(node.send("GET", f"/opensearch{path}"))
    assert (status, type_) == (400, "illegal_argument_exception")
    assert reason.startswith(words)


def test_an_error_of_shards_names_its_cause_as_the_engine_does(node: Node) -> None:
    answer = node.send("POST", "/opensearch/handbook/_search", {"sort": "metadata.nosuch"})
    error = answer.payload["error"]
    [cause] = error["root_cause"]
    assert (answer.status, error["type"], error["reason"]) == (
        400,
        "search_phase_execution_exception",
        "all shards failed",
    )
    assert cause["reason"] == "No mapping found for [metadata.nosuch] in order to sort on"
    assert error["caused_by"] == cause == error["failed_shards"][0]["reason"]


def test_a_body_of_another_type_is_refused(node: Node) -> None:
    answer = node.send("POST", "/opensearch/handbook/_search", b"a: 1", {"content-type": "text/plain"})
    assert (answer.status, answer.payload) == (
        406,
        {"error": "Content-Type header [text/plain] is not supported", "status": 406},
    )


def test_pretty_prints_an_answer_for_people(node: Node) -> None:
    assert text(node.send("GET", "/opensearch/handbook/_count?pretty")).startswith('{\n  "count" : 3,\n')
