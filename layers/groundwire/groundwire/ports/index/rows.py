"""Rows of an index: segments with their vectors, by document and version."""

from dataclasses import dataclass

from groundwire.domain.documents.segment import Segment
from groundwire.ports.models import Vector


@dataclass(frozen=True, slots=True)
class SegmentVectors:
    """The vectors of one segment.

    Attributes:
        passage: vector of the heading path and the text.
        windows: vectors of each of `domain.passages.windows` after the title, then of each question; none for a
            passage that is one window.
    """

    passage: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """A segment to index, the vector of its heading path and text, and the vectors of its windows."""

    segment: Segment
    vector: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """One version of a document, to which index rows belong."""

    doc_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Span:
    """The segments of a version of a document with an ordinal from `first` to `last`, both included."""

    document: DocumentVersion
    first: int
    last: int
