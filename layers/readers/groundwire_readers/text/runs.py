"""Runs of text that are raised, lowered, left out, or beside other characters, and their one form in a passage.

Readers mark such runs in the text that they collect; `normalise` renders them, whatever the format. A raised or
lowered run never joins a number or a word to another one: `10^4`, not `104`.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Final


class Mark(StrEnum):
    """Start of a marked run; noncharacters, which no text has."""

    RAISED = "\ufdd0"
    LOWERED = "\ufdd1"
    ANNOTATED = "\ufdd2"
    """Characters with a gloss above or beside them."""
    GLOSS = "\ufdd3"


GAP: Final = "\ufdd4"
"""Place of text that is left out, such as struck text: its neighbours are never joined."""
VALUE: Final = "\ufdd5"
"""Start of a number that a cell stores but does not show in full: searched, in no text."""
END: Final = "\ufddf"
"""End of a marked run."""
# A number alone: the same mark before any other text hides nothing of it.
_VALUE_RUN: Final = re.compile(f"{VALUE}([-+]?[0-9][0-9.]{{0,40}}(?:E[-+]?[0-9]{{1,3}})?){END}")
_NOTE: Final = re.compile(f"{GAP}{Mark.RAISED}([^{Mark.RAISED}{GAP}{END}]{{1,12}}){END}{GAP}")
_ANY: Final = re.compile("[\ufdd0-\ufdd5\ufddf]")
_PIECE: Final = re.compile(f"([{''.join(Mark)}])([^{''.join(Mark)}{GAP}{END}]*){END}|{GAP}")
_SUPERSCRIPTS: Final = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_NUMBER: Final = re.compile("[0-9]{1,4}[+\u2212-]?|[+\u2212-][0-9]{1,4}")
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th", "er", "re", "ère", "ème", "me", "nde"})
_FRACTION: Final = re.compile(r"\s*[/\u2044]\s*")
_FORMULA: Final = re.compile("[^+*/=<>\u2212\u00d7-].*[+*/=<>\u2212\u00d7-].", re.DOTALL)
_SHORT_NAME: Final = re.compile("(?<![^\\W\\d_])[^\\W\\d_\u0370-\U0010ffff]{1,2}\\Z")
"""End of a text that may be a unit, a variable or an element: one or two letters."""
_SHORT_START: Final = re.compile("[^\\W\\d_\u0370-\U0010ffff]{1,2}(?![^\\W\\d_])")
_MAX_INDEX: Final = 24
"""Length of a raised or lowered run above which it is text, no index."""
_TAIL: Final = 3


def run_of(text: str, mark: str) -> str:
    """Return the text as a run with this mark, `GAP`, or none; whitespace alone needs none."""
    if not mark or not text.strip():
        return text
    return GAP if mark == GAP else f"{mark}{text}{END}"


def note_mark(label: str) -> str:
    """Return the mark of a note, which is behind a word or a figure."""
    return f"{GAP}{Mark.RAISED}{label}{END}{GAP}"


def note_label(label: str) -> str:
    """Return the mark of a note at the start of the note itself."""
    return note_mark(label) + GAP


def notes_of(text: str) -> list[str]:
    """Return the labels of the notes whose marks are in the text."""
    return _NOTE.findall(text) if GAP in text else []


def noted_by(text: str) -> str | None:
    """Return the label of the note that the text is; None for other text."""
    found = _NOTE.match(text.lstrip())
    return None if found is None or text.lstrip()[found.end() : found.end() + 1] != GAP else found[1]


def marked_value(number: str) -> str:
    """Return a number as a run that no text shows, and `values_of` returns."""
    return f"{VALUE}{number}{END}"


def values_of(text: str) -> list[str]:
    """Return the numbers that are marked as stored values."""
    return _VALUE_RUN.findall(text) if VALUE in text else []


def without_values(text: str) -> str:
    """Return the text as a cell shows it, with its other marks."""
    return _VALUE_RUN.sub("", text) if VALUE in text else text


def rendered(text: str) -> str:
    """Return the text with its marked runs in their written form; text without marks is unchanged."""
    if _ANY.search(text) is None:
        return text
    text = without_values(text)
    pieces = [
        (mark, "".join(part for _, part in run)) for mark, run in groupby(_pieces(text), key=lambda piece: piece[0])
    ]
    positions = {mark for mark, part in pieces if mark != GAP and any(map(str.isalnum, part))}
    # Text that is raised as a whole has nothing that it could join.
    line = _Line(has_base=None in positions or len(positions) > 1)
    for (mark, part), (_, following) in pairwise([*pieces, (None, "")]):
        line.add(mark, part, following)
    return line.finished()


def _pieces(text: str) -> Iterator[tuple[str | None, str]]:
    """Yield the runs in order, each with its mark, `GAP`, or None; marks that enclose nothing have no meaning."""
    position = 0
    for found in _PIECE.finditer(text):
        if found.start() > position:
            yield None, _ANY.sub("", text[position : found.start()])
        yield found[1] or GAP, found[2] or ""
        position = found.end()
    # Stray marks of the file itself are removed, so that they cannot hide its text.
    yield None, _ANY.sub("", text[position:])


class _Line:
    """Text to which runs are added in order.

    `_parts` is the text so far, `_tail` its last characters. `_separated` names what must not follow directly: a word,
    or only a digit.
    """

    def __init__(self, *, has_base: bool) -> None:
        self._has_base = has_base
        self._parts: list[str] = []
        self._tail = ""
        self._separated = ""
        self._glosses: list[str] = []

    def add(self, mark: str | None, text: str, following: str) -> None:
        """Append a run; `following` is the text of the next one."""
        # A gloss belongs behind the whole base, which may consist of several runs.
        if self._glosses and mark not in (Mark.ANNOTATED, Mark.GLOSS):
            self._end_glosses()
        core = text.strip()
        if mark == GAP:
            self._separated = self._separated or "word"
        elif mark == Mark.GLOSS:
            self._glosses.append(core)
        elif not core or mark is None or mark == Mark.ANNOTATED or not self._has_base:
            self._write(text)
        else:
            start = text.index(core)
            self._write(text[:start])
            self._add_index(mark, core, following)
            self._write(text[start + len(core) :])

    def finished(self) -> str:
        """Return the whole text."""
        self._end_glosses()
        return "".join(self._parts)

    def _end_glosses(self) -> None:
        if glosses := "".join(self._glosses):
            self._glosses = []
            self._write(f" ({glosses})", separates="word")

    def _add_index(self, mark: str, core: str, following: str) -> None:
        # A raised sentence is a matter of style, not an index.
        if len(core) > _MAX_INDEX or any(map(str.isspace, core)):
            self._separated = "word"
            self._write(core, separates="word")
        elif mark == Mark.RAISED:
            self._raise(core, following)
        else:
            self._lower(core)

    def _raise(self, core: str, following: str) -> None:
        base = self._tail[-1:]
        is_number = _NUMBER.fullmatch(core) is not None
        # A raised numerator before a fraction slash is the fraction itself.
        if is_number and _FRACTION.fullmatch(following):
            self._separated = "word"
            self._write(core)
        elif is_number and not base.isalnum() and self._separated != "word" and _SHORT_START.match(following):
            self._write(core.translate(_SUPERSCRIPTS))  # ¹⁴C
        elif is_number and _SHORT_NAME.search(self._tail) and not self._separated:
            self._write(core.translate(_SUPERSCRIPTS), separates="word")  # m²
        elif is_number or core[0].isalnum():
            # English may raise the letters of 2nd, which people search as one word.
            is_ordinal = base.isdigit() and core.lower() in _ORDINALS
            self._separated = ""
            self._write(core if is_ordinal else f"^{_grouped(core)}", separates="word")
        else:
            self._write(core, separates="word")

    def _lower(self, core: str) -> None:
        base = self._tail[-1:]
        is_digits = core.isdigit()
        # People search H2O without a mark between letter and index.
        joins = base.isalpha() and (is_digits or (core.isalnum() and _SHORT_NAME.search(self._tail) is not None))
        if joins or not base.isalnum() or not core[0].isalnum():
            self._write(core, separates="digit" if is_digits else "word")
        else:
            self._separated = ""
            self._write(f"_{_grouped(core)}", separates="word")

    def _write(self, text: str, separates: str = "") -> None:
        if not text:
            return
        # Two runs that were separate on the page must not become one word or number.
        first = text[0]
        if (
            self._separated
            and self._tail[-1:].isalnum()
            and (first.isdigit() if self._separated == "digit" else first.isalnum())
        ):
            self._parts.append(" ")
        self._parts.append(text)
        self._tail = (self._tail + text)[-_TAIL:]
        self._separated = separates


def _grouped(core: str) -> str:
    """Return an index in parentheses if it is a formula."""
    return f"({core})" if _FORMULA.match(core) else core
