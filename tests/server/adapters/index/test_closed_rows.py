"""Rows that are hidden from a caller change no bit of its answers."""

import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import Policy, Principal, decide, single_policy
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, Index
from tests.support.documents.index_documents import MODEL, TENANT, phrase, query, search, segment, with_vectors
from tests.support.plugins.draws import examples

WORDS = st.sampled_from(["tea", "teas", "kettle", "cup", "die", "brewing", "leaf-7", "水出し"])
TEXT = st.lists(WORDS, max_size=8).map(" ".join)
TAGS = st.frozensets(st.sampled_from("ab"))
USERS = st.frozensets(st.sampled_from(["ann", "bob"]))
POLICIES = st.builds(Policy, public=st.sampled_from([False, False, True]), users=USERS, any_tags=TAGS, all_tags=TAGS)
PRINCIPALS = st.builds(Principal, st.just(TENANT), st.sampled_from([None, "ann"]), TAGS)
LANGUAGES = st.sampled_from(["en", "en", "de", "zz"])
COLLECTIONS = ("handbook", "vault")

Facts = tuple[float, Mapping[str, tuple[float, float, float, int]]]


@st.composite
def documents(draw: st.DrawFn) -> list[tuple[Policy, list[Segment]]]:
    """Each with its policy; the segments of one have one collection."""
    found: list[tuple[Policy, list[Segment]]] = []
    for number in range(draw(st.integers(1, 8))):
        collection, language = draw(st.sampled_from(COLLECTIONS)), draw(LANGUAGES)
        texts = draw(st.lists(TEXT, min_size=1, max_size=6))
        segments = [segment(f"d{number}", at, text, collection=collection) for at, text in enumerate(texts)]
        found.append((draw(POLICIES), [replace(one, language=language) for one in segments]))
    return found


@contextmanager
def fresh_index() -> Generator[Index]:
    with tempfile.TemporaryDirectory() as folder:
        indexes = EmbeddedIndexes(Path(folder), MODEL)
        yield indexes.for_tenant(TENANT)
        indexes.close()


def put(index: Index, policy: Policy, segments: Sequence[Segment]) -> None:
    document = DocumentVersion(segments[0].doc_id, segments[0].version)
    index.put(document, single_policy(policy), [with_vectors(one, f"{one.text} window", one.text) for one in segments])


def facts(index: Index, principal: Principal, collections: Sequence[str], requested: Sequence[str]) -> list[Facts]:
    """Return all scores of each candidate by segment, in the order of the answer."""
    found = search(index, query([phrase(text) for text in requested], principal, collections))
    return [
        (
            each.bm25_limit,
            {
                each.segments[key].uid: (bm25, near, passage, window)
                for key, bm25, near, passage, window in zip(
                    each.keys, each.bm25, each.vector, each.passage, each.window, strict=True
                )
            },
        )
        for each in found
    ]


@settings(deadline=None, max_examples=examples(150))
@given(
    documents(),
    PRINCIPALS,
    st.sampled_from([COLLECTIONS, ("handbook",), ("vault",)]),
    st.lists(TEXT, min_size=1, max_size=3),
)
def test_an_index_with_hidden_documents_answers_as_one_without_them(
    given_documents: list[tuple[Policy, list[Segment]]],
    principal: Principal,
    collections: Sequence[str],
    requested: list[str],
) -> None:
    with fresh_index() as everything, fresh_index() as readable:
        for policy, segments in given_documents:
            put(everything, policy, segments)
            if decide(principal, single_policy(policy)):
                put(readable, policy, segments)
        before, after = (facts(index, principal, collections, requested) for index in (readable, everything))
    assert after == before
    assert [list(each) for _, each in after] == [list(each) for _, each in before]


@settings(deadline=None, max_examples=examples(50))
@given(documents(), PRINCIPALS, TEXT)
def test_a_document_that_is_hidden_or_deleted_later_leaves_no_statistics(
    given_documents: list[tuple[Policy, list[Segment]]], principal: Principal, requested: str
) -> None:
    with fresh_index() as index, fresh_index() as readable:
        for policy, segments in given_documents:
            put(index, replace(policy, public=True), segments)
        facts(index, principal, COLLECTIONS, [requested])
        for policy, segments in given_documents:
            index.set_readers(segments[0].doc_id, single_policy(policy))
            if decide(principal, single_policy(policy)):
                put(readable, policy, segments)
        assert facts(index, principal, COLLECTIONS, [requested]) == facts(readable, principal, COLLECTIONS, [requested])
