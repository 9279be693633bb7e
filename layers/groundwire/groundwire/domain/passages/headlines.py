"""Headlines: a name for each passage, from its headings and its own text."""

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import dropwhile, islice
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from groundwire.domain.passages.lines import (
    body_lines,
    column_names,
    informative_sentences,
    is_unit,
    plain_text,
    row_names,
    without_numbering,
)
from groundwire.domain.text.words import words
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_WORD_MAX: Final = 40
_GENERIC_WORDS: Final = 1
_MAX_COLUMNS_NAMED: Final = 4
_ROW_NAME: Final = re.compile(r"(?!- )[^:\n]{1,40}: [^\n]{1,40}\n(?!- )[^:\n]{1,80}: .+")
"""Table row as one line per cell, with the cell that names it first."""
_MAX_OPENING_SENTENCES: Final = 6
"""Number of sentences searched for one that starts where a sentence starts."""
_MIN_INFORMATIVE_WORDS: Final = 3
"""Minimum words of an informative opening."""


def repeated_headings(chunks: Sequence[Chunk]) -> frozenset[str]:
    """Return the headings, without numbers, that several sections of the document have, such as "Specific options"."""
    paths = {chunk.heading_path for chunk in chunks if chunk.heading_path}
    counted = Counter(_unnumbered(path[-1]) for path in paths)
    return frozenset(heading for heading, count in counted.items() if count > 1)


def headline(chunk: Chunk, title: str, repeated: AbstractSet[str]) -> str:
    """Return at most ten words that name the passage: its heading, made distinct where it is generic.

    Args:
        chunk: the passage.
        title: the document's title, used where the headings above are missing or generic.
        repeated: the document's `repeated_headings`.
    """
    heading = _clean_heading(chunk.heading_path[-1]) if chunk.heading_path else ""
    opening = (
        _page_name(chunk)
        if chunk.is_unverified
        else _opening(body_lines(chunk), has_column_names=chunk.has_column_names)
    )
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
    """Return the parent of a generic heading: the nearest heading above that is not generic, or the title."""
    above = (_clean_heading(heading) for heading in reversed(chunk.heading_path[:-1]))
    return without_numbering(next((name for name in above if not _is_generic(name, repeated)), _clean_heading(title)))


def _is_generic(heading: str, repeated: AbstractSet[str]) -> bool:
    unnumbered = _unnumbered(heading)
    return len(unnumbered.split()) <= _GENERIC_WORDS or unnumbered in repeated


def _qualified_heading(parent: str, heading: str) -> str:
    """Return `parent: heading`, or the reverse order where the parent must be truncated."""
    name = without_numbering(heading)
    if not parent or parent.casefold() == name.casefold():
        return heading
    if len(parent.split()) + len(name.split()) <= HEADLINE_MAX_WORDS:
        return f"{parent.rstrip(' :')}: {name}"
    return _join_within_limit(name, parent)


def _starts_section(chunk: Chunk) -> bool:
    return bool(chunk.heading_path) and chunk.heading_path[-1] in chunk.text.splitlines()


def _page_name(chunk: Chunk) -> str:
    """Return the page of a passage that has no text to name it by."""
    return f"Page {chunk.page_first}" if chunk.page_first is not None else ""


def _opening(lines: list[str], *, has_column_names: bool) -> str:
    """Return the first whole sentence of the body; for a table its caption, or its columns or rows.

    Part of a row is not informative.
    """
    lines = list(dropwhile(is_unit, lines)) or lines
    if names := row_names(lines, has_column_names=has_column_names) or column_names(lines):
        return ", ".join(names[:_MAX_COLUMNS_NAMED])
    if _ROW_NAME.fullmatch("\n".join(lines[:2])):
        return plain_text(lines[0])
    prose = list(islice(informative_sentences(lines), _MAX_OPENING_SENTENCES))
    # One that begins in lower case is the rest of a sentence of the passage before.
    whole = [sentence for sentence in prose if not sentence[0].islower()] or prose
    return next(
        (sentence for sentence in whole if len(words(sentence)) > _MIN_INFORMATIVE_WORDS), whole[0] if whole else ""
    )


def _join_within_limit(first: str, second: str) -> str:
    """Join as `first: second`, with the second truncated; return one alone if the first leaves too few words."""
    if not first or not second or first.casefold() == second.casefold():
        return _truncate_words(first or second, HEADLINE_MAX_WORDS)
    room = HEADLINE_MAX_WORDS - len(first.split())
    if room < min(_MIN_INFORMATIVE_WORDS, len(second.split())):
        return _truncate_words(second, HEADLINE_MAX_WORDS)
    return f"{first.rstrip(' :')}: {_truncate_words(second, room)}"


def _truncate_words(text: str, max_words: int) -> str:
    """Return at most `room` words, without a stop word at the end; words without spaces are cut by characters."""
    found = text.split()
    shown = [word if len(word) <= _WORD_MAX else f"{word[: _WORD_MAX - 1]}\u2026" for word in found[:max_words]]
    if len(found) <= max_words:
        return " ".join(shown).rstrip(" ,;:") or text
    while len(shown) > _MIN_INFORMATIVE_WORDS and shown[-1].casefold() in ENGLISH_STOP_WORDS:
        shown.pop()
    return f"{_without_open_bracket(' '.join(shown)).rstrip(' ,;:.')}\u2026"


def _without_open_bracket(text: str) -> str:
    """Return the text before a bracket whose closing bracket was cut off."""
    opened = text.rfind("(")
    return text[:opened] if opened > 0 and ")" not in text[opened:] else text
