from collections.abc import Sequence
from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import single_policy
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.text import token_sums
from groundwire.ports import DocumentVersion, Index, Indexes, RowKey, SegmentInput, SegmentVectors, Span, VectorIndex
from tests.contract.index.adapters import EVERY_SERVICE, EVERY_VECTOR_STORE
from tests.support.documents.index_documents import (
    ANYONE,
    MODEL,
    PUBLIC,
    TENANT,
    for_tags,
    found,
    numbers,
    phrase,
    put,
    put_segments,
    query,
    readable,
    segment,
    someone,
    texts,
    vector,
    with_vectors,
)


@EVERY_VECTOR_STORE
def test_a_segment_is_read_with_every_field_as_it_was_put(vectors: VectorIndex) -> None:
    plain = segment("d", 0, "Zürich 東京 \U0001f600 \x00 ﷽", heading='Kapitel "1"')
    one = replace(
        plain,
        title="Büro & Co",
        language="de",
        keywords=("zug", 'an "ort"'),
        context="Wo es steht.",
        questions=("Wo?", "Wann?"),
        sketch=b"\x00\xff",
        token_sums=token_sums.to_bytes(plain.text),
        raw_values=("3.14159", "-2.5E-14"),
    )
    put_segments(vectors, [one])
    assert vectors.segments(DocumentVersion("d", 1)) == [one]
    assert list(found(vectors).segments.values()) == [one]


@EVERY_VECTOR_STORE
def test_segments_come_by_ordinal(vectors: VectorIndex) -> None:
    put_segments(vectors, [segment("d", 2, "c"), segment("d", 0, "a"), segment("d", 1, "b")])
    assert [one.text for one in vectors.segments(DocumentVersion("d", 1))] == ["a", "b", "c"]
    assert [vectors.count_version_rows(DocumentVersion("d", version)) for version in (1, 2)] == [3, 0]


@EVERY_VECTOR_STORE
def test_all_versions_are_listed_in_one_pass(vectors: VectorIndex) -> None:
    assert vectors.count_rows_by_version() == {}
    put(vectors, "d", ["one", "two"])
    put(vectors, "d", ["three"], version=2)
    put(vectors, "e", [f"text {number}" for number in range(30)])
    reported = {DocumentVersion("d", 1): 2, DocumentVersion("d", 2): 1, DocumentVersion("e", 1): 30}
    assert vectors.count_rows_by_version() == reported
    vectors.prune("d", 2)
    assert vectors.count_rows_by_version().keys() == reported.keys() - {DocumentVersion("d", 1)}


@EVERY_VECTOR_STORE
def test_neighbours_are_read_by_ordinal_and_only_of_their_own_version(vectors: VectorIndex) -> None:
    put(vectors, "d", [f"text {number}" for number in range(9)])
    put(vectors, "d", [f"newer {number}" for number in range(9)], version=2)
    put(vectors, "e", ["stranger"] * 3)
    first, second, third = (DocumentVersion("d", version) for version in (1, 2, 3))
    requested = [Span(first, 3, 5), Span(second, 7, 100), Span(first, -5, 0), Span(third, 0, 9), Span(first, 5, 3)]
    around = [[one.text for one in segments] for segments in vectors.read_spans(requested)]
    assert around == [["text 3", "text 4", "text 5"], ["newer 7", "newer 8"], ["text 0"], [], []]
    assert vectors.read_spans([]) == []


@EVERY_VECTOR_STORE
def test_a_segment_is_found_by_its_uid_in_its_own_version_of_its_own_document_only(vectors: VectorIndex) -> None:
    put(vectors, "d", ["one", "two"])
    put(vectors, "d", ["one", "three"], version=2)
    two = vectors.segments(DocumentVersion("d", 1))[1]
    assert vectors.find(DocumentVersion("d", 1), two.uid) == two
    assert vectors.find(DocumentVersion("d", 2), two.uid) is None
    assert vectors.find(DocumentVersion("e", 1), two.uid) is None
    kept = vectors.find(DocumentVersion("d", 2), vectors.segments(DocumentVersion("d", 1))[0].uid)
    assert kept is not None
    assert (kept.version, kept.text) == (2, "one")


