"""Searches of one tenant's index, and their results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import DocumentSelection, SearchMode
from groundwire.ports.models import Vector


@dataclass(frozen=True, slots=True)
class Phrase:
    """One search phrase and its vector; without a vector only the words of the phrase are searched."""

    text: str
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """A search of one tenant's index.

    The access rule and every narrowing apply before candidates are chosen, so a narrow filter does not reduce recall.

    Attributes:
        principal: only rows whose policy admits it are found.
        granted: collections that the caller's key covers. Statistics count the rows that principal and grant admit, and
            no others; narrowing by the members below changes no statistic.
        collections: names of the collections to search; none: no candidate.
        documents: ids of the documents to search, or `ALL_DOCUMENTS`; none: no candidate.
        where: filter over metadata; None: no filter. Rows that cannot decide it are found as well: the search evaluates
            it again on the records.
        phrases: at least one.
        mode: signals that choose the candidates. Under `LEXICAL` vectors are ignored, and under `SEMANTIC` words are.
        depth: candidates per phrase and signal.
    """

    principal: Principal
    granted: CollectionGrant
    collections: Sequence[str]
    documents: DocumentSelection
    where: Filter | None
    phrases: Sequence[Phrase]
    mode: SearchMode
    depth: int


# Numbers in SQLite, and ids of the engine in OpenSearch.
RowKey = int | str
"""An opaque key of an index row."""

# A callback, so that scores and segments are of one state of the index.
SelectRows = Callable[[Sequence[PhraseScores]], Sequence[RowKey]]
"""Chooses the rows whose segments are read, and calls no index; of several calls, the last has the final scores."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The result of one search, all of one state of the index.

    Attributes:
        scores: candidates of each phrase, in the order of the phrases. A signal that was not searched scores 0.
        segments: segments of the selected rows, by key; a row that the index no longer has is absent.
    """

    scores: Sequence[PhraseScores]
    segments: Mapping[RowKey, Segment]
