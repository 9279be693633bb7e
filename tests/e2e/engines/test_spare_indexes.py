"""An index that the emulator gives again is as a new one, to the last figure of a score."""

import json
import secrets
from collections.abc import Generator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.opensearch import emulator
from tests.support.opensearch.emulator import OpenSearchEmulator
from tests.support.opensearch.emulator.node import spares
from tests.support.opensearch.signed_calls import call

Body = dict[str, Any]

WORDS: Body = {"text": {"match": "text_*", "mapping": {"type": "text"}}}
BODY: Body = {"mappings": {"properties": {"kind": {"type": "keyword"}}, "dynamic_templates": [WORDS]}}
OTHER: Body = {"mappings": {"properties": {"kind": {"type": "text"}}, "dynamic_templates": [WORDS]}}


@pytest.fixture
def opened(opensearch_url: str) -> Generator[OpenSearchEmulator]:
    """With no spares before those that a test makes."""
    with spares.kept(opensearch_url), emulator.opened(opensearch_url, "opensearch") as made:
        yield made


def make(opened: OpenSearchEmulator, index: str, body: Body = BODY) -> str:
    """Makes the index; returns what the engine knows it by."""
    status, answer = call(opened.url, "PUT", f"/{index}", body, signing=None)
    assert (status, answer["acknowledged"], answer["index"]) == (200, True, index)
    settings = call(opened.url, "GET", f"/{index}/_settings", signing=None)[1]
    return settings[index]["settings"]["index"]["uuid"]


def write(opened: OpenSearchEmulator, index: str, **document: str) -> None:
    assert call(opened.url, "POST", f"/{index}/_doc?refresh=true", document, signing=None)[0] == 201


def remove(opened: OpenSearchEmulator, index: str) -> None:
    assert call(opened.url, "DELETE", f"/{index}", signing=None) == (200, {"acknowledged": True})
    assert call(opened.url, "GET", f"/{index}/_mapping", signing=None)[0] == 404


def explained(opened: OpenSearchEmulator, index: str) -> list[object]:
    """Return the index of each hit and the inputs of its score."""
    requested = {"query": {"match": {"text_en": "ledger"}}, "explain": True}
    answer = call(opened.url, "POST", f"/{index}/_search", requested, signing=None)[1]
    return [(hit["_index"], hit["_score"], hit["_explanation"]) for hit in answer["hits"]["hits"]]


def test_a_spare_index_is_reused_for_an_identical_request(opened: OpenSearchEmulator) -> None:
    first = make(opened, "one")
    remove(opened, "one")
    assert make(opened, "two") == first
    assert make(opened, "three") != first


def test_nothing_of_its_former_documents_is_found_or_counted(opened: OpenSearchEmulator) -> None:
    first = make(opened, "one")
    write(opened, "one", text_en="the ledger of amber")
    alone = explained(opened, "one")
    for _ in range(3):
        write(opened, "one", text_en="another ledger")
    assert len(explained(opened, "one")) == 4
    remove(opened, "one")
    assert make(opened, "one") == first
    assert call(opened.url, "GET", "/one/_count", signing=None)[1]["count"] == 0
    write(opened, "one", text_en="the ledger of amber")
    assert explained(opened, "one") == alone


def test_an_index_with_another_body_is_created(opened: OpenSearchEmulator) -> None:
    first = make(opened, "one")
    remove(opened, "one")
    assert make(opened, "one", OTHER) != first


@pytest.mark.parametrize("change", ["a field of no template", "a mapping", "settings"])
def test_a_spare_index_that_was_changed_is_not_reused(opened: OpenSearchEmulator, change: str) -> None:
    first = make(opened, "one")
    if change == "a field of no template":
        write(opened, "one", title="amber")
    elif change == "a mapping":
        added = {"properties": {"text_de": {"type": "keyword"}}}
        assert call(opened.url, "PUT", "/one/_mapping", added, signing=None)[0] == 200
    else:
        assert call(opened.url, "PUT", "/one/_settings", {"index.max_result_window": 1}, signing=None)[0] == 200
    remove(opened, "one")
    assert make(opened, "one") != first


def test_a_spare_index_with_a_field_of_its_template_is_reused(opened: OpenSearchEmulator) -> None:
    first = make(opened, "one")
    added = {"properties": {"text_de": WORDS["text"]["mapping"]}}
    assert call(opened.url, "PUT", "/one/_mapping", added, signing=None)[0] == 200
    remove(opened, "one")
    assert make(opened, "one") == first


def test_a_name_that_is_taken_is_refused_as_by_the_engine(opened: OpenSearchEmulator) -> None:
    make(opened, "one")
    write(opened, "by-a-document", kind="k")
    for index in ("one", "by-a-document"):
        status, answer = call(opened.url, "PUT", f"/{index}", BODY, signing=None)
        assert (status, answer["error"]["type"]) == (400, "resource_already_exists_exception")
        assert answer["error"]["index"] == index


def test_patterns_match_all_indexes_of_the_emulator_and_nothing_else(
    opened: OpenSearchEmulator, opensearch_url: str
) -> None:
    with emulator.opened(opensearch_url, "opensearch") as other:
        make(other, "t-one")
        for index, body in {"t-one": BODY, "t-two": {}, "u-one": BODY}.items():
            make(opened, index, body)
        found = call(opened.url, "GET", "/_resolve/index/t-*", signing=None)[1]["indices"]
        assert {each["name"] for each in found} == {"t-one", "t-two"}
        assert call(opened.url, "DELETE", "/t-*", signing=None)[0] == 200
        left = call(opened.url, "GET", "/_resolve/index/*", signing=None)[1]["indices"]
        assert [each["name"] for each in left] == ["u-one"]
        assert len(call(other.url, "GET", "/_resolve/index/*", signing=None)[1]["indices"]) == 1


def test_no_spare_is_left_on_the_node(opensearch_url: str) -> None:
    body = {**BODY, "settings": {"index.mapping.total_fields.limit": 100 + secrets.randbelow(10**8)}}
    with spares.kept(opensearch_url):
        with emulator.opened(opensearch_url, "opensearch") as one:
            uuid = make(one, "one", body)
        assert uuid in uuids(opensearch_url)
        with emulator.opened(opensearch_url, "opensearch") as other:
            assert make(other, "two", body) == uuid
    assert uuid not in uuids(opensearch_url)


def uuids(node: str) -> list[str]:
    connection = HTTPConnection(urlsplit(node).netloc, timeout=60)
    # Lists of indexes measure each of them, and fail while one is being made.
    connection.request("GET", "/_settings")
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    return [each["settings"]["index"]["uuid"] for each in answer.values()]
