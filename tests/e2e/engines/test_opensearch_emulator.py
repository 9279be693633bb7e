"""The emulator refuses what each service would refuse, in its words, and lets the node do the rest."""

import secrets
from collections.abc import Generator
from typing import Any

import pytest
from botocore.credentials import ReadOnlyCredentials

from tests.support.opensearch import emulator
from tests.support.opensearch.emulator import NEXTGEN_WITHOUT_IDS, NEXTGEN_WITHOUT_IDS_IN_BULKS, OpenSearchEmulator
from tests.support.opensearch.signed_calls import Signing, call

CLASSIC, NEXTGEN, ORDINARY = "serverless-classic", "serverless-nextgen", "opensearch"
SERVERLESS = (CLASSIC, NEXTGEN)

Body = dict[str, Any]


def vector_field(**method: str) -> Body:
    vector = {"type": "knn_vector", "dimension": 2, "method": {"name": "hnsw", **method}}
    fields = {"v": vector, "t": {"type": "keyword"}}
    return {"settings": {"index.knn": True}, "mappings": {"properties": fields}}


def searching(**query: object) -> Body:
    return {"query": query}


INLINE = {"source": "1", "lang": "painless"}

UNKNOWN_CALLS: list[tuple[str, str]] = [
    ("GET", "/"),
    ("HEAD", "/"),
    ("GET", "/_cluster/health"),
    ("PUT", "/_cluster/settings"),
    ("GET", "/_nodes"),
    ("GET", "/_tasks"),
    ("GET", "/_cat/health"),
    ("GET", "/_cat/shards"),
    ("POST", "/_refresh"),
    ("POST", "/i/_refresh"),
    ("POST", "/i/_flush"),
    ("POST", "/i/_forcemerge"),
    ("POST", "/i/_delete_by_query"),
    ("POST", "/i/_update_by_query"),
    ("POST", "/_reindex"),
    ("POST", "/_search/scroll"),
    ("DELETE", "/_search/scroll"),
    ("GET", "/i/_stats"),
    ("POST", "/i/_close"),
    ("POST", "/i/_clone/j"),
    ("PUT", "/_scripts/s"),
    ("PUT", "/_snapshot/s"),
    ("PUT", "/_template/t"),
    ("GET", "/_plugins/_knn/stats"),
    ("GET", "/_plugins/_knn/warmup/i"),
    ("POST", "/_plugins/_security/api/account"),
]
UNKNOWN_TO_CLASSIC: list[tuple[str, str]] = [
    ("PUT", "/i/_doc/1"),
    ("POST", "/i/_doc/1"),
    ("PUT", "/i/_create/1"),
    ("POST", "/i/_create/1"),
    ("POST", "/i/_update/1"),
]


@pytest.fixture(scope="module", params=SERVERLESS)
def serverless(request: pytest.FixtureRequest, opensearch_url: str) -> Generator[OpenSearchEmulator]:
    with emulator.opened(opensearch_url, str(request.param)) as opened:
        yield opened


@pytest.fixture(scope="module")
def classic(opensearch_url: str) -> Generator[OpenSearchEmulator]:
    with emulator.opened(opensearch_url, CLASSIC) as opened:
        yield opened


@pytest.fixture(scope="module")
def nextgen(opensearch_url: str) -> Generator[OpenSearchEmulator]:
    with emulator.opened(opensearch_url, NEXTGEN) as opened:
        yield opened


def made(opened: OpenSearchEmulator, body: Body | None = None) -> str:
    """A new index with one vector field; its node's names are taken by nobody else."""
    index = f"t-{secrets.token_hex(6)}"
    engine = {"engine": "faiss"} if opened.name == CLASSIC else {}
    status, answer = call(opened.url, "PUT", f"/{index}", body or vector_field(**engine))
    assert status == 200, answer
    return index


@pytest.mark.parametrize(("method", "path"), UNKNOWN_CALLS)
def test_serverless_does_not_know(serverless: OpenSearchEmulator, method: str, path: str) -> None:
    assert call(serverless.url, method, path) == (404, None)


@pytest.mark.parametrize(("method", "path"), UNKNOWN_TO_CLASSIC)
def test_classic_writes_nothing_by_id(classic: OpenSearchEmulator, method: str, path: str) -> None:
    assert call(classic.url, method, path, {}) == (404, None)


