"""Search request: what one call searches for, narrowed to what its key allows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal, Self

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import MAX_TOP_N

ALL_DOCUMENTS: Final = "every"
"""A request that does not narrow by document; an empty set means no document."""

DocumentSelection = frozenset[str] | Literal["every"]
"""Document ids, or `ALL_DOCUMENTS`."""


class SearchMode(StrEnum):
    """Kinds of scores that rank the passages.

    `HYBRID`: lexical and semantic. `SEMANTIC`: semantic only. `LEXICAL`: lexical only, and no phrase is embedded.
    """

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search: each field narrows what the caller may read, and none widens it.

    Attributes:
        phrases: at least one, the user's own words first, of any length.
        collections: names, or `ALL_COLLECTIONS` for every collection that the caller's key allows.
        documents: ids, or `ALL_DOCUMENTS`.
        where: filter over metadata; None: no filter.
        top_n: maximum number of passages.
        mode: scores by which candidates are chosen.
        min_relevance: passages of less relevance are dropped, and the floor is off (0: nothing is dropped); None: those
            below the floor are dropped.
        max_distance: passages whose cosine distance is not smaller are dropped; None: nothing is dropped.
        has_lexical_order: the lexical score alone gives the order, and a passage without a word of a phrase is left
            out; the phrases are embedded all the same, unless the mode is `LEXICAL`.
        vectors: vectors of the phrases, by the model of the index; None in it: that phrase is embedded. Empty: all are.
    """

    phrases: tuple[str, ...]
    collections: CollectionGrant
    documents: DocumentSelection
    where: Filter | None
    top_n: int
    mode: SearchMode
    min_relevance: float | None = None
    max_distance: float | None = None
    has_lexical_order: bool = False
    vectors: tuple[tuple[float, ...] | None, ...] = ()

    @classmethod
    def for_caller(
        cls,
        caller: Caller,
        phrases: Sequence[str],
        *,
        collections: CollectionGrant,
        documents: DocumentSelection,
        where: Filter | None,
        top_n: int | None = None,
        max_top_n: int = MAX_TOP_N,
        mode: SearchMode = SearchMode.HYBRID,
    ) -> Self:
        """Make the request of a call from the caller's key and from what the call asks for.

        Args:
            caller: the key and the principal of the call.
            phrases: at least one, the user's own words first.
            collections: the call's collections; those that the key does not allow are left out.
            documents: the call's documents.
            where: the call's filter.
            top_n: the call's number of passages, bounded by 1 and `max_top_n`; None: the key's.
            max_top_n: the largest number that the caller's interface allows.
            mode: scores by which candidates are chosen.
        """
        wanted = caller.options.top_n if top_n is None else top_n
        return cls(
            phrases=tuple(phrases),
            collections=_allowed_collections(caller, collections),
            documents=documents,
            where=where,
            top_n=max(1, min(wanted, max_top_n)),
            mode=mode,
        )

    @property
    def is_empty(self) -> bool:
        """Return whether the request excludes every document."""
        return not self.collections or not self.documents

    def as_semantic(self) -> Self:
        """Return the request for an index without words.

        Raises:
            InvalidInput: the request asks for words alone.
        """
        if self.mode is SearchMode.LEXICAL or self.has_lexical_order:
            raise InvalidInput("This index stores vectors alone and cannot be searched by words.")
        return replace(self, mode=SearchMode.SEMANTIC)

    def bm25_weight(self, weight: float) -> float:
        """Return the BM25 weight of a collection that has `weight` of its own."""
        if self.mode is SearchMode.SEMANTIC:
            return 0.0
        return 1.0 if self.has_lexical_order else weight

    def includes_collection(self, collection: str) -> bool:
        """Return whether the request searches this collection."""
        return self.collections == ALL_COLLECTIONS or collection in self.collections


def _allowed_collections(caller: Caller, requested: CollectionGrant) -> CollectionGrant:
    if requested == ALL_COLLECTIONS:
        return caller.collections
    return frozenset(name for name in requested if caller.allows_collection(name))
