"""Reader of XML of any vocabulary: prose where elements mix text and tags, else records as in JSON."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.containers.xml_tree import parse_xml
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.readers.text.encoding import decode_text
from groundwire.adapters.parse.readers.text.json_records import blocks_of_value
from groundwire.domain.documents.heading_levels import MAX_LEVEL
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.normalisation import normalise

_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_DECLARED: Final = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_.-]{1,40})")
_TITLES: Final = ("title", "head", "heading", "name", "caption")
_PROSE: Final = ("p", "para", "paragraph", "simpara")


def read(content: bytes) -> Contents:
    """Return the document's contents, without comments and processing instructions."""
    root = parse_xml(_DECLARATION.sub("", _decode(content)), may_have_doctype=True)
    blocks = list(_prose(root, 0)) if _is_prose(root) else list(blocks_of_value(_json_value(root)))
    return Contents(blocks, title=_own_title(root))


def _decode(content: bytes) -> str:
    declared = _DECLARED.match(content)
    if declared is not None:
        try:
            return content.decode(declared[1].decode("ascii"))
        except (LookupError, ValueError):
            pass
    return decode_text(content)


def _name(element: Element) -> str:
    return element.tag.rpartition(" ")[2]


def _own_title(root: Element) -> str | None:
    found = next((child for child in root if _name(child).casefold() == "title"), None)
    return None if found is None else _text(found)


def _text(element: Element) -> str:
    return normalise(" ".join("".join(element.itertext()).split()))


def _is_prose(root: Element) -> bool:
    """Return whether some element mixes text and children, or has a paragraph's name."""
    return any(_name(element).casefold() in _PROSE or _has_mixed_content(element) for element in root.iter())


def _prose(element: Element, depth: int) -> Iterator[Block]:
    """Yield titles as headings and elements with text as paragraphs, in the order of the file."""
    if _has_mixed_content(element):
        yield Block(BlockKind.PARAGRAPH, _text(element))
        return
    for child in element:
        name = _name(child).casefold()
        if name in _TITLES and len(child) == 0 and (text := _text(child)):
            yield Block(BlockKind.HEADING, text, level=min(depth + 1, MAX_LEVEL))
        elif len(child) > 0:
            yield from _prose(child, depth + 1)
        elif text := _text(child):
            yield Block(BlockKind.PARAGRAPH, text)


def _has_mixed_content(element: Element) -> bool:
    return len(element) > 0 and any(
        part and part.strip() for part in (element.text, *(child.tail for child in element))
    )


def _json_value(element: Element) -> object:
    """Return the element as a JSON value: attributes and children by name, those of the same name as a list."""
    text = (element.text or "").strip()
    if not len(element) and not element.attrib:
        return text
    members: dict[str, object] = {name.rpartition(" ")[2]: value for name, value in element.attrib.items()}
    repeated = Counter(_name(child) for child in element)
    if len(repeated) == 1 and len(element) > 1 and not members:
        return [_json_value(child) for child in element]
    lists: dict[str, list[object]] = {}
    for child in element:
        name, value = _name(child), _json_value(child)
        if repeated[name] == 1:
            members.setdefault(name, value)
        else:
            lists.setdefault(name, []).append(value)
    return members | lists | ({_name(element): text} if text else {})