def test_an_ordinary_cluster_does_all_of_it(opensearch_url: str) -> None:
    with emulator.opened(opensearch_url, ORDINARY) as opened:
        index = made(opened)
        for method, path, body in [
            ("GET", "/", None),
            ("GET", "/_cluster/health", None),
            ("PUT", f"/{index}/_doc/1?refresh=true", {"v": [1, 0]}),
            ("POST", f"/{index}/_refresh", None),
            ("POST", f"/{index}/_delete_by_query", searching(match_all={})),
        ]:
            status, answer = call(opened.url, method, path, body, signing=None)
            assert status < 300, answer
        call(opened.url, "DELETE", f"/{index}")


@pytest.mark.parametrize("body", [vector_field(engine="faiss"), vector_field(engine="lucene")])
def test_nextgen_takes_no_engine(nextgen: OpenSearchEmulator, body: Body) -> None:
    status, answer = call(nextgen.url, "PUT", "/t-refused", body)
    assert (status, answer["error"]["type"]) == (400, "mapper_parsing_exception")
    assert "Field parameter 'engine' is not supported" in answer["error"]["reason"]


def test_classic_takes_faiss_alone(classic: OpenSearchEmulator) -> None:
    assert call(classic.url, "PUT", "/t-refused", vector_field(engine="lucene"))[0] == 400
    assert call(classic.url, "DELETE", f"/{made(classic)}")[0] == 200


@pytest.mark.parametrize(
    "settings",
    [
        {"number_of_shards": 1},
        {"index": {"number_of_replicas": 0}},
        {"index.refresh_interval": "1s"},
        {"index": {"knn": True, "sort": {"field": "x"}}},
    ],
)
def test_serverless_refuses_settings_that_it_manages_itself(serverless: OpenSearchEmulator, settings: Body) -> None:
    status, answer = call(serverless.url, "PUT", "/t-refused", {"settings": settings})
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")


def test_substituted_settings_of_the_node_are_reported(
    classic: OpenSearchEmulator, capsys: pytest.CaptureFixture[str]
) -> None:
    index = made(classic)
    assert "faiss" in classic.substituted[-1]
    assert "engine lucene" in classic.substituted[-1]
    status, mapping = call(classic.url, "GET", f"/{index}/_mapping")
    assert (status, mapping[index]["mappings"]["properties"]["v"]["method"]["engine"]) == (200, "lucene")
    assert index in capsys.readouterr().out
    call(classic.url, "DELETE", f"/{index}")


@pytest.mark.parametrize("parameter", ["refresh=true", "refresh=wait_for", "refresh", "routing=a", "scroll=1m"])
def test_serverless_refuses_the_parameter(serverless: OpenSearchEmulator, parameter: str) -> None:
    status, answer = call(serverless.url, "POST", f"/_bulk?{parameter}", [{"index": {"_index": "t-refused"}}, {}])
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")


@pytest.mark.parametrize("action", ["index", "create", "update"])
def test_classic_refuses_each_line_of_a_bulk_that_gives_an_id(classic: OpenSearchEmulator, action: str) -> None:
    index = made(classic)
    lines: list[object] = [
        {action: {"_index": index, "_id": "1"}},
        {"doc": {}} if action == "update" else {},
        {"index": {"_index": index}},
        {"v": [1, 0]},
    ]
    status, answer = call(classic.url, "POST", "/_bulk", lines)
    refused, done = answer["items"]
    assert (status, answer["errors"], refused[action]["status"], done["index"]["status"]) == (200, True, 400, 201)
    assert "Document ID is not supported in" in refused[action]["error"]["reason"]
    assert call(classic.url, "POST", f"/{index}/_count")[1]["count"] == 1
    call(classic.url, "DELETE", f"/{index}")


def test_classic_deletes_by_the_id_that_it_gave(classic: OpenSearchEmulator) -> None:
    index = made(classic)
    _, answer = call(classic.url, "POST", f"/{index}/_doc", {"v": [1, 0]})
    lines: list[object] = [{"delete": {"_index": index, "_id": answer["_id"]}}]
    assert call(classic.url, "POST", "/_bulk", lines)[1]["errors"] is False
    assert call(classic.url, "POST", f"/{index}/_count")[1]["count"] == 0
    call(classic.url, "DELETE", f"/{index}")


