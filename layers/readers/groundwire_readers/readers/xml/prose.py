"""Conversion of prose in any XML vocabulary (DocBook, DITA, TEI) to headings, paragraphs, lists, code and tables."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.xml.inline_text import child_of, has_words, name_of, text_of, text_of_parts
from groundwire_readers.readers.xml.markup_tables import TABLES, is_table, table_of
from groundwire_readers.readers.xml.records import record_rows
from groundwire_readers.text.normalisation import normalise_code

_HEADINGS: Final = ("title", "head", "heading", "caption")
_TITLES: Final = ("title", "head", "heading", "name", "caption")
_MAX_FACTS: Final = 30
_MAX_REPEATED_FACTS: Final = 3
"""Maximum number of leaves of a small record, in all and of one name; more are a list or nested parts."""
_MAX_FACT_CHARACTERS: Final = 200
"""Maximum length of a value of a small record; longer values are prose."""
_HEADERS: Final = ("info", "articleinfo", "bookinfo", "chapterinfo", "sectioninfo")
"""Elements with the title of their parent."""
_PARAGRAPHS: Final = ("p", "para", "paragraph", "simpara")
_CODE: Final = ("programlisting", "screen", "codeblock", "literallayout", "pre", "eg")
_ITEMS: Final = ("listitem", "item", "li", "step", "step-item")
_ORDERED: Final = ("orderedlist", "ol", "procedure", "steps")
_BLOCKS: Final = frozenset(
    {
        *_PARAGRAPHS,
        *_CODE,
        *_ITEMS,
        *("itemizedlist", "variablelist", "orderedlist", "list", "ul", "ol", "table", "figure"),
    }
    | {"informaltable", "note", "warning", "section", "sect1", "sect2", "div", "example", "blockquote", "lg", "dl"}
)
"""Block elements, which end the surrounding text; all others are inline."""

_PROSE_ELEMENTS: Final = frozenset({*_PARAGRAPHS, *_CODE, *_ITEMS, *_HEADINGS, *TABLES})


def is_prose(root: Element) -> bool:
    """Return whether the document has mixed content, paragraph elements or tables."""
    return any(
        name_of(each) in _PARAGRAPHS or (len(each) > 0 and has_words(each)) or is_table(each) for each in root.iter()
    )


def prose_blocks(root: Element) -> Iterator[Block]:
    """Yield the blocks of the document: titles as headings, tables, and other text as paragraphs."""
    if is_table(root):
        yield from table_of(root)
    elif len(root) and not has_words(root):
        yield from _within(root, 1)
    else:
        yield from _text(root, 1, BlockKind.PARAGRAPH, "")


def _within(element: Element, level: int) -> Iterator[Block]:
    """Yield the blocks of the children; the level of a heading is the number of enclosing titles."""
    if rows := list(record_rows(element)) or list(_facts(element)):
        yield from rows
        return
    inner = level + 1 if _has_title(element) else level
    count = 0
    for child in element:
        name = name_of(child)
        if name in _TITLES and _is_line(child):
            if text := text_of(child):
                yield Block(BlockKind.HEADING, text, level=min(level, MAX_LEVEL))
        elif name in _ITEMS:
            count += 1
            yield from _item(child, inner, f"{count}. " if name_of(element) in _ORDERED else "")
        else:
            yield from _block(child, level if name in _HEADERS else inner)


def _facts(element: Element) -> Iterator[Block]:
    """Yield one line with the names and values of an element, if it is a small record, not prose."""
    # One more than allowed shows that there are too many, without a walk over a large tree.
    leaves = list(islice((each for each in element.iter() if not len(each)), _MAX_FACTS + 1))
    names = Counter(name_of(leaf) for leaf in leaves)
    if not 1 < len(leaves) <= _MAX_FACTS or len(names) < 2 or max(names.values()) > _MAX_REPEATED_FACTS:  # noqa: PLR2004
        return
    within = [each for each in element.iter() if each is not element]
    if any(name_of(each) in _PROSE_ELEMENTS or (len(each) and has_words(each)) for each in within):
        return
    facts = [(name_of(leaf), text) for leaf in leaves if (text := text_of(leaf))]
    if facts and all(len(text) <= _MAX_FACT_CHARACTERS for _, text in facts):
        line = ", ".join(f"{name}: {text}" for name, text in facts)
        yield Block(BlockKind.LIST_ITEM, f"{name_of(element)}: {line}")


def _has_title(element: Element) -> bool:
    holders = (element, child_of(element, *_HEADERS))
    titles = (None if holder is None else child_of(holder, *_TITLES) for holder in holders)
    return any(title is not None and _is_line(title) and text_of(title) for title in titles)


def _block(child: Element, level: int) -> Iterator[Block]:
    name = name_of(child)
    if is_table(child):
        title = child_of(child, *_TITLES)
        yield from table_of(child, (text_of(title),))
    elif name in _CODE:
        if text := normalise_code("".join(child.itertext())):
            yield Block(BlockKind.CODE, text)
    elif name in _ITEMS:
        yield from _item(child, level, "")
    elif len(child) and not has_words(child) and not all(map(_is_inline, child)):
        yield from _within(child, level)
    else:
        yield from _text(child, level, BlockKind.PARAGRAPH, "")


def _item(element: Element, level: int, marker: str) -> Iterator[Block]:
    """Yield an item of a list; its first paragraph has the marker."""
    if has_words(element) or not len(element):
        yield from _text(element, level, BlockKind.LIST_ITEM, marker)
        return
    for number, block in enumerate(_within(element, level)):
        is_first = number == 0 and block.kind is BlockKind.PARAGRAPH
        yield Block(BlockKind.LIST_ITEM, marker + block.text) if is_first else block


def _text(element: Element, level: int, kind: BlockKind, marker: str) -> Iterator[Block]:
    """Yield the text of an element; lists, tables and paragraphs within it become separate blocks."""
    words: list[str | Element] = [element.text or ""]
    for child in element:
        if name_of(child) in _BLOCKS or is_table(child):
            yield from _words(words, kind, marker)
            yield from _block(child, level)
            words, marker = [], ""
        else:
            words.append(child)
        words.append(child.tail or "")
    yield from _words(words, kind, marker)


def _words(parts: list[str | Element], kind: BlockKind, marker: str) -> Iterator[Block]:
    if text := text_of_parts(parts):
        yield Block(kind, marker + text)


def _is_line(title: Element) -> bool:
    return not any(name_of(child) in _BLOCKS for child in title)


_INLINE: Final = frozenset(
    {"emphasis", "i", "b", "em", "strong", "hi", "italic", "bold", "sub", "sup", "link", "ulink", "xref", "ref", "code"}
    | {"literal", "filename", "command", "ph", "term", "lb", "pb", "c", "w"}
)


def _is_inline(element: Element) -> bool:
    return name_of(element) in _INLINE and not len(element)
