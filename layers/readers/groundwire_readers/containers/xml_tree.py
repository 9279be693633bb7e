"""Parser of XML as a tree of elements: no entities of its own, no external references, limited depth."""

import re
from html.entities import html5
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from groundwire_readers.errors import UnreadableDocument

_MAX_DEPTH: Final = 200
_MAX_ENTITIES: Final = 1_000
_MAX_ENTITY_CHARACTERS: Final = 1_000
"""Limits of the entities of a document; old standards declare some hundred names of signs and products."""
_PREDEFINED: Final = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
"""References to one character each."""
_CHOICE: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 Choice"
_REQUIRES: Final = "Requires"
_STRICT: Final = "http://purl.oclc.org/ooxml/"
_STRICT_NAMESPACE: Final = re.compile(rf"{re.escape(_STRICT)}(\w{{1,40}})/(\w{{1,40}})")


def office_name(name: str) -> str:
    """Return the name of an element or attribute with the transitional namespace of Office Open XML.

    Files of the strict form (ISO/IEC 29500-1) have other namespaces for the same elements.
    """
    return _STRICT_NAMESPACE.sub(r"http://schemas.openxmlformats.org/\1/2006/\2", name) if _STRICT in name else name


def office_names(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes under their names of `office_name`."""
    if not any(_STRICT in name for name in attributes):
        return attributes
    return {office_name(name): value for name, value in attributes.items()}


class NamespacePrefixes:
    """Prefixes that are declared where a parser is; it must process namespaces."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self._namespaces: dict[str, list[str]] = {}
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = self._forget

    def namespaces(self, prefixes: str) -> str:
        """Return the namespaces of prefixes, all separated by blanks; of an undeclared prefix the prefix itself."""
        return " ".join((self._namespaces.get(prefix) or [prefix])[-1] for prefix in prefixes.split())

    def _declare(self, prefix: str | None, namespace: str | None) -> None:
        self._namespaces.setdefault(prefix or "", []).append(namespace or "")

    def _forget(self, prefix: str | None) -> None:
        self._namespaces[prefix or ""].pop()


def parse_xml(text: bytes | str, *, may_have_doctype: bool = False) -> Element:
    """Return the root element; tags are "namespace name" (see `office_name`) or, without a namespace, "name".

    Versions for other programs (`mc:Choice`) name the namespaces that they require, in place of their prefixes.

    Args:
        text: bytes declare their encoding; a string is already decoded.
        may_have_doctype: accept a document type, with text entities of its own within limits; it is never fetched.

    Raises:
        UnreadableDocument: damaged, too deep, or with entities that are no short texts.
    """
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None, namespace_separator=" ")
    builder = _Builder(NamespacePrefixes(parser))
    # Without a buffer, expat calls the handler once for each line of a text.
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.target.data
    parser.EntityDeclHandler = _Entities(parser).declare
    parser.SkippedEntityHandler = builder.skipped_entity
    if not may_have_doctype:
        parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        # A decoded text can hold half of a surrogate pair, which UTF-8 cannot encode.
        parser.Parse(text.encode("utf-8", "replace") if isinstance(text, str) else text, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UnreadableDocument("its XML is damaged: open it in its own program and save it anew") from error
    return builder.target.close()


class _Builder:
    """Tree builder that limits the depth of nesting."""

    def __init__(self, prefixes: NamespacePrefixes) -> None:
        self.target = TreeBuilder()
        self._prefixes = prefixes
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._depth += 1
        # Readers walk the tree by recursion, which Python ends after about 1,000 calls.
        if self._depth > _MAX_DEPTH:
            raise UnreadableDocument("it is nested too deeply")
        tag, attributes = office_name(tag), office_names(attributes)
        if tag == _CHOICE and _REQUIRES in attributes:
            attributes[_REQUIRES] = office_name(self._prefixes.namespaces(attributes[_REQUIRES]))
        self.target.start(tag, attributes)

    def skipped_entity(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - expat's
        """Handle a reference to an entity of a document type that is not fetched; most are those of HTML."""
        if not is_parameter:
            self.target.data(html5.get(f"{name};", "\ufffd"))

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        self._depth -= 1
        self.target.end(office_name(tag))


def _refuse_doctype(*_: object) -> None:
    raise UnreadableDocument("its XML declares a document type, which no office program writes")


class _Entities:
    """Check of the declarations of a document: short texts without markup and without other entities are accepted.

    Entities that refer to each other can grow a few lines to gigabytes. Against many uses of one, expat ends the parse
    where they make 8 MiB of more than 100 times the input.
    """

    def __init__(self, parser: expat.XMLParserType) -> None:
        self._count = 0
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def declare(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:  # noqa: FBT001 - expat's
        """Accept the declaration of a short text.

        Raises:
            UnreadableDocument: the entity is external, long, or holds markup or other entities.
        """
        self._count += 1
        # Of an external entity, the parser passes no value.
        is_short = value is not None and len(value) <= _MAX_ENTITY_CHARACTERS
        is_short = is_short and set(_PREDEFINED.sub("", value or "")).isdisjoint("<&")
        if is_parameter or not is_short or self._count > _MAX_ENTITIES:
            raise UnreadableDocument(
                f"its XML declares the entity {name[:40]}, which is no short text: replace entities by their values"
            )
