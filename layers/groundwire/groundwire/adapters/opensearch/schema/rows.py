"""Segments as documents of the engine: one for the passage, one for each of its windows.

A passage and its windows share `row`. Each has the fields of access rule and filter, because both apply within every
query. `number` distinguishes windows and is -1 for the passage. `digest` identifies the indexed content and `rule` the
readers: a writer compares them to find what has changed. `written` distinguishes copies of one row where the service
assigns the ids. `language` is the language of a passage, `analyzer` the one as which its words are analysed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from groundwire.adapters.codecs import segment_json
from groundwire.adapters.lexical.file_name_words import searched_file_words
from groundwire.adapters.lexical.weighting import passage_terms
from groundwire.adapters.opensearch.connection.client import compact_json
from groundwire.adapters.opensearch.schema.access_filter import readers_fields
from groundwire.adapters.opensearch.schema.metadata_terms import metadata_terms
from groundwire.adapters.opensearch.schema.packed_segment import packed_fields
from groundwire.adapters.opensearch.schema.terms import term_fields
from groundwire.adapters.opensearch.schema.vectors import vector_fields
from groundwire.domain import errors
from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, ModelId, SegmentInput, Vector

PASSAGE: Final = "passage"
WINDOW: Final = "window"
NO_WINDOW: Final = -1

_MAX_ID_BYTES: Final = 512


@dataclass(frozen=True, slots=True)
class IndexRow:
    """Document of the engine, to be written.

    Attributes:
        key: unique within the index; the id, where the service accepts one.
        fields: all fields but those of the readers.
    """

    key: str
    digest: str
    fields: Mapping[str, Any]


def to_rows(
    document: DocumentVersion, segments: Sequence[SegmentInput], metadata: Metadata, model: ModelId
) -> dict[str, IndexRow]:
    """Return the rows by key; of two segments with one uid the first counts.

    Raises:
        InvalidInput: a vector is not of the index's model, or a segment is not of `document`.
    """
    found: dict[str, IndexRow] = {}
    terms = metadata_terms(metadata)
    for segment_input in segments:
        if DocumentVersion(segment_input.segment.doc_id, segment_input.segment.version) != document:
            raise errors.InvalidInput("A segment names another document or version than the one it is put for.")
        title = segment_input.segment.title
        if passage_key(segment_input.segment) not in found:
            found |= {row.key: row for row in _rows(segment_input, terms, model, searched_file_words(metadata, title))}
    return found


def passage_key(segment: Segment) -> str:
    """Return the key of the segment's passage."""
    return f"{segment.uid}@{segment.version}"


def row_key(row: str, number: int) -> str:
    """Return the key of a row's passage, or of its window of this number."""
    return row if number == NO_WINDOW else f"{row}#{number}"


def engine_id(key: str) -> str:
    """Return the engine's id for a key; ids are limited to 512 bytes, and owners may choose longer keys."""
    return key if len(key.encode()) <= _MAX_ID_BYTES else blake2b(key.encode(), digest_size=32).hexdigest()


def stored_readers_fields(readers: Readers) -> dict[str, Any]:
    """Return the fields of a document's readers, with their digest as `rule`."""
    return {**readers_fields(readers), "rule": _digest(policy_json.readers_to_json(readers))}


def _rows(segment_input: SegmentInput, terms: list[str], model: ModelId, file_words: str) -> Iterator[IndexRow]:
    segment = segment_input.segment
    common = {
        "row": passage_key(segment),
        "uid": segment.uid,
        "doc_id": segment.doc_id,
        "version": segment.version,
        "ordinal": segment.ordinal,
        "collection": segment.collection,
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "metadata": terms,
    }
    passage = {
        "windows": len(segment_input.windows),
        "language": segment.language,
        **term_fields(passage_terms(segment, file_words)),
        "segment": segment_json.to_members(segment),
    }
    yield _passage_row(_row(common, PASSAGE, NO_WINDOW, segment_input.vector, model, passage), segment)
    for number, window in enumerate(segment_input.windows):
        yield _row(common, WINDOW, number, window, model, {})


def _passage_row(row: IndexRow, segment: Segment) -> IndexRow:
    """Add the packed segment, which no digest contains: another release of the compression may write other bytes."""
    members = segment_json.with_later_members(row.fields["segment"], segment)
    return replace(row, fields={**row.fields, **packed_fields(members)})


def _row(
    common: Mapping[str, Any], kind: str, number: int, vector: Vector, model: ModelId, more: Mapping[str, Any]
) -> IndexRow:
    fields = {**common, **more, "kind": kind, "number": number, **vector_fields(vector, model)}
    digest = _digest(compact_json(fields))
    return IndexRow(row_key(common["row"], number), digest, {**fields, "digest": digest})


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
