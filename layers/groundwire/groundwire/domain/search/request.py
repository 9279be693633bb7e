"""Search request: what one call searches for, narrowed to what its key allows, and the part of a phrase that counts."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final, Literal, Self

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_PHRASE_WORDS, MAX_TOP_N

_WORD: Final = re.compile(r"\S+")
_MAX_WORD_CHARACTERS: Final = 100
"""Length above which a run without a space is cut between characters: its script has no spaces, or it is no word."""
_JOINER: Final = "\u200d"
_CONTINUATION_CHARACTERS: Final = re.compile("[\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff\u200d]")
"""Characters that continue the one before them, though their category is not `Mark`: vowels of Thai and Lao, vowels and
final consonants of decomposed Korean syllables, skin tones, the zero-width joiner.
"""


def truncate_phrase(phrase: str) -> str:
    """Return the part of the phrase that is searched: its first `MAX_PHRASE_WORDS` words and `MAX_PHRASE_CHARACTERS`.

    A phrase within both limits is returned unchanged. The cut is between two words where words are written with spaces,
    and never between a letter and its marks.
    """
    if len(phrase) <= MAX_PHRASE_CHARACTERS and _end_of_words(phrase) is None:
        return phrase
    text = _first_characters(phrase.strip())
    return text[: _end_of_words(text)]


def _end_of_words(text: str) -> int | None:
    """Return where the last searched word ends; None when no word is beyond the limit."""
    # One word beyond the limit is enough to know: a pasted book is not read to its end.
    words = list(islice(_WORD.finditer(text), MAX_PHRASE_WORDS + 1))
    return None if len(words) <= MAX_PHRASE_WORDS else words[-2].end()


def _first_characters(text: str) -> str:
    if len(text) <= MAX_PHRASE_CHARACTERS:
        return text
    first = text[:MAX_PHRASE_CHARACTERS]
    if text[MAX_PHRASE_CHARACTERS].isspace():
        return first.rstrip()
    *before, last = first.rsplit(maxsplit=1)
    if before and len(last) <= _MAX_WORD_CHARACTERS:
        return before[0]
    return text[: _end_of_character(text)]


def _end_of_character(text: str) -> int:
    """Return the last position within the limit that is not inside a character as people count them."""
    end = MAX_PHRASE_CHARACTERS
    while end and _is_inside(text, end):
        end -= 1
    # A phrase of marks alone has no better place for a cut.
    return end or MAX_PHRASE_CHARACTERS


def _is_inside(text: str, position: int) -> bool:
    following = text[position]
    is_mark = unicodedata.category(following).startswith("M")
    return is_mark or text[position - 1] == _JOINER or _CONTINUATION_CHARACTERS.match(following) is not None


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