def test_serverless_takes_no_document_with_a_field_that_the_index_lacks(serverless: OpenSearchEmulator) -> None:
    index = made(serverless)
    about = {"index": {"_index": index}}
    lines: list[object] = [about, {"v": [1, 0], "w": 1}, about, {"v": [1, 0], "t": "x"}]
    refused, done = call(serverless.url, "POST", "/_bulk", lines)[1]["items"]
    assert (refused["index"]["status"], done["index"]["status"]) == (403, 201)
    assert "aoss:UpdateIndex" in refused["index"]["error"]["reason"]
    added = {"properties": {"w": {"type": "integer"}}}
    assert call(serverless.url, "PUT", f"/{index}/_mapping", added)[0] == 200
    assert call(serverless.url, "POST", "/_bulk", lines)[1]["errors"] is False
    call(serverless.url, "DELETE", f"/{index}")


def test_an_ordinary_cluster_adds_the_field_by_itself(opensearch_url: str) -> None:
    with emulator.opened(opensearch_url, ORDINARY) as opened:
        index = made(opened)
        lines: list[object] = [{"index": {"_index": index}}, {"v": [1, 0], "w": 1}]
        assert call(opened.url, "POST", "/_bulk", lines, signing=None)[1]["errors"] is False


def test_nextgen_writes_and_updates_by_id(nextgen: OpenSearchEmulator) -> None:
    index = made(nextgen)
    about = {"_index": index, "_id": "1"}
    lines: list[object] = [{"index": about}, {"v": [1, 0]}, {"index": about}, {"v": [1, 0]}]
    assert call(nextgen.url, "POST", "/_bulk", [*lines, {"update": about}, {"doc": {"t": "x"}}])[1]["errors"] is False
    assert call(nextgen.url, "POST", f"/{index}/_count")[1]["count"] == 1
    call(nextgen.url, "DELETE", f"/{index}")


@pytest.mark.parametrize("action", ["index", "create", "update"])
@pytest.mark.parametrize("reading", [NEXTGEN_WITHOUT_IDS, NEXTGEN_WITHOUT_IDS_IN_BULKS])
def test_nextgen_that_gives_the_ids_refuses_one_line_by_line_or_for_all_of_a_bulk(
    opensearch_url: str, reading: str, action: str
) -> None:
    with emulator.opened(opensearch_url, reading) as opened:
        assert opened.name == NEXTGEN
        index = made(opened)
        with_id: list[object] = [{action: {"_index": index, "_id": "1"}}, {"doc": {}} if action == "update" else {}]
        without_id: list[object] = [{"index": {"_index": index}}, {"v": [1, 0]}]
        status, answer = call(opened.url, "POST", "/_bulk", [*with_id, *without_id])
        by_line = reading == NEXTGEN_WITHOUT_IDS
        error = answer["items"][0][action]["error"] if by_line else answer["error"]
        assert (status, error["type"]) == (200 if by_line else 400, "illegal_argument_exception")
        assert error["reason"].startswith("Document ID is not supported in")
        assert call(opened.url, "POST", f"/{index}/_count")[1]["count"] == (1 if by_line else 0)
        assert call(opened.url, "POST", "/_bulk", without_id)[1]["errors"] is False
        assert call(opened.url, "PUT", f"/{index}/_doc/1", {})[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        searching(more_like_this={"like": "x"}),
        searching(bool={"must": [{"percolate": {}}]}),
        searching(knn={"v": {"vector": [1, 0], "k": 1, "filter": {"geo_shape": {}}}}),
        searching(script_score={"query": {"match_all": {}}, "script": {"id": "stored"}}),
        searching(script_score={"query": {"match_all": {}}, "script": {"lang": "knn", "source": "knn_score"}}),
        {"rank_eval": {}},
        {"suggest": {}},
    ],
)
def test_serverless_runs_no_search_beyond_its_documentation(serverless: OpenSearchEmulator, body: Body) -> None:
    index = made(serverless)
    for path, sent in [(f"/{index}/_search", body), ("/_msearch", [{"index": index}, body])]:
        status, answer = call(serverless.url, "POST", path, sent)
        assert (status, answer["status"]) == (400, 400)
    call(serverless.url, "DELETE", f"/{index}")


@pytest.mark.parametrize(
    "body",
    [
        searching(script_score={"query": {"match_all": {}}, "script": INLINE}),
        searching(bool={"filter": {"script": {"script": INLINE}}}),
        searching(terms_set={"t": {"terms": ["a"], "minimum_should_match_script": INLINE}}),
        {"script_fields": {"x": {"script": INLINE}}},
        {"sort": {"_script": {"type": "number", "script": INLINE}}},
    ],
)
def test_classic_runs_no_script(classic: OpenSearchEmulator, body: Body) -> None:
    status, answer = call(classic.url, "POST", "/any/_search", body)
    assert (status, answer["error"]["type"]) == (400, "illegal_argument_exception")


