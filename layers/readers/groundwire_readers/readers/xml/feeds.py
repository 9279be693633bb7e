"""Reader of RSS and Atom feeds: each entry becomes a section under its title."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.text.plain_text import blocks_of_text
from groundwire_readers.readers.xml.inline_text import attribute, child_of, name_of, text_of

_ENTRIES: Final = ("item", "entry")
_TEXTS: Final = ("encoded", "content", "subtitle", "description", "summary")
"""Elements with text of a feed or an entry, maybe HTML; later ones may repeat earlier ones."""
_ATOM: Final = "http://www.w3.org/2005/Atom "
_PLAIN: Final = ("text", "text/plain")
_HTML: Final = ("html", "xhtml", "text/html", "application/xhtml+xml")
_FACT_LABELS: Final = {
    "author": "Author",
    "creator": "Author",
    "pubdate": "Published",
    "published": "Published",
    "date": "Published",
    "updated": "Updated",
    "category": "Category",
    "subject": "Category",
}
_MAX_GROUPS: Final = 100_000
_QUOTE: Final = {'"': "&quot;"}


def is_feed(root: Element) -> bool:
    """Return whether a document is a feed."""
    return _channel(root) is not None


def read_feed(root: Element) -> Contents:
    """Return the contents of a feed; each entry is a group."""
    feed_element = _channel(root)
    channel = root if feed_element is None else feed_element
    defects: Counter[ReadingDefect] = Counter()
    title = _title(channel)
    blocks = list(_section(channel, title, 1, defects))
    # The entries of RSS 1.0 follow the channel, those of all others are within it.
    entries = [child for holder in dict.fromkeys((channel, root)) for child in holder if name_of(child) in _ENTRIES]
    for number, entry in enumerate(entries):
        section = _section(entry, _title(entry), 2, defects)
        blocks += [replace(block, group=number % _MAX_GROUPS) for block in section]
    return Contents(blocks, title or None, defects=defects)


def _channel(root: Element) -> Element | None:
    """Return the element with the feed's title; None if the document is no feed."""
    if name_of(root) == "feed" and child_of(root, "entry", "title") is not None:
        return root
    return child_of(root, "channel") if name_of(root) in ("rss", "rdf") else None


def _title(element: Element) -> str:
    title = child_of(element, "title")
    if title is None or attribute(title, "type") not in _HTML:
        return text_of(title)
    return " ".join(block.text for block in _contents(title).blocks)


def _section(element: Element, title: str, level: int, defects: Counter[ReadingDefect]) -> Iterator[Block]:
    if title:
        yield Block(BlockKind.HEADING, title, level=level)
    yield from _facts(element)
    text_so_far = ""
    for contents in [_contents(child) for name in _TEXTS if (child := child_of(element, name)) is not None]:
        text = " ".join(block.text for block in contents.blocks)
        if text not in text_so_far:
            text_so_far += text
            defects.update(contents.defects)
            yield from (_nested_below(block, level) for block in contents.blocks)


def _facts(element: Element) -> Iterator[Block]:
    values_by_label: dict[str, list[str]] = {}
    for child in element:
        label = _FACT_LABELS.get(name_of(child))
        person = child_of(child, "name")
        value = text_of(child if person is None else person) or attribute(child, "label") or attribute(child, "term")
        if label is not None and value:
            values_by_label.setdefault(label, []).append(value)
    yield from (
        Block(BlockKind.LIST_ITEM, f"{label}: {', '.join(dict.fromkeys(values))}")
        for label, values in values_by_label.items()
    )


def _contents(element: Element) -> Contents:
    """Return the contents of a text element: plain text, escaped HTML, or XHTML."""
    # RFC 4287, 3.1.1: text of Atom without a type is plain. RSS has HTML in its descriptions.
    kind = attribute(element, "type").lower() or (_PLAIN[0] if element.tag.startswith(_ATOM) else _HTML[0])
    if kind in _PLAIN:
        return Contents(blocks_of_text("".join(element.itertext())))
    if kind not in _HTML:
        return Contents([])
    pieces = [element.text or ""]
    _write_markup(element, pieces)
    page = page_reader.parse_html("".join(pieces).encode(errors="replace"))
    return Contents(page.blocks, defects=page.defects)


def _write_markup(element: Element, pieces: list[str]) -> None:
    """Append the children of an element as HTML markup."""
    for child in element:
        name = name_of(child)
        attributes = "".join(
            f' {key.rpartition(" ")[2]}="{escape(value, _QUOTE)}"' for key, value in child.attrib.items()
        )
        pieces += [f"<{name}{attributes}>", escape(child.text or "")]
        _write_markup(child, pieces)
        pieces += [f"</{name}>", escape(child.tail or "")]


def _nested_below(block: Block, level: int) -> Block:
    return replace(block, level=min(block.level + level, MAX_LEVEL)) if block.kind is BlockKind.HEADING else block
