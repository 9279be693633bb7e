"""A reader that follows any history of writes has the state of one that opens the file afterwards."""

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.index.snapshots import refresh
from groundwire.adapters.local.index.store import writer as writing
from groundwire.domain.access.policy import single_policy
from groundwire.domain.filters.expression import Compare, Operator
from groundwire.ports import DocumentVersion, Index
from tests.support.documents.index_documents import (
    MODEL,
    TENANT,
    FoundPhrase,
    for_tags,
    phrase,
    put,
    query,
    search,
    segment,
    someone,
    with_vectors,
)
from tests.support.plugins.draws import examples

DOCUMENTS = st.sampled_from(["a", "b", "c"])
TAGS = st.sampled_from(["x", "y", "z"])
TEXTS = st.lists(st.sampled_from(["tea", "cup", "pot tea"]))
PUTS = st.tuples(
    st.just("put"),
    DOCUMENTS,
    st.integers(1, 3),
    TEXTS,
    TAGS,
    st.sampled_from(["en", "de"]),
    st.sampled_from([1.0, 2.0]),
)
PRUNES = st.tuples(st.just("prune"), DOCUMENTS, st.none() | st.integers(1, 3))
POLICIES = st.tuples(st.just("policy"), DOCUMENTS, TAGS)
READS = st.tuples(st.just("search"))
HISTORIES = st.lists(PUTS | PRUNES | POLICIES | READS, min_size=3, max_size=25)


@pytest.fixture(params=["roomy", "tight"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits of the index for the parameter "tight", so that one deleted row is enough to exceed them."""
    if request.param == "tight":
        monkeypatch.setattr(writing, "_MAX_DELETED_IN_LOG", 1)
        monkeypatch.setattr(refresh, "_MAX_DELETED_ROWS", 1)
        monkeypatch.setattr(refresh, "_BATCH_ROWS", 2)


def seen(index: Index) -> list[FoundPhrase]:
    requested = [(someone("x"), None), (someone("y", "z"), None), (someone("x", "y"), Compare("n", Operator.EQ, 1.0))]
    phrases = [phrase("tea"), phrase("pot")]
    return [scores for who, where in requested for scores in search(index, query(phrases, who, where=where))]


def change(index: Index, step: Sequence[object]) -> None:
    match step:
        case ("put", str(doc_id), int(version), list(texts), str(tag), str(language), float(number)):
            written = [str(text) for text in texts] or ["only"]
            segments = [replace(segment(doc_id, n, text, version), language=language) for n, text in enumerate(written)]
            inputs = [with_vectors(one, *one.text.split()) for one in segments]
            index.put(DocumentVersion(doc_id, version), single_policy(for_tags(tag)), inputs, {"n": number})
        case ("prune", str(doc_id), (int() | None) as keep):
            index.prune(doc_id, keep)
        case ("policy", str(doc_id), str(tag)):
            index.set_readers(doc_id, single_policy(for_tags(tag)))
        case _:
            seen(index)


@pytest.mark.usefixtures("room")
def test_a_reader_that_follows_holds_what_one_that_begins_now_holds() -> None:
    @settings(deadline=None, max_examples=examples(25))
    @given(HISTORIES)
    def follow(history: list[tuple[object, ...]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            writer, follower, delayed = (EmbeddedIndexes(Path(folder), MODEL) for _ in range(3))
            for step in history:
                change(writer.for_tenant(TENANT), step)
                if step[0] == "search":
                    seen(follower.for_tenant(TENANT))
            assert (
                seen(follower.for_tenant(TENANT)) == seen(writer.for_tenant(TENANT)) == seen(delayed.for_tenant(TENANT))
            )
            for opened in (writer, follower, delayed):
                opened.close()

    follow()


def test_documents_that_come_and_go_leave_no_policy_and_few_lines_of_log_behind(
    index: Index, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_MAX_DELETED_IN_LOG", 10)
    for number in range(60):
        put(index, f"d{number}", ["one", "two"], for_tags(f"tag{number}"), metadata={"n": float(number)})
        index.prune(f"d{number}", None)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM log").fetchone()[0] <= 12
        assert connection.execute("SELECT count(*) FROM policies").fetchone()[0] <= 6
        assert connection.execute("SELECT count(*) FROM metadata").fetchone()[0] <= 6
        assert connection.execute("SELECT count(*) FROM windows").fetchone()[0] == 0
    assert [list(scores.keys) for scores in seen(index)] == [[]] * 6
