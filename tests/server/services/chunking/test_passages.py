"""Segments and their vectors: which text is embedded, which text is kept, and which progress is reported."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.segment import Segment
from groundwire.domain.passages.minhash import SEGMENT_HASHES, resemblance, sketch
from groundwire.domain.passages.windows import windows
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.ports import DocumentVersion, ModelId, SegmentVectors, Vector
from groundwire.services.ingest.rows.segments import (
    EMBED_BATCH_SIZE,
    EmbeddedSegments,
    build_segments,
    document_sketch,
    embed_segments,
    embedding_key,
    embedding_text,
    window_texts,
)
from groundwire_readers.contents.parsed import Block, BlockKind
from tests.server.services.chunking.documents import blocks, document
from tests.support.plugins.draws import examples


class Digests:
    """Embedder whose vectors are digests of the texts, and which records its calls."""

    def __init__(self) -> None:
        self.calls: list[Sequence[str]] = []

    @property
    def model(self) -> ModelId:
        return ModelId("digests", 8)

    @property
    def languages(self) -> ModelLanguages:
        return ALL_LANGUAGES

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        assert kind == "passage"
        self.calls.append(texts)
        return [vector(text) for text in texts]


def vector(text: str) -> Vector:
    return hashlib.sha256(text.encode()).digest()


def quiet(_done: int, _total: int) -> None:
    """Progress that nobody looks at."""


def cut(found: list[Block], version: int = 1, title: str = "Handbook") -> list[Segment]:
    return build_segments(document(found), DocumentVersion("d", version), "c", title, "en")


def sections(count: int, sentences: int) -> list[Block]:
    found: list[Block] = []
    for number in range(count):
        found.append(Block(BlockKind.HEADING, f"Part {number}", level=1))
        text = " ".join(f"Sentence {number} of {at} is about the pump and the valve." for at in range(sentences))
        found.append(Block(BlockKind.PARAGRAPH, text))
    return found


def known(embedded: EmbeddedSegments) -> dict[str, SegmentVectors]:
    return {embedding_key(held.segment): SegmentVectors(held.vector, held.windows) for held in embedded.inputs}


@given(st.lists(blocks, min_size=1, max_size=8))
@settings(max_examples=examples(30), deadline=None)
def test_every_segment_states_what_it_is_and_has_the_vectors_of_its_own_texts(found: list[Block]) -> None:
    segments = cut(found)
    embedded = embed_segments(Digests(), segments, {}, quiet)

    assert [held.segment for held in embedded.inputs] == segments
    for held in embedded.inputs:
        segment = held.segment
        assert (segment.title, segment.language) == ("Handbook", "en")
        assert segment.headline
        assert segment.summary
        assert segment.sketch == sketch(segment.text, SEGMENT_HASHES)
        assert held.vector == vector(embedding_text(segment))
        assert held.windows == tuple(vector(f"Handbook\n{window}") for window in windows(segment.text))


def test_the_path_is_before_the_text_and_context_between_them() -> None:
    [segment] = cut(sections(1, 1))

    assert embedding_text(segment).startswith("Handbook > Part 0\nPart 0\n\nSentence 0")
    assert embedding_text(replace(segment, context="Of pumps.")).startswith("Handbook > Part 0\nOf pumps.\nPart 0")


def test_questions_are_windows_of_their_own_even_of_a_passage_that_is_but_one() -> None:
    [segment] = cut(sections(1, 1))

    assert window_texts(segment) == []
    assert window_texts(replace(segment, questions=("What of the pump?",))) == ["What of the pump?"]


def test_unchanged_passages_keep_their_ids_and_vectors_and_only_the_others_are_embedded() -> None:
    before = embed_segments(Digests(), cut(sections(3, 12)), {}, quiet)
    changed = [*sections(3, 12), Block(BlockKind.HEADING, "New", level=1), Block(BlockKind.PARAGRAPH, "Something new.")]
    embedder = Digests()

    after = embed_segments(embedder, cut(changed, version=2), known(before), quiet)

    assert after.embedded_count == 1
    assert [len(call) for call in embedder.calls] == [1]
    old = {held.segment.uid: (held.vector, held.windows) for held in before.inputs}
    assert {held.segment.uid: (held.vector, held.windows) for held in after.inputs[:-1]} == old


def test_a_vector_is_computed_again_when_its_inputs_change() -> None:
    segment = cut(sections(1, 12))[0]
    others = [
        replace(segment, text=segment.text + " More."),
        replace(segment, title="Another title"),
        replace(segment, heading_path=("Elsewhere",)),
        replace(segment, context="Of pumps."),
        replace(segment, questions=("Why?",)),
    ]
    indifferent = [
        replace(segment, version=9, ordinal=7, uid="d.1"),
        replace(segment, headline="Other", summary="Other.", keywords=("pump",), page_first=3, sketch=b""),
    ]

    assert len({embedding_key(each) for each in [segment, *others]}) == 6
    assert {embedding_key(each) for each in indifferent} == {embedding_key(segment)}


def test_the_embedder_gets_full_batches_and_progress_is_reported_between_its_calls() -> None:
    embedder, reported = Digests(), list[tuple[int, int]]()
    segments = cut(sections(240, 14))

    embed_segments(embedder, segments, {}, lambda done, total: reported.append((done, total)))

    assert all(EMBED_BATCH_SIZE <= len(call) < EMBED_BATCH_SIZE + 16 for call in embedder.calls[:-1])
    assert len(embedder.calls) > 2
    assert reported[0] == (0, len(segments))
    assert reported[-1] == (len(segments), len(segments))
    assert [done for done, _ in reported] == sorted({done for done, _ in reported})
    assert len(reported) == len(embedder.calls) + 1


def test_a_passage_that_comes_twice_is_embedded_once_and_has_two_ids() -> None:
    same = [Block(BlockKind.HEADING, "Part", level=1), Block(BlockKind.PARAGRAPH, "The same words.")]
    embedder = Digests()

    embedded = embed_segments(embedder, cut([*same, *same]), {}, quiet)

    assert embedded.embedded_count == 1
    assert [len(call) for call in embedder.calls] == [1]
    assert len({held.segment.uid for held in embedded.inputs}) == 2


def test_documents_that_are_nearly_the_same_have_sketches_that_are() -> None:
    one, again, other = sections(20, 12), sections(20, 12)[:-2], sections(20, 3)[::-1]

    assert resemblance(document_sketch(cut(one)), document_sketch(cut(one, 2, "Other title"))) == 1.0
    assert 0.8 < resemblance(document_sketch(cut(one)), document_sketch(cut(again))) < 1.0
    assert resemblance(document_sketch(cut(one)), document_sketch(cut(other))) < 0.5
