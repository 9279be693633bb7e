"""What a passage is called and what it says, in its own words."""

import re
from itertools import takewhile
from typing import Final

from groundwire.domain.documents import Chunk
from groundwire.domain.limits import HEADLINE_MAX_WORDS
from groundwire.domain.sentences import sentences

_SUMMARY_MAX: Final = 300
_WORD_MAX: Final = 40
_CELL: Final = " | "
_MARKS: Final = re.compile(r"^(?:[-*+#>]+\s+)+|[*_`~]{2,}|`|\|")
_GENERIC_WORDS: Final = 1
_COLUMNS_NAMED: Final = 4
_HEADING_LINES: Final = 8
"""How many headings with nothing between them are looked through for the innermost one."""
_ENDS: Final = ".!?\u2026:\u3002\uff01\uff1f\"'\u201d\u2019)"


def headline(chunk: Chunk, title: str) -> str:
    """At most ten words that name the passage: its heading, made distinct where that alone says little.

    Args:
        chunk: the passage.
        title: the document's title, used where the passage has no heading or a one-word one.
    """
    heading = _plain(chunk.heading_path[-1]) if chunk.heading_path else ""
    body = _body(chunk)
    if not heading:
        return _joined(_plain(title), _opening(body)) or _shortened(_plain(chunk.text), HEADLINE_MAX_WORDS)
    if not _starts_section(chunk):
        return _joined(heading, _opening(body))
    return _joined(_plain(title), heading) if len(heading.split()) <= _GENERIC_WORDS else _joined(heading, "")


def summary(chunk: Chunk) -> str:
    """The first one or two sentences of the passage itself; for a table, what it lists and how much."""
    body = _body(chunk)
    if body and _CELL in body[0]:
        return _table_summary(body)
    prose = " ".join(_plain(line) for line in takewhile(lambda line: _CELL not in line, body))
    text = prose or _plain(chunk.text)
    first, *rest = [part.strip() for part in sentences(text)] or [""]
    second = rest[0] if rest and len(first) + len(rest[0]) < _SUMMARY_MAX else ""
    return _ended(_fitting(f"{first} {second}".strip()))


def _body(chunk: Chunk) -> list[str]:
    """The lines of the passage without the headings it begins with."""
    lines = [line for line in chunk.text.splitlines() if line.strip()]
    headings = [at for at, line in enumerate(lines[:_HEADING_LINES]) if line in chunk.heading_path[-1:]]
    return lines[headings[0] + 1 :] if headings else lines


def _starts_section(chunk: Chunk) -> bool:
    return bool(chunk.heading_path) and chunk.heading_path[-1] in chunk.text.splitlines()


def _plain(text: str) -> str:
    """Without list and emphasis marks or cell borders, on one line."""
    return " ".join(_MARKS.sub(" ", text).split())


def _opening(body: list[str]) -> str:
    """The first words of the body; of a table, its columns, since half a row says nothing."""
    if not body:
        return ""
    if _CELL in body[0]:
        names = [_plain(name) for name in body[0].split(_CELL) if _plain(name)]
        return ", ".join(names[:_COLUMNS_NAMED])
    return sentences(_plain(body[0]) or _plain(" ".join(body)) or " ")[0].strip()


def _joined(first: str, second: str) -> str:
    """`first: second`, the second cut to the words that are left, at least three or none at all."""
    if not first or not second or first.casefold() == second.casefold():
        return _shortened(first or second, HEADLINE_MAX_WORDS)
    room = HEADLINE_MAX_WORDS - len(first.split())
    if room < min(3, len(second.split())):
        return _shortened(first, HEADLINE_MAX_WORDS)
    return f"{first.rstrip(' :')}: {_shortened(second, room)}"


def _shortened(text: str, words: int) -> str:
    """At most so many words; scripts without spaces are cut by characters."""
    found = text.split()
    kept = [word if len(word) <= _WORD_MAX else f"{word[: _WORD_MAX - 1]}\u2026" for word in found[:words]]
    short = " ".join(kept)
    return f"{short.rstrip(' ,;:.')}\u2026" if len(found) > words else short.rstrip(" ,;:") or text


def _table_summary(lines: list[str]) -> str:
    rows = list(takewhile(lambda line: _CELL in line, lines))
    names = [_plain(name) for name in rows[0].split(_CELL) if _plain(name)]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    count = len(rows) - 1
    sized = f" with {count} row{'' if count == 1 else 's'}" if count else ""
    return _ended(_fitting(f"Table of {listed}" if listed else "Table") + sized)


def _fitting(text: str) -> str:
    if len(text) <= _SUMMARY_MAX:
        return text
    return f"{text[:_SUMMARY_MAX].rsplit(' ', 1)[0].rstrip(' ,;:')}\u2026"


def _ended(text: str) -> str:
    return text if not text or text[-1] in _ENDS else f"{text}."
