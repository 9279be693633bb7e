"""What a passage is called, in its own words."""

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from groundwire.domain.passages.lines import (
    body_lines,
    column_names,
    informative_sentences,
    plain_text,
    without_numbering,
)
from groundwire.domain.text.stop_words import ENGLISH_STOP_WORDS
from groundwire.domain.text.words import words

_WORD_MAX: Final = 40
_GENERIC_WORDS: Final = 1
_MAX_COLUMNS_NAMED: Final = 4
_ROW_NAME: Final = re.compile(r"(?!- )[^:\n]{1,40}: [^\n]{1,40}\n(?!- )[^:\n]{1,80}: .+")
"""A row that is spelled out cell by cell, its own name first."""
_MAX_OPENING_SENTENCES: Final = 6
"""How many sentences are looked through for one that begins where a sentence begins."""
_MIN_INFORMATIVE_WORDS: Final = 3
"""Words of an opening that say something."""


def repeated_headings(chunks: Sequence[Chunk]) -> frozenset[str]:
    """Headings, without their numbers, that more than one section of the document has, such as "Specific options"."""
    paths = {chunk.heading_path for chunk in chunks if chunk.heading_path}
    counted = Counter(_unnumbered(path[-1]) for path in paths)
    return frozenset(heading for heading, count in counted.items() if count > 1)


def headline(chunk: Chunk, title: str, repeated: AbstractSet[str]) -> str:
    """At most ten words that name the passage: its heading, made distinct where that alone says little.

    Args:
        chunk: the passage.
        title: the document's title, used where nothing stands above the passage, or too little.
        repeated: the document's `repeated_headings`.
    """
    heading = _clean_heading(chunk.heading_path[-1]) if chunk.heading_path else ""
    opening = _opening(body_lines(chunk))
    if not heading:
        return _join_within_limit(_clean_heading(title), opening) or _truncate_words(
            plain_text(chunk.text), HEADLINE_MAX_WORDS
        )
    named = (
        _qualified_heading(_parent_heading(chunk, title, repeated), heading)
        if _is_generic(heading, repeated)
        else heading
    )
    return _join_within_limit(named, "" if _starts_section(chunk) else opening)


def _clean_heading(heading: str) -> str:
    return plain_text(heading).replace(" : ", ": ")


def _unnumbered(heading: str) -> str:
    return without_numbering(_clean_heading(heading)).casefold()


def _parent_heading(chunk: Chunk, title: str, repeated: AbstractSet[str]) -> str:
    """What a heading that says little stands under: the next heading above that says more, or the title."""
    above = (_clean_heading(heading) for heading in reversed(chunk.heading_path[:-1]))
    return without_numbering(next((name for name in above if not _is_generic(name, repeated)), _clean_heading(title)))


def _is_generic(heading: str, repeated: AbstractSet[str]) -> bool:
    unnumbered = _unnumbered(heading)
    return len(unnumbered.split()) <= _GENERIC_WORDS or unnumbered in repeated


def _qualified_heading(parent: str, heading: str) -> str:
    """`above: heading`, or the other way round where what stands above must be cut."""
    name = without_numbering(heading)
    if not parent or parent.casefold() == name.casefold():
        return heading
    if len(parent.split()) + len(name.split()) <= HEADLINE_MAX_WORDS:
        return f"{parent.rstrip(' :')}: {name}"
    return _join_within_limit(name, parent)


def _starts_section(chunk: Chunk) -> bool:
    return bool(chunk.heading_path) and chunk.heading_path[-1] in chunk.text.splitlines()


def _opening(lines: list[str]) -> str:
    """The first sentence of the body that is whole; of a table, its columns, since half a row says nothing."""
    if names := column_names(lines):
        return ", ".join(names[:_MAX_COLUMNS_NAMED])
    if _ROW_NAME.fullmatch("\n".join(lines[:2])):
        return plain_text(lines[0])
    prose = list(islice(informative_sentences(lines), _MAX_OPENING_SENTENCES))
    whole = [sentence for sentence in prose if not sentence[0].islower()] or prose
    return next(
        (sentence for sentence in whole if len(words(sentence)) > _MIN_INFORMATIVE_WORDS), whole[0] if whole else ""
    )


def _join_within_limit(first: str, second: str) -> str:
    """`first: second`, the second cut to the words that are left; alone where the first leaves too little room."""
    if not first or not second or first.casefold() == second.casefold():
        return _truncate_words(first or second, HEADLINE_MAX_WORDS)
    room = HEADLINE_MAX_WORDS - len(first.split())
    if room < min(_MIN_INFORMATIVE_WORDS, len(second.split())):
        return _truncate_words(second, HEADLINE_MAX_WORDS)
    return f"{first.rstrip(' :')}: {_truncate_words(second, room)}"


def _truncate_words(text: str, room: int) -> str:
    """At most so many words, the last of them no article or the like; scripts without spaces are cut by characters."""
    found = text.split()
    kept = [word if len(word) <= _WORD_MAX else f"{word[: _WORD_MAX - 1]}\u2026" for word in found[:room]]
    if len(found) <= room:
        return " ".join(kept).rstrip(" ,;:") or text
    while len(kept) > _MIN_INFORMATIVE_WORDS and kept[-1].casefold() in ENGLISH_STOP_WORDS:
        kept.pop()
    return f"{_without_open_bracket(' '.join(kept)).rstrip(' ,;:.')}\u2026"


def _without_open_bracket(text: str) -> str:
    """What stands before a bracket that was to be closed in what is cut off."""
    opened = text.rfind("(")
    return text[:opened] if opened > 0 and ")" not in text[opened:] else text
