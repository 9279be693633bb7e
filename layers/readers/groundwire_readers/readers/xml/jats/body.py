"""Conversion of JATS body elements to blocks: sections, paragraphs, lists, figures, tables, references."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.xml.inline_text import attribute, child_of, has_words, name_of, text_of, text_of_parts
from groundwire_readers.readers.xml.jats.references import CITATIONS, citation_text, reference_text
from groundwire_readers.readers.xml.markup_tables import is_table, table_of
from groundwire_readers.text.normalisation import normalise_code

_PARAGRAPHS: Final = frozenset(["p", "attrib", "verse-line", "license-p", "address", "sig", "speaker", "role"])
_OMITTED: Final = frozenset(
    {"title", "label", "sec-meta", "graphic", "media", "object-id", "alt-text", "long-desc", "permissions", "caption"}
    | {"processing-meta", "contrib-group", "kwd-group", "front-stub", "front", "sub-article", "response"}
)
"""Elements with a reader of their own (headings, captions, front matter), and elements not displayed."""


def blocks_within(element: Element, level: int) -> Iterator[Block]:
    """Yield the blocks of an element's children; a section's title is a heading of `level`."""
    if has_words(element):
        yield from _paragraph(element, level)
        return
    for child in element:
        name = name_of(child)
        if (reader := _READERS.get(name)) is not None:
            yield from reader(child, level)
        elif is_table(child):
            yield from table_of(child)
        elif name not in _OMITTED:
            has_blocks = name not in _PARAGRAPHS and any(name_of(each) in _BLOCKS for each in child)
            yield from section(child, level) if has_blocks else _paragraph(child, level)


def section(element: Element, level: int, default_title: str = "") -> Iterator[Block]:
    """Yield a section under its title; one without a title belongs to the enclosing section."""
    title = title_of(element) or default_title
    if title:
        yield Block(BlockKind.HEADING, title, level=min(level, MAX_LEVEL))
    yield from blocks_within(element, level + 1 if title else level)


def title_of(element: Element) -> str:
    """Return label and title of a section; empty if it has no title."""
    title = text_of(child_of(element, "title"))
    label = text_of(child_of(element, "label"))
    return f"{label} {title}" if title and label and not title.startswith(label) else title


def caption_of(element: Element) -> list[str]:
    """Return the lines of a figure's or table's caption: label and title, then its explanation."""
    caption = child_of(element, "caption")
    title = text_of(child_of(element, "title") if caption is None else child_of(caption, "title"))
    parts = [] if caption is None else [child for child in caption if name_of(child) != "title"]
    explanation = " ".join(filter(None, (text_of(part, _CAPTIONED_ELEMENTS) for part in parts)))
    label = text_of(child_of(element, "label"))
    return [line for line in (f"{_with_full_stop(label)} {title}".strip(), explanation) if line]


def _with_full_stop(label: str) -> str:
    return f"{label}." if label and label[-1].isalnum() else label


def _paragraph(element: Element, _: int) -> Iterator[Block]:
    """Yield a paragraph; lists, tables and figures within it become separate blocks, formulas do not."""
    words: list[str | Element] = [element.text or ""]
    for child in element:
        name = name_of(child)
        if name in _BLOCKS or is_table(child):
            yield from _words(words)
            yield from table_of(child) if is_table(child) else _READERS.get(name, _paragraph)(child, MAX_LEVEL)
            words = []
        elif name in CITATIONS:
            words.append(citation_text(child))
        else:
            words.append(child)
        words.append(child.tail or "")
    yield from _words(words)


def _words(parts: list[str | Element]) -> Iterator[Block]:
    if text := text_of_parts(parts):
        yield Block(BlockKind.PARAGRAPH, text)


def _list(element: Element, level: int) -> Iterator[Block]:
    is_ordered = attribute(element, "list-type") in ("order", "ordered", "arabic")
    if title := title_of(element):
        yield Block(BlockKind.PARAGRAPH, title)
    items = [child for child in element if name_of(child) in ("list-item", "fn", "def-item", "li")]
    for number, item in enumerate(items, 1):
        label = text_of(child_of(item, "label")) or (f"{number}." if is_ordered else "")
        yield from _item(item, level, f"{label} " if label else "")


def _item(item: Element, level: int, marker: str) -> Iterator[Block]:
    """Yield an item; its first paragraph has the marker."""
    for number, block in enumerate(blocks_within(item, level)):
        is_first = number == 0 and block.kind is BlockKind.PARAGRAPH
        yield Block(BlockKind.LIST_ITEM, marker + block.text) if is_first else block


def _definitions(element: Element, level: int) -> Iterator[Block]:
    if title := title_of(element):
        yield Block(BlockKind.HEADING, title, level=min(level, MAX_LEVEL))
    for item in element:
        if name_of(item) == "def-item":
            terms = [text_of(each) for each in item if name_of(each) == "term"]
            meanings = [text_of(each) for each in item if name_of(each) == "def"]
            yield Block(BlockKind.LIST_ITEM, ": ".join(filter(None, (", ".join(terms), " ".join(meanings)))))
        elif name_of(item) == "def-list":
            yield from _definitions(item, level + 1)


def _notes(element: Element, level: int) -> Iterator[Block]:
    title = title_of(element)
    if title:
        yield Block(BlockKind.HEADING, title, level=min(level, MAX_LEVEL))
    for child in element:
        if name_of(child) == "fn":
            yield from _note(child, level + 1)
        elif name_of(child) not in _OMITTED and (text := text_of(child)):
            yield Block(BlockKind.PARAGRAPH, text)


def _note(element: Element, level: int) -> Iterator[Block]:
    label = text_of(child_of(element, "label"))
    yield from _item(element, level, f"{label} " if label else "")


def _figure(element: Element, level: int) -> Iterator[Block]:
    if text := " ".join(caption_of(element)):
        yield Block(BlockKind.PARAGRAPH, text)
    yield from _nested_captions(element)
    yield from (block for block in blocks_within(element, level) if block.text)


def _nested_captions(element: Element) -> Iterator[Block]:
    """Yield the captions of supplementary files within a caption."""
    caption = child_of(element, "caption")
    for each in () if caption is None else caption.iter():
        if name_of(each) in _CAPTIONED_ELEMENTS and (text := " ".join(caption_of(each))):
            yield Block(BlockKind.PARAGRAPH, text)


def _table(element: Element, level: int) -> Iterator[Block]:
    """Yield a table with its caption, then its notes; of a table that is only an image, the caption."""
    tables = list(_outermost_tables(element))
    lines = caption_of(element)
    if not tables and lines:
        yield Block(BlockKind.PARAGRAPH, " ".join(lines))
    for table in tables:
        yield from table_of(table, tuple(lines))
    foot = child_of(element, "table-wrap-foot")
    yield from () if foot is None else _notes(foot, level)


def _outermost_tables(element: Element) -> Iterator[Element]:
    for child in element:
        if is_table(child):
            yield child
        elif name_of(child) == "alternatives":
            yield from _outermost_tables(child)


def _formula(element: Element, _: int) -> Iterator[Block]:
    label = text_of(child_of(element, "label"))
    if text := text_of_parts([element]):
        yield Block(BlockKind.PARAGRAPH, f"{text} {label}" if label and label not in text else text)


def _code(element: Element, _: int) -> Iterator[Block]:
    if text := normalise_code("".join(element.itertext())):
        yield Block(BlockKind.CODE, text)


def _box(element: Element, level: int) -> Iterator[Block]:
    """Yield a box; its title is no heading, since the text after the box belongs to the enclosing section."""
    if text := " ".join(caption_of(element)):
        yield Block(BlockKind.PARAGRAPH, text)
    yield from blocks_within(element, level)


def _references(element: Element, level: int) -> Iterator[Block]:
    yield Block(BlockKind.HEADING, title_of(element) or "References", level=min(level, MAX_LEVEL))
    for child in element:
        name = name_of(child)
        if name == "ref" and (text := reference_text(child)):
            yield Block(BlockKind.LIST_ITEM, text)
        elif name == "ref-list":
            yield from _references(child, level + 1)
        elif name == "p":
            yield from _paragraph(child, level)


def _acknowledgements(element: Element, level: int) -> Iterator[Block]:
    return section(element, level, "Acknowledgments")


def _glossary(element: Element, level: int) -> Iterator[Block]:
    return section(element, level, "Glossary")


_READERS: Final[Mapping[str, Callable[[Element, int], Iterator[Block]]]] = {
    "sec": section,
    "app": section,
    "app-group": section,
    "ack": _acknowledgements,
    "glossary": _glossary,
    "fig": _figure,
    "fig-group": _figure,
    "chem-struct-wrap": _figure,
    "supplementary-material": _figure,
    "table-wrap": _table,
    "table-wrap-group": _figure,
    "boxed-text": _box,
    "disp-quote": _box,
    "statement": _box,
    "verse-group": _box,
    "list": _list,
    "def-list": _definitions,
    "fn-group": _notes,
    "fn": _note,
    "disp-formula": _formula,
    "code": _code,
    "preformat": _code,
    "ref-list": _references,
}
_CAPTIONED_ELEMENTS: Final = frozenset(["supplementary-material", "fig", "table-wrap"])
_BLOCKS: Final = (frozenset(_READERS) | {"p", "disp-formula-group"}) - {"disp-formula", "fn", "code"}
"""Elements that end a paragraph's text; formulas, notes and inline code stay in their sentence."""
