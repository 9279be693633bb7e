"""Removal of the runs of a Word part that are formatted as hidden; all other bytes stay the same."""

from typing import Final
from xml.parsers import expat

from groundwire.adapters.parse.readers.office.hidden_ranges import remove_hidden_ranges

_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_RUN: Final = f"{_WORD}r"
_RUN_PROPERTIES: Final = f"{_WORD}rPr"
_HIDING: Final = (f"{_WORD}vanish", f"{_WORD}webHidden")
_OFF: Final = ("0", "false", "off")


def without_hidden_runs(part: bytes) -> bytes:
    """Return the part without the runs that Word does not show.

    Raises:
        DocumentRefused: see `read_xml`.
    """
    return remove_hidden_ranges(part, _HiddenRunFinder)


class _HiddenRunFinder:
    """Finder of the byte ranges of hidden runs; a run within a hidden one is removed with it."""

    def __init__(self, parser: expat.XMLParserType, part: bytes) -> None:
        self.ranges: list[tuple[int, int]] = []
        self._parser = parser
        self._part = part
        self._ancestors: list[str] = []
        self._open: list[tuple[int, bool]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if tag == _RUN:
            self._open.append((self._parser.CurrentByteIndex, False))
        elif tag in _HIDING and self._ancestors[-2:] == [_RUN, _RUN_PROPERTIES]:
            is_hidden = attributes.get(f"{_WORD}val", "true") not in _OFF
            first, was_hidden = self._open[-1]
            self._open[-1] = (first, was_hidden or is_hidden)
        self._ancestors.append(tag)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._ancestors.pop()
        if tag != _RUN:
            return
        first, is_hidden = self._open.pop()
        if is_hidden:
            end = self._part.index(b">", self._parser.CurrentByteIndex) + 1
            while self.ranges and self.ranges[-1][0] > first:
                self.ranges.pop()
            self.ranges.append((first, end))
