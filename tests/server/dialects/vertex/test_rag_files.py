"""Corpora and files to read: Google's shapes, of what exists for the caller."""

from typing import Any

import pytest

from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.limits import MAX_RECORDS_SCANNED, PAGE_TOKEN_SECONDS
from tests.server.dialects.vertex.company import HANDBOOK, PARENT, Company, request, texts, violations
from tests.support.isolation.policies import for_users
from tests.support.worlds.document_library import NO_READERS, keep, record
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import caller

CORPORA = f"/v1/{PARENT}/ragCorpora"
FILES = f"/v1/{HANDBOOK}/ragFiles"


def pages(company: Company, size: int) -> list[tuple[list[str], int]]:
    """The names on each page of the handbook's files, and the length of its token."""
    found: list[tuple[list[str], int]] = []
    token = ""
    while not found or token:
        payload = company.get(f"{FILES}?pageSize={size}{token and f'&pageToken={token}'}").payload
        token = payload.get("nextPageToken", "")
        found.append(([each["name"] for each in payload["ragFiles"]], len(token)))
    return found


def walk(company: Company, path: str, member: str, size: int) -> list[str]:
    """The last parts of all names, over all pages."""
    found: list[str] = []
    token = ""
    while True:
        payload = company.get(f"{path}?pageSize={size}{token and f'&pageToken={token}'}").payload
        assert len(payload[member]) <= size
        found += [each["name"].rpartition("/")[2] for each in payload[member]]
        if "nextPageToken" not in payload:
            return found
        token = payload["nextPageToken"]


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_a_corpus_is_a_collection_that_exists_for_the_caller(company: Company, version: str) -> None:
    listed = company.get(f"/{version}/{PARENT}/ragCorpora").payload["ragCorpora"]
    assert [each["displayName"] for each in listed] == ["handbook", "kitchen"]
    assert listed[0] == {"name": HANDBOOK, "displayName": "handbook", "corpusStatus": {"state": "ACTIVE"}}
    assert company.get(f"/{version}/{HANDBOOK}").payload == listed[0]
    assert company.retrieve(request(corpus=listed[0]["name"]))


def test_hidden_and_unknown_corpora_and_files_are_not_found_alike(company: Company) -> None:
    for path in ("closed", "nowhere", "closed/ragFiles", "nowhere/ragFiles", "handbook/ragFiles/secret"):
        answer = company.get(f"{CORPORA}/{path}")
        assert (answer.status, answer.payload["error"]["status"]) == (404, "NOT_FOUND")
    closed, unknown = (company.get(f"{CORPORA}/{name}").payload["error"]["message"] for name in ("closed", "nowher"))
    assert closed.replace("closed", "nowher") == unknown
    assert company.get(f"{CORPORA}/kitchen/ragFiles/pump").status == 404


