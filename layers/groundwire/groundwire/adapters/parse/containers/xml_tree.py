"""Parser of XML as a tree of elements: no entities of its own, no external references, limited depth."""

from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from groundwire.domain.errors import DocumentRefused

_MAX_DEPTH: Final = 200


def parse_xml(text: bytes | str, *, may_have_doctype: bool = False) -> Element:
    """Return the root element; tags are "namespace name" or, without a namespace, "name".

    Args:
        text: bytes declare their encoding; a string is already decoded.
        may_have_doctype: accept and ignore a document type that declares no entities.

    Raises:
        DocumentRefused: damaged, too deep, or with entities.
    """
    builder = _Builder()
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None, namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.target.data
    parser.EntityDeclHandler = _refuse_entities
    if not may_have_doctype:
        parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(text.encode("utf-8", "replace") if isinstance(text, str) else text, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise DocumentRefused("its XML is damaged: open it in its own program and save it anew") from error
    return builder.target.close()


class _Builder:
    """Tree builder that limits the depth of nesting."""

    def __init__(self) -> None:
        self.target = TreeBuilder()
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise DocumentRefused("it is nested too deeply")
        self.target.start(tag, attributes)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._depth -= 1
        self.target.end(tag)


def _refuse_doctype(*_: object) -> None:
    raise DocumentRefused("its XML declares a document type, which no office program writes")


def _refuse_entities(*_: object) -> None:
    raise DocumentRefused("its XML declares entities of its own: replace them by what they stand for")
