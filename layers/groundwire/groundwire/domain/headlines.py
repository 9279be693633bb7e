"""What a passage is called, in its own words."""

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Final

from groundwire.domain.documents import Chunk
from groundwire.domain.function_words import ENGLISH
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from groundwire.domain.passage_lines import body, columns, plain, told, without_numbering
from groundwire.domain.words import words

_WORD_MAX: Final = 40
_GENERIC_WORDS: Final = 1
_COLUMNS_NAMED: Final = 4
_ROW_NAME: Final = re.compile(r"(?!- )[^:\n]{1,40}: [^\n]{1,40}\n(?!- )[^:\n]{1,80}: .+")
"""A row that is spelled out cell by cell, its own name first."""
_OPENINGS: Final = 6
"""How many sentences are looked through for one that begins where a sentence begins."""
_LEAST: Final = 3
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
    heading = _tidy(chunk.heading_path[-1]) if chunk.heading_path else ""
    opening = _opening(body(chunk))
    if not heading:
        return _joined(_tidy(title), opening) or _shortened(plain(chunk.text), HEADLINE_MAX_WORDS)
    named = _beneath(_above(chunk, title, repeated), heading) if _is_generic(heading, repeated) else heading
    return _joined(named, "" if _starts_section(chunk) else opening)


def _tidy(heading: str) -> str:
    return plain(heading).replace(" : ", ": ")


def _unnumbered(heading: str) -> str:
    return without_numbering(_tidy(heading)).casefold()


def _above(chunk: Chunk, title: str, repeated: AbstractSet[str]) -> str:
    """What a heading that says little stands under: the next heading above that says more, or the title."""
    above = (_tidy(heading) for heading in reversed(chunk.heading_path[:-1]))
    return without_numbering(next((name for name in above if not _is_generic(name, repeated)), _tidy(title)))


def _is_generic(heading: str, repeated: AbstractSet[str]) -> bool:
    unnumbered = _unnumbered(heading)
    return len(unnumbered.split()) <= _GENERIC_WORDS or unnumbered in repeated


def _beneath(above: str, heading: str) -> str:
    """`above: heading`, or the other way round where what stands above must be cut."""
    name = without_numbering(heading)
    if not above or above.casefold() == name.casefold():
        return heading
    if len(above.split()) + len(name.split()) <= HEADLINE_MAX_WORDS:
        return f"{above.rstrip(' :')}: {name}"
    return _joined(name, above)


def _starts_section(chunk: Chunk) -> bool:
    return bool(chunk.heading_path) and chunk.heading_path[-1] in chunk.text.splitlines()


def _opening(lines: list[str]) -> str:
    """The first sentence of the body that is whole; of a table, its columns, since half a row says nothing."""
    if names := columns(lines):
        return ", ".join(names[:_COLUMNS_NAMED])
    if _ROW_NAME.fullmatch("\n".join(lines[:2])):
        return plain(lines[0])
    prose = list(islice(told(lines), _OPENINGS))
    whole = [sentence for sentence in prose if not sentence[0].islower()] or prose
    return next((sentence for sentence in whole if len(words(sentence)) > _LEAST), whole[0] if whole else "")


def _joined(first: str, second: str) -> str:
    """`first: second`, the second cut to the words that are left; alone where the first leaves too little room."""
    if not first or not second or first.casefold() == second.casefold():
        return _shortened(first or second, HEADLINE_MAX_WORDS)
    room = HEADLINE_MAX_WORDS - len(first.split())
    if room < min(_LEAST, len(second.split())):
        return _shortened(second, HEADLINE_MAX_WORDS)
    return f"{first.rstrip(' :')}: {_shortened(second, room)}"


def _shortened(text: str, room: int) -> str:
    """At most so many words, the last of them no article or the like; scripts without spaces are cut by characters."""
    found = text.split()
    kept = [word if len(word) <= _WORD_MAX else f"{word[: _WORD_MAX - 1]}\u2026" for word in found[:room]]
    if len(found) <= room:
        return " ".join(kept).rstrip(" ,;:") or text
    while len(kept) > _LEAST and kept[-1].casefold() in ENGLISH:
        kept.pop()
    return f"{_without_open_bracket(' '.join(kept)).rstrip(' ,;:.')}\u2026"


def _without_open_bracket(text: str) -> str:
    """What stands before a bracket that was to be closed in what is cut off."""
    opened = text.rfind("(")
    return text[:opened] if opened > 0 and ")" not in text[opened:] else text