def test_a_file_has_the_id_that_a_call_names(company: Company) -> None:
    listed = company.get(FILES).payload["ragFiles"]
    assert [each["name"].rpartition("/")[2] for each in listed] == ["plain", "pump", "wheel"]
    pump = listed[1]
    assert pump == company.get(f"{FILES}/pump").payload
    assert (pump["displayName"], pump["fileStatus"]) == ("pump.txt", {"state": "ACTIVE"})
    assert pump["createTime"].endswith("Z")
    source = {"ragCorpus": HANDBOOK, "ragFileIds": [pump["name"].rpartition("/")[2]]}
    body = {"query": {"text": "wheel"}, "vertexRagStore": {"ragResources": [source]}}
    assert len(texts(company.retrieve(body))) == 2


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_pages_have_each_name_once(company: Company, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert walk(company, CORPORA, "ragCorpora", size) == ["handbook", "kitchen"]
    assert walk(company, FILES, "ragFiles", size) == ["plain", "pump", "wheel"]
    # Without any time each page looks at one document, and still leads on.
    monkeypatch.setattr("groundwire.services.documents.browse.catalog.FILE_PAGE_SECONDS", 0)
    assert walk(company, FILES, "ragFiles", size) == ["plain", "pump", "wheel"]


def test_a_page_token_names_nothing_and_is_good_for_its_list_alone(company: Company) -> None:
    token = company.get(f"{FILES}?pageSize=1").payload["nextPageToken"]
    assert "plain" not in token
    for path in (CORPORA, f"{CORPORA}/kitchen/ragFiles"):
        answer = company.get(f"{path}?pageToken={token}")
        assert violations(answer.payload["error"]) == ["page_token"]
    other = company.world.tenant("birch")
    headers = caller(company.world.acting_key(other), "ana")
    assert company.get(f"{FILES}?pageToken={token}", headers).status == 404
    for sent in ("x", "%00", token[:-3] + "AAA"):
        assert company.get(f"{FILES}?pageToken={sent}").status == 400


@pytest.mark.parametrize("size", ["-1", "x", "1.5", "99999999999999"])
def test_a_page_size_that_is_none_is_named(company: Company, size: str) -> None:
    assert violations(company.get(f"{FILES}?pageSize={size}").payload["error"]) == ["page_size"]


def test_a_hidden_document_changes_no_byte_of_a_list(company: Company) -> None:
    def answers() -> list[Any]:
        return [company.get(path).response.body for path in (CORPORA, FILES, f"{FILES}/pump", f"/v1/{HANDBOOK}")]

    before = answers()
    company.add("aaa", "Closed.", for_users("ben"))
    company.add("other", "Closed.", for_users("ben"), collection="another")
    assert answers() == before


@pytest.mark.parametrize("size", [1, 2])
def test_a_hidden_document_between_two_pages_changes_neither_pages_nor_lengths_of_tokens(
    company: Company, size: int
) -> None:
    company.add("q" * MAX_ID_CHARACTERS, "A long name.")
    before = pages(company, size)
    assert [len(names) for names, _ in before] == [size] * (4 // size)
    assert len({length for _, length in before[:-1]}) == 1
    for doc_id in ("pl", "plainer" + "r" * 100, "pump-", "z" * MAX_ID_CHARACTERS):
        company.add(doc_id, "Closed.", for_users("ben"))
        assert pages(company, size) == before


def test_no_number_of_hidden_documents_makes_a_page_short(company: Company) -> None:
    before = pages(company, 1)
    closed = [record(f"plain-{number:04}", "handbook", NO_READERS) for number in range(MAX_RECORDS_SCANNED + 1)]
    keep(company.world, company.tenant, *closed)
    assert pages(company, 1) == before


def test_a_page_out_of_time_at_a_hidden_document_has_a_token_of_the_same_length(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    company.add("plainer" + "r" * 100, "Closed.", for_users("ben"))
    monkeypatch.setattr("groundwire.services.documents.browse.catalog.FILE_PAGE_SECONDS", 0)
    found = pages(company, 2)
    assert [] in [names for names, _ in found]
    assert len({length for _, length in found if length}) == 1


def test_a_page_token_is_of_no_use_to_another_caller_or_after_an_hour(
    company: Company,
) -> None:
    now = company.world.services.clock()

    company.world.reopen()
    exchange(company.world.services, clock=lambda: now)
    token = company.get(f"{FILES}?pageSize=1").payload["nextPageToken"]
    path = f"{FILES}?pageToken={token}"
    assert company.get(path).status == 200
    other_key = company.world.acting_key(company.tenant)
    for headers in (
        caller(company.key, "ben"),
        caller(company.key, "ana", frozenset({"dept:x"})),
        caller(other_key, "ana"),
    ):
        refused = company.get(path, headers)
        assert (refused.status, refused.payload["error"]["status"]) == (400, "INVALID_ARGUMENT")
        assert violations(refused.payload["error"]) == ["page_token"]
    now += PAGE_TOKEN_SECONDS - 1
    assert company.get(path).status == 200
    now += 1
    assert violations(company.get(path).payload["error"]) == ["page_token"]