@EVERY_VECTOR_STORE
def test_an_index_names_the_model_whose_vectors_it_holds(vectors: VectorIndex) -> None:
    assert vectors.model == MODEL


@EVERY_VECTOR_STORE
def test_putting_a_version_again_changes_nothing(vectors: VectorIndex) -> None:
    put(vectors, "d", ["one", "two"])
    before = found(vectors)
    put(vectors, "d", ["one", "two"])
    assert found(vectors) == before
    assert vectors.count_rows() == 2


@EVERY_VECTOR_STORE
def test_putting_other_segments_of_a_version_replaces_those_that_differ(vectors: VectorIndex) -> None:
    put(vectors, "d", ["same", "old"])
    put(vectors, "d", ["same", "new"])
    assert set(texts(found(vectors))) == {"same", "new"}
    assert [one.text for one in vectors.segments(DocumentVersion("d", 1))] == ["same", "new"]


@EVERY_VECTOR_STORE
def test_putting_no_segments_leaves_none_of_that_version(vectors: VectorIndex) -> None:
    put(vectors, "d", ["one"])
    vectors.put(DocumentVersion("d", 1), single_policy(PUBLIC), [])
    assert vectors.count_rows() == 0
    assert texts(found(vectors)) == []


@EVERY_VECTOR_STORE
def test_a_uid_given_twice_is_stored_once(vectors: VectorIndex) -> None:
    one = segment("d", 0, "boilerplate")
    put_segments(vectors, [one, one])
    assert vectors.count_rows() == 1


@EVERY_VECTOR_STORE
def test_versions_are_kept_side_by_side_until_pruned(vectors: VectorIndex) -> None:
    put(vectors, "d", ["kept", "old"], version=1)
    put(vectors, "d", ["kept", "new"], version=2)
    assert sorted(texts(found(vectors))) == ["kept", "kept", "new", "old"]
    assert vectors.prune("d", 2) == 2
    assert sorted(texts(found(vectors))) == ["kept", "new"]
    assert vectors.segments(DocumentVersion("d", 1)) == []


@EVERY_VECTOR_STORE
def test_pruning_can_leave_versions_from_a_number_on(vectors: VectorIndex) -> None:
    for version in (1, 2, 3, 4):
        put(vectors, "d", ["kept", f"text {version}"], version=version)
    assert vectors.prune("d", 2, 3) == 2
    assert {each.version for each in vectors.count_rows_by_version()} == {2, 3, 4}
    assert vectors.prune("d", None, 3) == 2
    assert {each.version for each in vectors.count_rows_by_version()} == {3, 4}
    assert vectors.prune("d", None, 3) == 0


@EVERY_VECTOR_STORE
def test_pruning_touches_no_other_document_and_can_be_repeated(vectors: VectorIndex) -> None:
    put(vectors, "d", ["gone"])
    put(vectors, "e", ["stays"])
    assert (vectors.prune("d", None), vectors.prune("d", None)) == (1, 0)
    assert texts(found(vectors)) == ["stays"]
    assert vectors.count_rows() == 1


@EVERY_SERVICE
def test_what_is_written_after_the_scores_were_made_is_not_seen(index: Index) -> None:
    put(index, "d", ["goes"])
    put(index, "e", ["stays"])

    def write_and_select(scores: Sequence[PhraseScores]) -> Sequence[RowKey]:
        index.prune("d", None)
        put(index, "f", ["comes"])
        return scores[0].keys

    hits = index.search(query([phrase("any")]), write_and_select)
    assert sorted(one.text for one in hits.segments.values()) == ["goes", "stays"]
    assert sorted(texts(found(index))) == ["comes", "stays"]


