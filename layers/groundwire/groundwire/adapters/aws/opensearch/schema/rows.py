"""Segments as documents of the engine: one for the passage, one for each of its windows.

A passage and its windows share `row`, and each carries what access rule and filter judge, as both apply within every
query. `number` tells windows apart and is -1 for the passage. `digest` names what was indexed of it and `rule` its
policy: who writes again sees by them what is different. `written` tells copies of one row apart where the service
gives the ids.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from groundwire.adapters.aws.opensearch.connection.client import compact_json
from groundwire.adapters.aws.opensearch.schema.access_filter import policy_fields
from groundwire.adapters.aws.opensearch.schema.analysis import analyzer_language
from groundwire.adapters.aws.opensearch.schema.mapping import TEXT_FIELD_PREFIX
from groundwire.adapters.aws.opensearch.schema.metadata_filter import metadata_terms
from groundwire.adapters.aws.opensearch.schema.vectors import to_numbers
from groundwire.adapters.codecs import segment_json
from groundwire.domain import errors
from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, SegmentInput, Vector

PASSAGE: Final = "passage"
WINDOW: Final = "window"
NO_WINDOW: Final = -1

_MAX_ID_BYTES: Final = 512
_TITLE_WEIGHT: Final = 2
"""Times that the title stands in the analysed field: then its words weigh so much beside those of the text, exactly
as in BM25F with that weight."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A document of the engine that is to be there.

    Attributes:
        key: unique within the index; the id, where the service takes one.
        fields: all but the policy's.
    """

    key: str
    digest: str
    fields: Mapping[str, Any]


def to_rows(
    document: DocumentVersion, segments: Sequence[SegmentInput], metadata: Metadata, dimension: int
) -> dict[str, IndexRow]:
    """By key; of two segments with one uid the first stays.

    Raises:
        Invalid: a vector is not of the index's model, or a segment not of `document`.
    """
    found: dict[str, IndexRow] = {}
    terms = metadata_terms(metadata)
    for given in segments:
        if DocumentVersion(given.segment.doc_id, given.segment.version) != document:
            raise errors.InvalidInput("A segment names another document or version than the one it is put for.")
        if passage_key(given.segment) not in found:
            found |= {row.key: row for row in _rows(given, terms, dimension)}
    return found


def passage_key(segment: Segment) -> str:
    """The key of its passage."""
    return f"{segment.uid}@{segment.version}"


def row_key(row: str, number: int) -> str:
    """The key of the passage of a row, or of its window of this number."""
    return row if number == NO_WINDOW else f"{row}#{number}"


def engine_id(key: str) -> str:
    """The id under which the engine keeps it; ids end at 512 bytes, and owners may choose long ones."""
    return key if len(key.encode()) <= _MAX_ID_BYTES else blake2b(key.encode(), digest_size=32).hexdigest()


def stored_policy_fields(policy: Policy) -> dict[str, Any]:
    """The fields by which a policy is judged."""
    return {**policy_fields(policy), "rule": _digest(policy_json.to_json(policy))}


def to_segment(stored: Mapping[str, Any]) -> Segment:
    """What a passage holds of its segment."""
    return segment_json.from_members(stored)


def _rows(given: SegmentInput, terms: list[str], dimension: int) -> Iterator[IndexRow]:
    segment = given.segment
    told = {
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
        "windows": len(given.windows),
        f"{TEXT_FIELD_PREFIX}{analyzer_language(segment.language)}": _searchable_texts(segment),
        "segment": segment_json.to_members(segment),
    }
    yield _row(told, PASSAGE, NO_WINDOW, given.vector, dimension, passage)
    for number, window in enumerate(given.windows):
        yield _row(told, WINDOW, number, window, dimension, {})


def _row(
    told: Mapping[str, Any], kind: str, number: int, vector: Vector, dimension: int, more: Mapping[str, Any]
) -> IndexRow:
    fields = {**told, **more, "kind": kind, "number": number, "vector": to_numbers(vector, dimension)}
    digest = _digest(compact_json(fields))
    return IndexRow(row_key(told["row"], number), digest, {**fields, "digest": digest})


def _searchable_texts(segment: Segment) -> list[str]:
    """All words of a passage: its text with what an enricher added, its headings, and its document's title."""
    path = segment.heading_path
    # The outermost heading is often the title itself, and is counted once.
    below = path[1:] if path and path[0].split() == segment.title.split() else path
    return [*[segment.title] * _TITLE_WEIGHT, *below, segment.text, segment.context, *segment.questions]


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
