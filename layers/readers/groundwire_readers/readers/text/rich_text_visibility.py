"""Text of RTF that nobody sees by its size, its colour or as a deletion, marked as hidden for the parser library.

Control words are those of the Rich Text Format specification, version 1.9.1.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.visibility import BLACK, UNREADABLE_POINTS, WHITE, Colour, look_same

_TOKEN: Final = re.compile(rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\[^a-zA-Z]|[{}]")
_COLOURS: Final = re.compile(rb"\{\\colortbl([^{}]{0,100000})\}")
_CHANNEL: Final = re.compile(rb"\\(red|green|blue)(\d{1,3})")
_MARKS: Final = (b"\\cf", b"\\fs", b"\\deleted")
_BESIDE_TEXT: Final = frozenset(
    (b"*", b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"listtable", b"listoverridetable", b"revtbl")
)
"""Destinations without text of the document; a text box in a drawing is text again."""
_CELL_GROUNDS: Final = (b"clcbpat", b"clcbpatraw")


@dataclass(frozen=True, slots=True)
class _LetterFormat:
    """Format of the letters at a place; colours are numbers of the file's table, 0 for automatic.

    Attributes:
        half_points: size of the font.
        is_hidden: the document hides it. is_marked: the parser library will leave it out.
        is_in_box: it is in a drawn box, whose colour is not read.
    """

    # RTF 1.9.1: text without a stated size has 12 points.
    half_points: int = 24
    colour: int = 0
    ground: int = 0
    is_deleted: bool = False
    is_hidden: bool = False
    is_marked: bool = False
    is_text: bool = True
    is_in_box: bool = False


def _with_ground(letters: _LetterFormat, number: int) -> _LetterFormat:
    return replace(letters, ground=number)


_LETTER_WORDS: Final[Mapping[bytes, Callable[[_LetterFormat, int], _LetterFormat]]] = {
    b"fs": lambda letters, number: replace(letters, half_points=number),
    b"cf": lambda letters, number: replace(letters, colour=number),
    b"deleted": lambda letters, number: replace(letters, is_deleted=number != 0),
    b"v": lambda letters, number: replace(letters, is_hidden=number != 0, is_marked=number != 0),
    b"plain": lambda letters, _: _LetterFormat(is_text=letters.is_text, is_in_box=letters.is_in_box),
    b"shptxt": lambda letters, _: replace(letters, is_text=True, is_in_box=True),
    **dict.fromkeys((b"cb", b"highlight", b"chcbpat"), _with_ground),
}


def with_unseen_marked(content: bytes) -> bytes:
    r"""Return the file with `\v` before text that nobody sees, and `\v0` after it; the same bytes without any."""
    if not any(mark in content for mark in _MARKS):
        return content
    return _Marker(content, _colours(content)).marked()


def _colours(content: bytes) -> list[Colour | None]:
    found = _COLOURS.search(content)
    entries = [dict(_CHANNEL.findall(entry)) for entry in found[1].split(b";")] if found else []
    return [_colour(entry) for entry in entries]


def _colour(entry: dict[bytes, bytes]) -> Colour | None:
    if not entry:
        return None
    red, green, blue = (int(entry.get(name, b"0")) for name in (b"red", b"green", b"blue"))
    return red, green, blue


class _Marker:
    """One pass over the control words of a file."""

    def __init__(self, content: bytes, colours: Sequence[Colour | None]) -> None:
        self._content = content
        self._colours = colours
        self._format = _LetterFormat()
        self._around: list[_LetterFormat] = []
        self._paragraph_ground = 0
        self._cell_grounds = self._is_in_table = False
        self._parts: list[bytes] = []
        self._position = 0

    def marked(self) -> bytes:
        """Return the file with its marks."""
        position = 0
        while (token := _TOKEN.search(self._content, position)) is not None:
            position = token.end()
            if token[1] == b"bin":
                position += max(0, int(token[2] or 0))
            elif token[1] is not None:
                self._read_word(token[1], token[2])
                self._mark(token.end())
            elif token[0] == b"{":
                self._around.append(self._format)
            elif token[0] == b"}":
                self._format = self._around.pop() if self._around else self._format
            elif token[0] == b"\\*":
                self._format = replace(self._format, is_text=False)
        return b"".join([*self._parts, self._content[self._position :]])

    def _read_word(self, word: bytes, parameter: bytes | None) -> None:
        # A control word without a number switches its property on.
        number = int(parameter) if parameter is not None else 1
        if (change := _LETTER_WORDS.get(word)) is not None:
            self._format = change(self._format, number)
        elif word in _BESIDE_TEXT:
            self._format = replace(self._format, is_text=False)
        elif word == b"cbpat":
            self._paragraph_ground = number
        elif word == b"pard":
            self._paragraph_ground, self._is_in_table = 0, False
        elif word == b"intbl":
            self._is_in_table = True
        elif word == b"trowd" or word in _CELL_GROUNDS:
            self._cell_grounds = word != b"trowd"

    def _mark(self, position: int) -> None:
        """Write a mark at the position if the letters after it are seen otherwise than those before."""
        is_unseen = self._format.is_hidden or self._is_unseen()
        if not self._format.is_text or is_unseen == self._format.is_marked:
            return
        self._parts += [self._content[self._position : position], b"\\v " if is_unseen else b"\\v0 "]
        self._position = position
        self._format = replace(self._format, is_marked=is_unseen)

    def _is_unseen(self) -> bool:
        letters = self._format
        if letters.is_deleted or letters.half_points / 2 < UNREADABLE_POINTS:
            return True
        ground = self._ground()
        return ground is not None and look_same(self._colour_of(letters.colour, BLACK), ground)

    def _ground(self) -> Colour | None:
        """Return the colour below the letters; None where it is not known."""
        if number := self._format.ground or self._paragraph_ground:
            return self._colour_of(number, WHITE)
        return None if self._format.is_in_box or (self._is_in_table and self._cell_grounds) else WHITE

    def _colour_of(self, number: int, automatic: Colour) -> Colour:
        found = self._colours[number] if 0 <= number < len(self._colours) else None
        return found or automatic