@EVERY_SERVICE
def test_only_selected_rows_are_read_and_keys_of_nothing_read_nothing(index: Index) -> None:
    put(index, "d", ["one"])
    put(index, "e", ["two"])
    requested = query([phrase("one")])
    assert index.search(requested, lambda _: []).segments == {}
    assert index.search(requested, lambda _: ["no key", 10**30, -1]).segments == {}
    hits = index.search(requested, lambda scores: [*scores[0].keys[:1], *scores[0].keys[:1]])
    assert list(hits.segments) == list(hits.scores[0].keys[:1])


@EVERY_VECTOR_STORE
def test_vectors_come_back_by_uid_and_storing_them_again_changes_nothing(vectors: VectorIndex) -> None:
    one, other = segment("d", 0, "one"), segment("d", 1, "other")
    vectors.put(
        DocumentVersion("d", 1), single_policy(PUBLIC), [with_vectors(one, "a window", "another"), with_vectors(other)]
    )
    stored = vectors.vectors("d")
    assert stored.keys() == {one.uid, other.uid}
    assert numbers(stored[one.uid].passage) == pytest.approx(numbers(vector("one")), abs=1e-3)
    assert [numbers(window) for window in stored[one.uid].windows] == [
        pytest.approx(numbers(vector(text)), abs=1e-3) for text in ("a window", "another")
    ]
    assert stored[other.uid].windows == ()
    before = found(vectors)
    vectors.put(DocumentVersion("d", 1), single_policy(PUBLIC), [given_again(s, stored[s.uid]) for s in (one, other)])
    assert vectors.vectors("d") == stored
    assert found(vectors) == before


def given_again(one: Segment, stored: SegmentVectors) -> SegmentInput:
    return SegmentInput(one, stored.passage, stored.windows)


@EVERY_VECTOR_STORE
def test_a_vector_of_another_length_is_refused_and_nothing_is_put(vectors: VectorIndex) -> None:
    wrong = SegmentInput(segment("d", 0, "text"), vector("text", MODEL.dimension * 2))
    with pytest.raises(errors.InvalidInput):
        vectors.put(DocumentVersion("d", 1), single_policy(PUBLIC), [wrong])
    wrong = SegmentInput(segment("d", 0, "text"), vector("text"), (vector("text", MODEL.dimension - 1),))
    with pytest.raises(errors.InvalidInput):
        vectors.put(DocumentVersion("d", 1), single_policy(PUBLIC), [wrong])
    assert vectors.count_rows() == 0


@EVERY_VECTOR_STORE
def test_a_segment_of_another_document_is_refused(vectors: VectorIndex) -> None:
    stranger = SegmentInput(segment("e", 0, "text"), vector("text"))
    with pytest.raises(errors.InvalidInput):
        vectors.put(DocumentVersion("d", 1), single_policy(PUBLIC), [stranger])


@EVERY_VECTOR_STORE
def test_putting_again_under_another_policy_changes_who_may_read(vectors: VectorIndex) -> None:
    put(vectors, "d", ["secret"], PUBLIC)
    put(vectors, "d", ["secret"], for_tags("hr"))
    assert readable(vectors, ANYONE) == set()
    assert readable(vectors, someone("hr")) == {"d"}


@EVERY_SERVICE
def test_tenants_share_nothing(indexes: Indexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["mine"])
    assert indexes.for_tenant("globex").count_rows() == 0


@EVERY_SERVICE
def test_dropping_a_tenant_leaves_nothing_and_touches_no_other(indexes: Indexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["mine", "too"])
    put(indexes.for_tenant("globex"), "d", ["theirs"])
    assert indexes.drop(TENANT) == 2
    assert indexes.drop(TENANT) == 0
    assert indexes.for_tenant(TENANT).count_rows() == 0
    assert readable(indexes.for_tenant(TENANT), ANYONE) == set()
    assert indexes.for_tenant("globex").count_rows() == 1
