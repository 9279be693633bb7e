"""Runs of a Word part that are formatted as hidden, cut out of its bytes; all else stays as it was written."""

from collections.abc import Callable
from typing import Final
from xml.parsers import expat

from groundwire.domain.errors import DocumentRefused

_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_RUN: Final = f"{_WORD}r"
_RUN_PROPERTIES: Final = f"{_WORD}rPr"
_HIDING: Final = (f"{_WORD}vanish", f"{_WORD}webHidden")
_OFF: Final = ("0", "false", "off")


def read_xml(
    part: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    parser: expat.XMLParserType | None = None,
) -> None:
    """Every element is handed to `start` and `end`, named "namespace name".

    Args:
        part: the XML.
        start: told the element's name and attributes.
        end: told its name.
        parser: one that they ask for their place in the XML; it separates names by a space.

    Raises:
        DocumentRefused: damaged, or with a document type, which could declare entities.
    """
    parser = parser or expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = _refuse_document_type
    try:
        parser.Parse(part, True)
    except expat.ExpatError as error:
        raise DocumentRefused("its XML is damaged: open it in its own program and save it anew") from error


def without_hidden_runs(part: bytes) -> bytes:
    """The part without the runs that Word does not show.

    Raises:
        DocumentRefused: as `read_xml`.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    runs = _Runs(parser, part)
    read_xml(part, runs.start, runs.end, parser)
    kept: list[bytes] = []
    position = 0
    for first, behind in runs.hidden:
        kept.append(part[position:first])
        position = behind
    return b"".join([*kept, part[position:]])


class _Runs:
    """Notes where hidden runs begin and end; a run within a hidden one goes with it."""

    def __init__(self, parser: expat.XMLParserType, part: bytes) -> None:
        self.hidden: list[tuple[int, int]] = []
        self._parser = parser
        self._part = part
        self._above: list[str] = []
        self._open: list[tuple[int, bool]] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        if tag == _RUN:
            self._open.append((self._parser.CurrentByteIndex, False))
        elif tag in _HIDING and self._above[-2:] == [_RUN, _RUN_PROPERTIES]:
            is_hidden = attributes.get(f"{_WORD}val", "true") not in _OFF
            first, was_hidden = self._open[-1]
            self._open[-1] = (first, was_hidden or is_hidden)
        self._above.append(tag)

    def end(self, tag: str) -> None:
        """An element closes."""
        self._above.pop()
        if tag != _RUN:
            return
        first, is_hidden = self._open.pop()
        if is_hidden:
            behind = self._part.index(b">", self._parser.CurrentByteIndex) + 1
            while self.hidden and self.hidden[-1][0] > first:
                self.hidden.pop()
            self.hidden.append((first, behind))


def _refuse_document_type(*_: object) -> None:
    raise DocumentRefused("its XML declares a document type, which no office program writes")
