r"""Numbers of list items in RTF, where the program that wrote it left out their text (`\listtext`).

Control words are those of the Rich Text Format specification, version 1.9.1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from groundwire_readers.readers.word.numbering.definitions import LEVELS, ListDefinition, ListLevel
from groundwire_readers.readers.word.numbering.number_counter import NumberCounter
from groundwire_readers.readers.word.styles import NumberReference

_TOKEN: Final = re.compile(rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'[0-9a-fA-F]{2}|\\[^a-zA-Z]|[{}]|[^\\{}\r\n]+")
_LEVEL: Final = re.compile(rb"\\listlevel(?![a-zA-Z])")
_LIST: Final = re.compile(rb"\{\\list(?![a-zA-Z])")
_OVERRIDE: Final = re.compile(rb"\{\\listoverride(?![a-zA-Z])")
_OVERRIDDEN_LEVEL: Final = re.compile(rb"\\lfolevel(?![a-zA-Z])")
_LEVEL_TEXT: Final = re.compile(rb"\{\\leveltext(?:\\leveltemplateid-?\d{1,10})?[ ]?\\'[0-9a-fA-F]{2}([^{};]{0,200})")
_CODE: Final = re.compile(rb"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,6}) ?\??|\\[a-zA-Z]{1,32}-?\d{0,9} ?")
_FORMATS: Final = {0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal"}
_FORMATS_BEYOND: Final = {22: "decimalZero", 23: "bullet", 255: "none"}
_TABLES: Final = (b"\\listtable", b"\\listoverridetable")
_WRITTEN: Final = (b"listtext", b"pntext")
_DESTINATIONS: Final = frozenset((b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", *_WRITTEN))
"""Destinations without text of the document, and the numbers that are written in it."""
_ENDS: Final = (b"par", b"cell", b"nestcell", b"sect")


@dataclass(frozen=True, slots=True)
class _State:
    """List and level of the paragraphs at a position, and whether text there is text of the document."""

    number_id: str = ""
    level: int = 0
    is_text: bool = True


@dataclass(slots=True)
class _Numbering:
    """Single pass over a file: the parts of the result so far, and the state of each open group."""

    content: bytes
    counter: NumberCounter
    parts: list[bytes] = field(default_factory=list[bytes])
    states: list[_State] = field(default_factory=lambda: [_State()])
    is_started: bool = False
    position: int = 0

    def read(self, token: re.Match[bytes]) -> None:
        """Handle a control word, a brace or text."""
        sign, state = token[0], self.states[-1]
        if sign == b"{":
            self.states.append(state)
        elif sign == b"}":
            if len(self.states) > 1:
                self.states.pop()
            else:
                # A file may close more groups than it opens.
                self.states[0] = _State()
        elif sign == b"\\*":
            self.states[-1] = replace(state, is_text=False)
        elif token[1] is not None:
            self._read_word(token, state)
        elif state.is_text:
            self._start_paragraph(token.start(), state)

    def _read_word(self, token: re.Match[bytes], state: _State) -> None:
        word, number = token[1], int(token[2] or 0)
        self.states[-1] = _changed(state, word, number)
        if not state.is_text:
            return
        if word == b"u":
            self._start_paragraph(token.start(), state)
        elif word in _WRITTEN:
            # The item is counted, but its number is in the file.
            self._count(state)
            self.is_started = True
        elif word in _ENDS:
            if not self.is_started:
                self._count(state)
            self.is_started = False

    def _count(self, state: _State) -> str:
        if not state.number_id:
            return ""
        return self.counter.next_label(NumberReference(state.number_id, state.level)) or ""

    def _start_paragraph(self, place: int, state: _State) -> None:
        if self.is_started:
            return
        self.is_started = True
        if label := self._count(state):
            text = b"".join(b"\\u%d ?" % ord(sign) if sign > "\x7e" else sign.encode() for sign in label)
            self.parts += [self.content[self.position : place], b"{%b }" % text]
            self.position = place


def _changed(state: _State, word: bytes, number: int) -> _State:
    """Return the state after a control word."""
    match word:
        case b"pard":
            return replace(state, number_id="", level=0)
        case b"ls":
            return replace(state, number_id=str(number))
        case b"ilvl":
            return replace(state, level=min(max(number, 0), LEVELS - 1))
        case _:
            return replace(state, is_text=False) if word in _DESTINATIONS else state


def with_list_numbers(content: bytes) -> bytes:
    """Return the file with the numbers of items whose text it does not have."""
    # Raw data of pictures may have braces, which are none of a group.
    if not all(table in content for table in _TABLES) or b"\\ls" not in content or b"\\bin" in content:
        return content
    definitions = dict(_definitions(content))
    numbering = _Numbering(content, NumberCounter(definitions))
    if definitions:
        for token in _TOKEN.finditer(content):
            numbering.read(token)
    return b"".join([*numbering.parts, content[numbering.position :]])


def _definitions(content: bytes) -> Iterator[tuple[str, ListDefinition]]:
    """Yield the lists of the file by the number that paragraphs refer to."""
    start, end = content.find(_TABLES[0]), content.find(_TABLES[1])
    lists: dict[int, tuple[ListLevel, ...]] = {}
    for text in _LIST.split(content[start : max(start, end)])[1:]:
        levels = [_level(level) for level in _LEVEL.split(text)[1:]]
        lists[_number(text, b"listid", -1)] = tuple([*levels, *[ListLevel()] * LEVELS][:LEVELS])
    for text in _OVERRIDE.split(content[end:])[1:]:
        identity, number_id = _number(text, b"listid", -1), _number(text, b"ls", -1)
        if identity in lists and number_id > 0:
            restarts = {
                index: _number(level, b"levelstartat", 1)
                for index, level in enumerate(_OVERRIDDEN_LEVEL.split(text)[1 : LEVELS + 1])
                if b"\\listoverridestartat" in level
            }
            levels = [
                replace(level, start=restarts.get(index, level.start)) for index, level in enumerate(lists[identity])
            ]
            yield str(number_id), ListDefinition(str(identity), tuple(levels), restarts)


def _level(text: bytes) -> ListLevel:
    form = _number(text, b"levelnfcn", _number(text, b"levelnfc", 0))
    shown = _LEVEL_TEXT.search(text)
    template = "" if shown is None else _CODE.sub(_template_sign, shown[1]).decode("latin-1")
    names = _FORMATS | _FORMATS_BEYOND
    return ListLevel(names.get(form, "decimal"), template, _number(text, b"levelstartat", 1))


def _template_sign(code: re.Match[bytes]) -> bytes:
    """Return the placeholder of a level's number, or a sign of Latin-1; other signs are bullets."""
    if code[1] is None:
        return b""
    number = int(code[1], 16)
    return b"%%%d" % (number + 1) if number < LEVELS else bytes([number])


def _number(text: bytes, word: bytes, default: int) -> int:
    found = re.search(rb"\\%b(-?\d{1,10})(?!\d)" % word, text)
    return default if found is None else int(found[1])
