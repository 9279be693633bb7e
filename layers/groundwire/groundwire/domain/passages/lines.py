"""Readable lines of a passage: without list marks, cell borders, numbering, leaders and citation marks."""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import Final

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.text.sentences import sentences
from groundwire.domain.text.words import words

CELL_SEPARATOR: Final = " | "
_MARKS: Final = re.compile(r"^(?:[-*+#>\u2022\u25aa\u25cf\u2023\u2043\u00b7]+\s+)+|[*_`~]{2,}|`|\|")
_CITATION_MARKS: Final = re.compile(
    r"(?<=[.,;:!?)\"\u201d\u2019])(?:\[(?:\d{1,3}|[a-z]|edit|citation needed)\])+(?::\s?\d+)?"
    r"|(?<=[a-z]{4})(?:\[\d{1,3}\])+(?=[\s.,;)]|$)"
)
# Possessive: a table of contents has long runs of dots, which would be tried in every length.
_LEADERS: Final = re.compile(r"(?:\s?[.\u2026_]){4,}+(?:\s*\d+)?")
_BEFORE_MARK: Final = re.compile(r"\s+([,;.)](?=\s|$))")
_NUMBERING: Final = re.compile(
    r"""^(?:
        (?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,5}|[IVX]{2,5})\)|\[\d{1,3}\])\s*(?=\S)  # (1)  a)  [12]
        |(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{2,5}|[IVX]{2,5})\.\s+            # 1.  3.8.3.  c.
        |(?:\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?:\s\d{1,3})*)\s+(?=[^\W\d_a-z])     # 11.8.7 Title, 5 4 Footnote
    )""",
    re.VERBOSE,
)
_CODES: Final = re.compile(r"(?<![0-9A-Fa-f-])[0-9A-Fa-f-]{12,}+")
_MAIL_HEADERS: Final = ("- From: ", "- To: ", "- Cc: ", "- Date: ")
_HEADING_LINES: Final = 8
"""Number of lines at the start of a passage that are searched for its innermost heading."""
_SYMBOL_RUN: Final = re.compile(r"[^\w\s]{3}")
_MAX_LINES: Final = 60
"""Number of lines read: a passage of more lines is a list, whose later items add nothing to its subject."""
_MIN_WORDS: Final = 2
_COLUMN_NAME_MAX: Final = 60
_MIN_SENTENCE_WORDS: Final = 3


def plain_text(text: str) -> str:
    """Return the text on one line, without marks of lists, tables and references."""
    text = _LEADERS.sub(" ", _CITATION_MARKS.sub("", _MARKS.sub(" ", text)))
    return _BEFORE_MARK.sub(r"\1", " ".join(text.split()))


def without_numbering(text: str) -> str:
    """Return the text after the number of its section, item or note; text that is only a number is unchanged."""
    # A heading may have several numbers, as in `3. (a) Scope`.
    while (rest := _NUMBERING.sub("", text, count=1)) != text and rest:
        text = rest
    return text


def body_lines(chunk: Chunk) -> list[str]:
    """Return the passage's lines without its initial headings or mail headers, and without rules."""
    lines = [line for line in chunk.text.splitlines() if line.strip() and not _is_rule_line(line)]
    headings = [position for position, line in enumerate(lines[:_HEADING_LINES]) if line in chunk.heading_path[-1:]]
    body = lines[headings[0] + 1 :] if headings else lines
    return list(dropwhile(lambda line: line.startswith(_MAIL_HEADERS), body)) or body


def column_names(lines: Sequence[str]) -> list[str]:
    """Return the column names of the table at the start of the lines; empty without a table.

    A row of sentences is no header: it is a page laid out in columns.
    """
    if not lines or CELL_SEPARATOR not in lines[0]:
        return []
    names = [
        name
        for name in (plain_text(cell) for cell in lines[0].split(CELL_SEPARATOR) if not _is_rule_line(cell))
        if name
    ]
    return [] if any(map(_is_prose, names)) else names


def row_names(lines: Sequence[str], *, has_column_names: bool) -> list[str]:
    """Return the names of the rows of the table at the start of the lines, where its columns have no names.

    Its first row then is data, or names periods alone and leaves the first column open.

    Args:
        lines: of a passage.
        has_column_names: the table has a header row, as far as its reader knows.
    """
    rows = [line.split(CELL_SEPARATOR) for line in takewhile(lambda line: CELL_SEPARATOR in line, lines[:_MAX_LINES])]
    if not rows or (has_column_names and rows[0][0].strip() and not any(map(_is_value, rows[0][1:]))):
        return []
    names = [plain_text(row[0]).rstrip(":") for row in rows]
    return [name for name in dict.fromkeys(names) if is_informative(name) or (name.isalpha() and len(name) > 1)]


def informative_sentences(lines: Sequence[str]) -> Iterator[str]:
    """Yield the informative sentences of the lines, cell by cell; numbers, single letters and codes are left out."""
    cells = (cell for line in lines[:_MAX_LINES] for cell in line.split(CELL_SEPARATOR))
    for cell in cells:
        for sentence in sentences(without_numbering(plain_text(cell))):
            found = without_numbering(sentence.strip())
            if is_informative(found):
                yield found


def is_unit(line: str) -> bool:
    """Return whether a line above a table is a remark in brackets, such as "(in millions)", that names nothing."""
    return line.startswith("(") and line.endswith(")")


def is_informative(text: str) -> bool:
    """Return whether the text has at least two words that are no numbers, and digits in at most half of its parts."""
    parts = text.split()
    if 2 * sum(any(map(str.isdigit, part)) for part in parts) > len(parts):
        return False
    found = words(_CODES.sub(_blank_codes, text))
    return sum(not word.isdigit() for word in found) >= _MIN_WORDS


def _blank_codes(run: re.Match[str]) -> str:
    return " " if any(map(str.isdigit, run[0])) else run[0]


def _is_value(cell: str) -> bool:
    """Return whether a cell is a figure or a mark: fewer letters than other signs, or a single letter."""
    shown = "".join(cell.split())
    letters = sum(map(str.isalpha, shown))
    return bool(shown) and (2 * letters < len(shown) or len(shown) == 1)


def _is_prose(cell: str) -> bool:
    return len(cell) > _COLUMN_NAME_MAX or (cell[-1] in ".," and len(cell.split()) >= _MIN_SENTENCE_WORDS)


def _is_rule_line(line: str) -> bool:
    """Return whether the line is a frame or a rule drawn with characters."""
    if not _SYMBOL_RUN.search(line):
        return False
    shown = [character for character in line if not character.isspace()]
    return 3 * sum(character.isalnum() for character in shown) < len(shown)
