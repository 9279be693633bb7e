"""Passages found without a phrase: listed in one order, and counted by collection and by the values of a field.

Up to `MAX_LISTED_PASSAGES` matches are read, checked against the registry and counted one by one, so every number is
exact. Of more, the first are checked, and numbers are those of the index under the caller's rights. These follow a
change of policy when the index does, and count both versions of a document that is being replaced. A filter that the
index cannot decide must be narrowed then.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from groundwire.domain.documents.indexed_fields import FILE_PATH_FIELD, PAGE_FIELD, searchable_fields
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput, Superseded
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import MAX_LISTED_PASSAGES, MAX_REGISTRY_READS, SEARCH_SECONDS
from groundwire.domain.passages.value_counts import ValueCounts, most_frequent
from groundwire.domain.search.fusion import RankedCandidate
from groundwire.domain.search.request import DocumentSelection
from groundwire.ports import (
    Documents,
    FirstRows,
    Indexes,
    LexicalIndex,
    RowsByCollection,
    RowsByValue,
    RowSelection,
    lexical_half,
)
from groundwire.ports.deadline import time_limit
from groundwire.services.search.candidates.access_check import check_access, check_filter
from groundwire.services.search.results import Passage

T = TypeVar("T")

_NO_SCORE: Final = 0.0
_UNCOUNTED_FIELDS: Final = frozenset({PAGE_FIELD, FILE_PATH_FIELD})
"""Fields that no row of an index has."""


@dataclass(frozen=True, slots=True)
class PassageSelection:
    """Passages of these collections and documents that pass the filter.

    Attributes:
        collections: names; those that the caller's key does not cover are left out.
        documents: ids, or `ALL_DOCUMENTS`.
        where: filter; None: no filter.
    """

    collections: Collection[str]
    documents: DocumentSelection
    where: Filter | None


@dataclass(frozen=True, slots=True)
class Matches:
    """Passages of a selection that the caller may read at this moment.

    Attributes:
        passages: the first ones by document, version and place in it, without a score.
        total: number of all; exact where the passages are all.
        is_complete: the passages are all.
    """

    passages: Sequence[Passage]
    total: int
    is_complete: bool

    def count(self) -> Mapping[str, int]:
        """Return the number of the passages by collection."""
        return Counter(passage.segment.collection for passage in self.passages)

    def count_values(self, field: str, most: int) -> ValueCounts:
        """Return the most frequent values of a field of the passages."""
        found = (searchable_fields(each.document, each.segment.page_first) for each in self.passages)
        return most_frequent([(fields[field], 1) for fields in found if field in fields], most)


class PassageListing:
    """Passages without a phrase, under the rights of a caller."""

    def __init__(self, indexes: Indexes, documents: Documents) -> None:
        self._indexes = indexes
        self._documents = documents

    def matches(self, caller: Caller, selection: PassageSelection) -> Matches:
        """Return the matches.

        Raises:
            InvalidInput: too many rows may match a filter that only records decide, or the filter is too large.
        """
        return self._ask(caller, selection, lambda index, rows: self._matches(caller, index, rows))

    def count(self, caller: Caller, selection: PassageSelection) -> Mapping[str, int]:
        """Return the number of matches by collection; one without a match is absent.

        Raises:
            InvalidInput: as `matches`.
        """

        def count(index: LexicalIndex, rows: RowSelection) -> Mapping[str, int]:
            numbers = index.select(RowsByCollection(rows))
            if sum(numbers.values()) <= MAX_LISTED_PASSAGES:
                matches = self._matches(caller, index, rows)
                if matches.is_complete:
                    return matches.count()
            _check_decidable(rows)
            return numbers

        return self._ask(caller, selection, count)

    def count_values(self, caller: Caller, selection: PassageSelection, field: str, most: int) -> ValueCounts:
        """Return the most frequent values of a field of the matches; a list counts for each of its distinct items.

        Args:
            caller: whose rights decide.
            selection: the passages.
            field: field of metadata, or own field such as `/title`.
            most: maximum of values.

        Raises:
            InvalidInput: as `matches`; or the field is one of a passage, and the matches are too many.
        """

        def count(index: LexicalIndex, rows: RowSelection) -> ValueCounts:
            if sum(index.select(RowsByCollection(rows)).values()) <= MAX_LISTED_PASSAGES:
                matches = self._matches(caller, index, rows)
                if matches.is_complete:
                    return matches.count_values(field, most)
            _check_decidable(rows)
            if field in _UNCOUNTED_FIELDS:
                raise _too_many_matches("a field that passages have each for itself")
            return index.select(RowsByValue(rows, field, most))

        return self._ask(caller, selection, count)

    def dimension(self, caller: Caller) -> int:
        """Return the number of dimensions of the vectors of the caller's index."""
        return self._indexes.for_tenant(caller.principal.tenant).model.dimension

    def _ask(self, caller: Caller, selection: PassageSelection, ask: Callable[[LexicalIndex, RowSelection], T]) -> T:
        if selection.where is not None:
            from groundwire.domain.filters.size import check_size

            check_size(selection.where)
        names = sorted({name for name in selection.collections if caller.allows_collection(name)})
        rows = RowSelection(caller.principal, names, selection.documents, selection.where)
        tenant = caller.principal.tenant
        with time_limit(SEARCH_SECONDS):
            try:
                return ask(lexical_half(self._indexes.for_tenant(tenant)), rows)
            except Superseded:
                # Another generation became live meanwhile.
                return ask(lexical_half(self._indexes.for_tenant(tenant)), rows)

    def _matches(self, caller: Caller, index: LexicalIndex, rows: RowSelection) -> Matches:
        listing = index.select(FirstRows(rows, MAX_LISTED_PASSAGES + 1))
        is_complete = listing.total <= MAX_LISTED_PASSAGES
        if not is_complete:
            _check_decidable(rows)
        segments = listing.segments[:MAX_LISTED_PASSAGES]
        passages = self._checked(caller, segments)
        if rows.where is not None:
            passages = check_filter(rows.where, passages)
        return Matches(passages, len(passages) if is_complete else listing.total, is_complete)

    def _checked(self, caller: Caller, segments: Sequence[Segment]) -> list[Passage]:
        """Return the passages of those segments that the principal may read at this moment, in their order."""
        records = _BatchedRecords(self._documents)
        ranked = [RankedCandidate(place, _NO_SCORE) for place in range(len(segments))]
        return check_access(caller.principal, records, dict(enumerate(segments)), ranked, {}).passages


class _BatchedRecords:
    """Records that are read in batches of `MAX_REGISTRY_READS`."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """Return the records by document; absent ones are left out."""
        found: dict[str, Document] = {}
        for start in range(0, len(doc_ids), MAX_REGISTRY_READS):
            found |= self._documents.read(tenant, doc_ids[start : start + MAX_REGISTRY_READS])
        return found


def _check_decidable(rows: RowSelection) -> None:
    """Check that the index decides the filter of too many rows.

    Raises:
        InvalidInput: it does not.
    """
    if rows.where is not None:
        # Not before: a cold start without a filter does without the compiler.
        from groundwire.domain.filters.index.index_filter import index_filter

        if not index_filter(rows.where).is_exact:
            raise _too_many_matches("a filter that the index cannot decide")


def _too_many_matches(reason: str) -> InvalidInput:
    return InvalidInput(
        f"The call may match more than {MAX_LISTED_PASSAGES} passages, too many for {reason}. Narrow the query."
    )
