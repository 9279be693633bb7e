"""Marking of RTF text for the parser library: invisible, deleted and struck text as hidden, raised text as a run.

Control words are those of the Rich Text Format specification, version 1.9.1.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.visibility import BLACK, UNREADABLE_POINTS, WHITE, Colour, look_same
from groundwire_readers.text.runs import END, GAP, Mark

_TOKEN: Final = re.compile(rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\[^a-zA-Z]|[{}]")
_COLOUR_TABLE: Final = re.compile(rb"\{\\colortbl([^{}]{0,100000})\}")
_CHANNEL: Final = re.compile(rb"\\(red|green|blue)(\d{1,3})")
_NON_TEXT_DESTINATIONS: Final = frozenset(
    (b"*", b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"listtable", b"listoverridetable", b"revtbl")
)
"""Destinations without document text; a text box in a drawing is text again."""
_ENDS_OF_TEXT: Final = (b"par", b"cell", b"row", b"line", b"sect", b"page", b"tab", b"nestcell", b"nestrow")
_CELL_BACKGROUND_WORDS: Final = (b"clcbpat", b"clcbpatraw")


@dataclass(frozen=True, slots=True)
class _CharacterFormat:
    """Colours and visibility in force at a position; colours are indexes of the colour table, 0 for automatic.

    Attributes:
        half_points: font size in half points.
        colour, ground: text and background colour.
        is_deleted: whether it is a tracked deletion.
        is_hidden: whether the document declares it hidden.
        is_marked: whether the output marks it as hidden.
        is_text: whether it is in a destination with document text.
        is_in_box: whether it is in a text box, whose colour is not read.
        is_struck: whether there is a line through it.
        position: above 0 for raised text, below 0 for lowered text.
        is_note: whether it is in a footnote.
        fallbacks: number of characters after each Unicode escape for programs without Unicode.
    """

    # RTF 1.9.1: the default size is 12 points.
    half_points: int = 24
    colour: int = 0
    background: int = 0
    is_deleted: bool = False
    is_hidden: bool = False
    is_marked: bool = False
    is_text: bool = True
    is_in_box: bool = False
    is_struck: bool = False
    position: int = 0
    is_note: bool = False
    fallbacks: int = 1


def _with_background(letters: _CharacterFormat, number: int) -> _CharacterFormat:
    return replace(letters, background=number)


def _plain(letters: _CharacterFormat) -> _CharacterFormat:
    kept = _CharacterFormat(is_text=letters.is_text, is_in_box=letters.is_in_box)
    return replace(kept, is_note=letters.is_note, fallbacks=letters.fallbacks)


_MAX_FALLBACKS: Final = 9
_FORMAT_WORDS: Final[Mapping[bytes, Callable[[_CharacterFormat, int], _CharacterFormat]]] = {
    b"fs": lambda letters, number: replace(letters, half_points=number),
    b"cf": lambda letters, number: replace(letters, colour=number),
    b"deleted": lambda letters, number: replace(letters, is_deleted=number != 0),
    b"v": lambda letters, number: replace(letters, is_hidden=number != 0, is_marked=number != 0),
    b"plain": lambda letters, _: _plain(letters),
    b"shptxt": lambda letters, _: replace(letters, is_text=True, is_in_box=True),
    **dict.fromkeys((b"strike", b"striked"), lambda letters, number: replace(letters, is_struck=number != 0)),
    **dict.fromkeys((b"super", b"up"), lambda letters, number: replace(letters, position=number)),
    **dict.fromkeys((b"sub", b"dn"), lambda letters, number: replace(letters, position=-number)),
    b"footnote": lambda letters, _: replace(letters, is_note=True),
    b"uc": lambda letters, number: replace(letters, fallbacks=max(0, min(number, _MAX_FALLBACKS))),
    b"nosupersub": lambda letters, _: replace(letters, position=0),
    **dict.fromkeys((b"cb", b"highlight", b"chcbpat"), _with_background),
}


def with_invisible_marked(content: bytes) -> bytes:
    r"""Return the file with `\v` before invisible text, `\v0` after it, and with its runs marked.

    An empty group after each group keeps the library from putting a space there, within a word or a number.
    """
    return _Marker(content, _colours(content)).marked()


def _colours(content: bytes) -> list[Colour | None]:
    found = _COLOUR_TABLE.search(content)
    entries = [dict(_CHANNEL.findall(entry)) for entry in found[1].split(b";")] if found else []
    return [_colour(entry) for entry in entries]


def _colour(entry: dict[bytes, bytes]) -> Colour | None:
    if not entry:
        return None
    red, green, blue = (int(entry.get(name, b"0")) for name in (b"red", b"green", b"blue"))
    return red, green, blue


class _Marker:
    """Single pass over the control words of a file, which inserts the marks."""

    def __init__(self, content: bytes, colours: Sequence[Colour | None]) -> None:
        self._content = content
        self._colours = colours
        self._format = _CharacterFormat()
        self._outer_formats: list[_CharacterFormat] = []
        self._paragraph_background = 0
        self._has_cell_background = self._is_in_table = False
        self._open_mark = ""
        self._parts: list[bytes] = []
        self._position = 0

    def marked(self) -> bytes:
        """Return the file with its marks."""
        position = 0
        while (token := _TOKEN.search(self._content, position)) is not None:
            self._mark_run(position, token)
            position = token.end()
            if token[1] == b"bin":
                position += max(0, int(token[2] or 0))
            elif token[1] is not None:
                self._read_word(token[1], token[2])
                self._mark(token.end())
            elif token[0] == b"{":
                self._outer_formats.append(self._format)
            elif token[0] == b"}":
                self._end_group(token.end())
            elif token[0] == b"\\*":
                self._format = replace(self._format, is_text=False)
        return b"".join([*self._parts, self._content[self._position :]])

    def _read_word(self, word: bytes, parameter: bytes | None) -> None:
        # A control word without a number turns its property on.
        number = int(parameter) if parameter is not None else 1
        if (change := _FORMAT_WORDS.get(word)) is not None:
            self._format = change(self._format, number)
        elif word in _NON_TEXT_DESTINATIONS:
            self._format = replace(self._format, is_text=False)
        elif word == b"cbpat":
            self._paragraph_background = number
        elif word == b"pard":
            self._paragraph_background, self._is_in_table = 0, False
        elif word == b"intbl":
            self._is_in_table = True
        elif word == b"trowd" or word in _CELL_BACKGROUND_WORDS:
            self._has_cell_background = word != b"trowd"

    def _mark(self, position: int) -> None:
        """Insert a mark at the position if visibility changes there."""
        is_invisible = self._format.is_hidden or self._is_invisible()
        if not self._format.is_text or is_invisible == self._format.is_marked:
            return
        gap = self._escape(GAP) if is_invisible and self._format.is_struck else b""
        self._insert(position, gap + (b"\\v " if is_invisible else b"\\v0 "))
        self._format = replace(self._format, is_marked=is_invisible)

    def _end_group(self, position: int) -> None:
        inner = self._format
        self._format = self._outer_formats.pop() if self._outer_formats else inner
        is_in_text = bool(self._outer_formats) and inner.is_text and inner.is_note == self._format.is_note
        if is_in_text and self._content[position : position + 1] not in (b"{", b"}"):
            self._insert(position, b"{}")

    def _mark_run(self, position: int, token: re.Match[bytes]) -> None:
        """Mark the start of raised or lowered text before a token, and its end before other text and paragraph ends."""
        place = token.start() if position == token.start() else position
        is_text = place == position and bool(self._content[position : token.start()].strip(b"\r\n"))
        is_text |= token[0].startswith(b"\\'") or token[1] == b"u"
        mark = ""
        if is_text and self._format.is_text and not self._format.is_marked and self._format.position:
            mark = Mark.RAISED if self._format.position > 0 else Mark.LOWERED
        if mark != self._open_mark and (is_text or token[1] in _ENDS_OF_TEXT):
            self._insert(place, b"".join(map(self._escape, (END if self._open_mark else "") + mark)))
            self._open_mark = mark

    def _escape(self, sign: str) -> bytes:
        return b"\\u%d " % (ord(sign) - 0x10000) + b"?" * self._format.fallbacks

    def _insert(self, position: int, inserted: bytes) -> None:
        self._parts += [self._content[self._position : position], inserted]
        self._position = position

    def _is_invisible(self) -> bool:
        letters = self._format
        if letters.is_deleted or letters.is_struck or letters.half_points / 2 < UNREADABLE_POINTS:
            return True
        background = self._background()
        return background is not None and look_same(self._colour_of(letters.colour, BLACK), background)

    def _background(self) -> Colour | None:
        """Return the background colour; None if it is unknown."""
        if number := self._format.background or self._paragraph_background:
            return self._colour_of(number, WHITE)
        return None if self._format.is_in_box or (self._is_in_table and self._has_cell_background) else WHITE

    def _colour_of(self, number: int, automatic: Colour) -> Colour:
        found = self._colours[number] if 0 <= number < len(self._colours) else None
        return found or automatic
