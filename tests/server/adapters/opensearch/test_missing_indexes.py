"""A tenant that has ingested nothing has no index, and no query creates one."""

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.domain import errors
from groundwire.domain.access.policy import Principal, single_policy
from groundwire.ports import DocumentVersion, Index, Span
from groundwire.ports.indexes import IndexKind
from tests.support.documents.index_documents import ANYONE, MODEL, PUBLIC, TENANT, phrase, put, query, readable, search
from tests.support.opensearch.indexes import indexes_at, opened

ONE = DocumentVersion("d", 1)
SERVICE = "serverless-nextgen"


def empty_to_all_who_ask(index: Index) -> None:
    hits = index.search(query([phrase("text")]), lambda _: ["any"])
    assert ([each.keys for each in hits.scores], hits.segments, index.vectors("d")) == ([()], {}, {})
    assert (index.segments(ONE), index.read_spans([Span(ONE, 0, 9)]), index.find(ONE, "uid")) == ([], [[]], None)
    assert (index.count_version_rows(ONE), index.count_rows_by_version(), index.count_rows(), index.model) == (
        0,
        {},
        0,
        MODEL,
    )
    assert index.prune("d", None) == 0
    index.set_readers("d", single_policy(PUBLIC))


def test_it_is_empty_to_all_who_ask_and_nothing_is_made(opensearch_url: str, tmp_path: Path) -> None:
    with opened(opensearch_url, SERVICE, tmp_path, MODEL) as there:
        index = there.indexes.for_tenant(TENANT)
        empty_to_all_who_ask(index)
        assert index.visible_after_seconds == 10
        assert there.index_generations.read(TENANT) is None
        with pytest.raises(errors.Forbidden):
            search(index, query([], Principal("t_other", None, frozenset())))


def test_a_search_of_it_sends_nothing_to_the_engine(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "standings")) as database:
        nowhere = indexes_at("http://127.0.0.1:9", SERVICE, SqliteIndexGenerations(database, IndexKind.PASSAGES), MODEL)
        empty_to_all_who_ask(nowhere.for_tenant(TENANT))
        nowhere.close()


def test_the_first_document_creates_the_index_for_every_open_adapter(opensearch_url: str, tmp_path: Path) -> None:
    with opened(opensearch_url, SERVICE, tmp_path, MODEL) as there:
        requested_before, maker = there.indexes.for_tenant(TENANT), there.indexes.for_tenant(TENANT)
        other_place = indexes_at(there.emulated.url, SERVICE, there.index_generations, MODEL)
        assert readable(other_place.for_tenant(TENANT), ANYONE) == set()
        put(maker, "d", ["text"])
        for index in (maker, requested_before, there.indexes.for_tenant(TENANT), other_place.for_tenant(TENANT)):
            assert readable(index, ANYONE) == {"d"}
        other_place.close()


def test_one_that_was_deleted_on_the_engine_is_recreated_by_the_next_ingestion(
    opensearch_url: str, tmp_path: Path
) -> None:
    with opened(opensearch_url, "opensearch", tmp_path, MODEL) as there:
        put(there.indexes.for_tenant(TENANT), "d", ["text"])
        httpx.delete(f"{there.emulated.url}/gw-{TENANT}-1").raise_for_status()
        other_place = indexes_at(there.emulated.url, "opensearch", there.index_generations, MODEL)
        index = other_place.for_tenant(TENANT)
        assert (
            index.count_version_rows(ONE),
            index.segments(ONE),
            index.vectors("d"),
            index.count_rows_by_version(),
            index.count_rows(),
        ) == (
            0,
            [],
            {},
            {},
            0,
        )
        with pytest.raises(errors.Unavailable):
            readable(index, ANYONE)
        put(index, "d", ["text"])
        assert readable(index, ANYONE) == {"d"}
        other_place.close()
