"""Catalogue queries: rows that a principal may read, listed, counted or sampled without a phrase.

`LexicalIndex.select` answers all of them, so that one place applies the access rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.passages.value_counts import ValueCounts
from groundwire.domain.search.request import DocumentSelection

A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True, slots=True)
class RowSelection:
    """The rows that access rule and narrowing leave; the members have the meaning of those of `IndexQuery`."""

    principal: Principal
    collections: Sequence[str]
    documents: DocumentSelection
    where: Filter | None


@dataclass(frozen=True, slots=True)
class RowListing:
    """The first segments of a selection by document, version, ordinal and uid; `total` counts those left out, too."""

    segments: Sequence[Segment]
    total: int


@dataclass(frozen=True, slots=True)
class RowQuery(Generic[A_co]):
    """A query whose answer has the type `A_co`; each subclass names what it returns of the rows.

    Attributes:
        rows: the rows to answer about.
    """

    rows: RowSelection


@dataclass(frozen=True, slots=True)
class FirstRows(RowQuery[RowListing]):
    """Result of a listing: its rows up to `most`, and the number of all."""

    most: int


@dataclass(frozen=True, slots=True)
class RowsByCollection(RowQuery[Mapping[str, int]]):
    """The number of rows by collection; one without such a row is absent.

    While a document has rows of two versions, those of both count.
    """


@dataclass(frozen=True, slots=True)
class RowsByValue(RowQuery[ValueCounts]):
    """The most frequent values of a field, at most `most`; rows count as in `RowsByCollection`.

    Rows of an earlier form lack the document's own fields.
    """

    field: str
    most: int


@dataclass(frozen=True, slots=True)
class DocumentsByCollection(RowQuery[Mapping[str, Sequence[str]]]):
    """Ids of documents by collection; a collection without such a document is absent.

    Attributes:
        excluded: ids that are not returned; another document is returned instead, if there is one.
        most: maximum of ids per collection, at least 1.
    """

    excluded: frozenset[str]
    most: int


@dataclass(frozen=True, slots=True)
class DocumentsByField(RowQuery[Mapping[str, Mapping[FieldType, Sequence[str]]]]):
    """Ids of documents by metadata field and type of its values; rows of an earlier form may be left out.

    Attributes:
        most: maximum of ids per field and type, at least 1.
    """

    most: int