def test_nextgen_runs_painless_within_a_query(nextgen: OpenSearchEmulator) -> None:
    index = made(nextgen)
    scored = searching(script_score={"query": {"match_all": {}}, "script": INLINE})
    assert call(nextgen.url, "POST", f"/{index}/_search", scored)[0] == 200
    call(nextgen.url, "DELETE", f"/{index}")


def test_what_serverless_has_is_done_by_the_node(serverless: OpenSearchEmulator) -> None:
    index = made(serverless)
    lines: list[object] = [{"index": {"_index": index}}, {"v": [1, 0], "t": "x"}]
    assert call(serverless.url, "POST", "/_bulk", lines)[1]["errors"] is False
    near = searching(knn={"v": {"vector": [1, 0], "k": 1, "filter": {"bool": {"filter": {"exists": {"field": "t"}}}}}})
    [first, second] = call(serverless.url, "POST", "/_msearch", [{"index": index}, near] * 2)[1]["responses"]
    assert first["hits"]["total"]["value"] == second["hits"]["total"]["value"] == 1
    _, point = call(serverless.url, "POST", f"/{index}/_search/point_in_time?keep_alive=1m")
    _, answer = call(serverless.url, "POST", "/_search", {"pit": {"id": point["pit_id"]}, "sort": ["_doc"]})
    assert len(answer["hits"]["hits"]) == 1
    closed = call(serverless.url, "DELETE", "/_search/point_in_time", {"pit_id": [point["pit_id"]]})
    assert closed[0] == 200
    assert call(serverless.url, "GET", f"/_resolve/index/{index}")[1]["indices"][0]["name"] == index
    assert call(serverless.url, "DELETE", f"/{index}")[0] == 200


def test_nextgen_shows_vectors_only_to_who_asks_for_all_of_a_document(
    nextgen: OpenSearchEmulator, classic: OpenSearchEmulator
) -> None:
    for opened, shown in ((nextgen, False), (classic, True)):
        index = made(opened)
        call(opened.url, "POST", f"/{index}/_doc", {"v": [1, 0], "t": "x"})
        [hit] = call(opened.url, "POST", f"/{index}/_search", {})[1]["hits"]["hits"]
        assert hit["_source"] == ({"v": [1, 0], "t": "x"} if shown else {"t": "x"})
        [hit] = call(opened.url, "POST", f"/{index}/_search", {"_source": True})[1]["hits"]["hits"]
        assert hit["_source"] == {"v": [1, 0], "t": "x"}
        call(opened.url, "DELETE", f"/{index}")


def test_serverless_takes_no_more_than_ten_mebibytes_at_once(serverless: OpenSearchEmulator) -> None:
    lines: list[object] = [{"index": {"_index": "t-refused"}}, {"t": "x" * 11_000_000}]
    assert call(serverless.url, "POST", "/_bulk", lines)[0] == 413


UNPROVEN = {
    "unsigned": None,
    "of another service": Signing(service="es"),
    "of another region": Signing(region="us-east-1"),
    "by a stranger": Signing(ReadOnlyCredentials("stranger", "secret", None)),
    "with a wrong secret": Signing(ReadOnlyCredentials("gate", "wrong", None)),
    "for no collection": Signing(headers={}),
    "for another collection": Signing(headers={"x-amz-aoss-collection-name": "another"}),
    "with the collection left out of the signature": Signing(
        headers={}, unsigned={"x-amz-aoss-collection-name": emulator.COLLECTION}
    ),
    "over another body": Signing(body=b"{}"),
}


@pytest.mark.parametrize("how", UNPROVEN)
def test_serverless_forbids_a_request_that_is_signed(serverless: OpenSearchEmulator, how: str) -> None:
    status, answer = call(serverless.url, "POST", "/any/_search", {"size": 1}, UNPROVEN[how])
    assert (status, answer["error"]["type"]) == (403, "Forbidden")


def test_a_changed_body_is_distinguished_from_an_unknown_caller(serverless: OpenSearchEmulator) -> None:
    _, answer = call(serverless.url, "POST", "/any/_search", {"size": 1}, UNPROVEN["over another body"])
    assert "Checksum" in answer["error"]["reason"]


class _Moved(Signing):
    """Signed for another path."""

    def sign(self, method: str, url: str, body: bytes) -> dict[str, str]:
        return super().sign(method, url.replace("theirs", "mine"), body)


def test_a_signature_covers_the_path(serverless: OpenSearchEmulator) -> None:
    assert call(serverless.url, "POST", "/theirs/_count", None, _Moved())[0] == 403
