"""The XML of office documents: read element by element, and cut without being written anew."""

from collections.abc import Callable
from typing import Protocol
from xml.parsers import expat

from groundwire.domain.errors import DocumentRefused


class HiddenRangeFinder(Protocol):
    """Reads along and notes what is to go.

    Attributes:
        ranges: first byte and the one behind the last of each, in order.
    """

    ranges: list[tuple[int, int]]

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """An element opens."""
        ...

    def end(self, tag: str, /) -> None:
        """An element closes."""
        ...


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


def remove_hidden_ranges(part: bytes, finder_of: Callable[[expat.XMLParserType, bytes], HiddenRangeFinder]) -> bytes:
    """The part without what its cuts note; all else byte for byte as it was.

    Raises:
        DocumentRefused: as `read_xml`.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    cuts = finder_of(parser, part)
    read_xml(part, cuts.start, cuts.end, parser)
    kept: list[bytes] = []
    position = 0
    for first, behind in cuts.ranges:
        kept.append(part[position:first])
        position = behind
    return b"".join([*kept, part[position:]])


def _refuse_document_type(*_: object) -> None:
    raise DocumentRefused("its XML declares a document type, which no office program writes")
