"""Rows that are hidden from a caller change no bit of its answers, in every engine."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy, single_policy
from groundwire.domain.search.fusion import fuse
from groundwire.domain.search.relevance import signals_at
from groundwire.domain.search.request import SearchMode
from groundwire.ports import DocumentVersion, Index
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import (
    PUBLIC,
    FoundPhrase,
    for_tags,
    phrase,
    put_segments,
    query,
    search,
    segment,
    someone,
    with_vectors,
)

NOTES = (
    "Morgan signs each contract of the plant",
    "the contract of the pump ends in May",
    "a pump without a contract",
    "Morgan repairs the pump of the plant and the valve of the plant",
    "valves are ordered by Morgan",
)
PROBES = ("does Morgan sign the contract", "pump valve plant", "quetzal", "ordered in May")
READER = someone("staff")
VAULT = "vault"


def put_note(index: Index, doc_id: str, text: str, policy: Policy, collection: str = "handbook") -> None:
    one = segment(doc_id, 0, text, collection=collection)
    index.put(DocumentVersion(doc_id, 1), single_policy(policy), [with_vectors(one, f"{text} window", text)])


def fill(index: Index) -> None:
    for number, text in enumerate(NOTES):
        put_note(index, f"note{number}", text, for_tags("staff") if number % 2 else PUBLIC)


def close_in(index: Index) -> None:
    """Hidden documents of the tenant that hold the probes' words, and others of another length."""
    for number in range(6):
        put_note(index, f"closed{number}", "quetzal Morgan contract " * (number + 1), for_tags("board"))
        put_note(index, f"nobodys{number}", "Morgan pump valve plant", NO_READERS)
    put_segments(index, [replace(segment("german", 0, "Morgan Vertrag"), language="de")], for_tags("board"))


def facts(index: Index, collections: tuple[str, ...] = ("handbook",)) -> list[object]:
    """Return all scores, the order and the counts in the reader's answers, by mode."""
    given: list[object] = []
    for mode in SearchMode:
        requested = query(
            [phrase(text) for text in PROBES], READER, collections, mode=mode, granted=frozenset(collections)
        )
        found = search(index, requested)
        given.append([everything(each) for each in found])
        given.append([each.score for each in fuse(found, dict.fromkeys((*collections, VAULT), 0.4), 50)])
    return given


def everything(found: FoundPhrase) -> object:
    rows = zip(found.keys, found.bm25, found.vector, found.passage, found.window, found.languages, strict=True)
    named = [(found.segments[key].uid, *numbers) for key, *numbers in rows]
    signals = [signals_at(found, at) for at in range(len(found.keys))]
    return named, signals, found.bm25_limit, found.term_count


@EVERY_SERVICE
def test_hidden_documents_of_the_tenant_change_no_score_order_count_or_relevance(index: Index) -> None:
    fill(index)
    before = facts(index)
    close_in(index)
    put_note(index, "elsewhere", "quetzal Morgan contract", PUBLIC, collection=VAULT)
    assert facts(index) == before


@EVERY_SERVICE
def test_a_document_that_is_hidden_later_leaves_no_statistics(index: Index) -> None:
    fill(index)
    before = facts(index)
    put_note(index, "d", "quetzal Morgan contract", PUBLIC)
    assert facts(index) != before
    index.set_readers("d", single_policy(for_tags("board")))
    assert facts(index) == before


@EVERY_SERVICE
def test_a_signal_of_relevance_is_how_many_passages_the_caller_may_read(index: Index) -> None:
    fill(index)
    close_in(index)
    (found,) = search(index, query([phrase("Morgan")], READER))
    assert {signals_at(found, at).readable for at in range(len(found.keys))} == {len(NOTES)}


def test_a_document_that_becomes_readable_changes_the_scores(index: Index) -> None:
    fill(index)
    close_in(index)
    before = facts(index)
    index.set_readers("closed0", single_policy(PUBLIC))
    assert facts(index) != before


def test_narrowing_changes_no_statistic(index: Index) -> None:
    fill(index)
    put_note(index, "other", "Morgan Morgan contract", PUBLIC, collection=VAULT)
    requested = [phrase("Morgan contract pump")]
    (wide,) = search(index, query(requested, READER, ("handbook", VAULT)))
    (narrow,) = search(index, query(requested, READER, ("handbook",)))
    (one,) = search(index, query(requested, READER, ("handbook",), documents=frozenset({"note0"})))
    assert narrow.bm25_limit == one.bm25_limit == wide.bm25_limit > 0
    scores = by_document(wide)
    assert all(scores[name] == score for each in (narrow, one) for name, score in by_document(each).items())


def by_document(found: FoundPhrase) -> Mapping[str, float]:
    return {found.segments[key].doc_id: score for key, score in zip(found.keys, found.bm25, strict=True)}


@pytest.mark.parametrize("text", ["Morgan", "the contract of the pump, the pump", "of the"])
def test_the_limit_is_that_of_the_phrases_terms_among_what_the_caller_may_read(index: Index, text: str) -> None:
    fill(index)
    (found,) = search(index, query([phrase(text)], READER))
    assert all(0 <= score < max(found.bm25_limit, 1e-9) or score == found.bm25_limit == 0 for score in found.bm25)
    assert found.term_count == sum(word.strip(",") not in {"the", "of"} for word in text.split())
