"""Conversion of the parser library's nodes to blocks of visible text."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from groundwire_readers import formats
from groundwire_readers.contents.document_titles import is_image_name
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.formats import Format
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.xberg import markdown
from groundwire_readers.readers.xberg.extraction import Annotation, Extraction, Node
from groundwire_readers.readers.xberg.notes import with_notes_beside
from groundwire_readers.text.markup import text_with_host
from groundwire_readers.text.normalisation import normalise, normalise_code
from groundwire_readers.text.runs import GAP

_SHOWN_LAYERS: Final = ("body", "footnote")
_JOINED_KINDS: Final = ("list_item", "footnote")
_PROSE_KINDS: Final = ("paragraph", "footnote", "formula", "citation", "title")
_ANCHORS: Final = re.compile(r"\[cmt:\d+\]|\[\^\w{1,9}\]")
"""Placeholder that the library writes for the anchor of a comment or a footnote."""
_IMAGE_NOTE: Final = re.compile(r"\[Image: .*\]", re.DOTALL)
"""Placeholder that the library writes for an image of a Markdown file."""
_LEADER: Final = re.compile(r"(?<!\s)(?:\s*+\.){4,}")
"""Dots between a title and its page number in a table of contents.

A run of spaces is matched only from its start: from each of its characters, it would take quadratic time.
"""
_UNREADABLE_POINTS: Final = 1.0
_MAX_SPAN_CELLS: Final = 1_000
_MAX_LEVEL: Final = 9


def blocks_of_nodes(extraction: Extraction, document_format: Format) -> list[Block]:
    """Return the blocks of the document, with notes behind the blocks that they belong to."""
    return with_notes_beside(extraction.nodes, numbered_blocks(extraction, document_format))


def numbered_blocks(extraction: Extraction, document_format: Format) -> Iterator[tuple[int, Block]]:
    """Yield each block with the index of its node; a node without a page number is on the page of that before it."""
    numbers = _ItemNumbers(extraction)
    page: int | None = None
    within_item: list[tuple[int, Block]] = []
    for number, node in enumerate(extraction.nodes):
        page = node.page or page
        marker = numbers.marker(node)
        if node.layer in _SHOWN_LAYERS:
            cited_page = page if document_format.has_pages else None
            parts = _paragraphs(node)
            found = [(number, block) for part in parts for block in _blocks(part, document_format, cited_page, marker)]
            # The library gives code and tables of a list item before its text.
            if document_format is formats.MARKDOWN and extraction.is_within_item(node):
                within_item += found
            else:
                yield from [*found, *within_item]
                within_item = []
    yield from within_item


class _ItemNumbers:
    """Numbers of the list items so far, by their list."""

    def __init__(self, extraction: Extraction) -> None:
        self._nodes = extraction.nodes
        self._counts: Counter[int | None] = Counter()
        self._signs: dict[int | None, str] = {}

    def marker(self, node: Node) -> str:
        """Return the marker or the number of a list's item; empty for other nodes."""
        parent = node.parent
        if node.content.get("node_type") == "list_item":
            self._counts[parent] += 1
            written = markdown.item_number(str(node.content.get("text", "")))
            # CommonMark 5.3: the number and the sign of the first item decide.
            if written is not None and parent not in self._signs and self._counts[parent] == 1:
                self._counts[parent], self._signs[parent] = written
        if node.list_marker or parent is None:
            return node.list_marker
        is_ordered = self._nodes[parent].content.get("ordered") is True
        return f"{self._counts[parent]}{self._signs.get(parent, '.')}" if is_ordered else ""


def _paragraphs(node: Node) -> Iterator[Node]:
    """Yield a node for each paragraph in the node of a list item or a note, which the library joins to one text."""
    text, start = str(node.content.get("text", "")), 0
    kind = node.content.get("node_type")
    for part in text.split(markdown.PARAGRAPH) if kind in _JOINED_KINDS else ():
        end = start + len(part)
        placed = (replace(one, start=max(0, one.start - start), end=one.end - start) for one in node.annotations)
        yield replace(
            node,
            content={"node_type": "paragraph" if start else kind, "text": part},
            annotations=tuple(replace(one, end=min(end - start, one.end)) for one in placed if one.start < one.end),
        )
        start = end + 1
    if kind not in _JOINED_KINDS:
        yield node


def _blocks(node: Node, document_format: Format, page: int | None, marker: str) -> Iterator[Block]:
    content, kind = node.content, str(node.content.get("node_type"))
    if kind == "raw_block":
        yield from page_reader.parse_html(markdown.plain(str(content.get("content", ""))).encode()).blocks
    elif kind == "table":
        rows = [[_cell(cell, document_format) for cell in row] for row in _rows(content)]
        yield from _table(rows, document_format, page)
    elif (found := _text_block(node, document_format, page, kind, marker)).text:
        yield found


def _table(rows: Sequence[Sequence[str]], document_format: Format, page: int | None) -> Iterator[Block]:
    # In Markdown, the first row is always the header.
    is_markdown = document_format is formats.MARKDOWN
    return table_blocks(rows, page, header_rows=int(any(rows[0])) if is_markdown and rows else None)


def _cell(text: str, document_format: Format) -> str:
    if document_format is formats.MARKDOWN:
        return markdown.inline_text(text)
    return _ANCHORS.sub("", text) if document_format is formats.RTF else text


def _text_block(node: Node, document_format: Format, page: int | None, kind: str, marker: str) -> Block:
    if kind == "code":
        return Block(BlockKind.CODE, normalise_code(markdown.plain(str(node.content.get("text", "")))), page=page)
    if kind == "heading":
        level = node.content.get("level")
        depth = level if isinstance(level, int) else 1
        return Block(
            BlockKind.HEADING,
            normalise(_visible_text(node, document_format)),
            level=min(max(1, depth), _MAX_LEVEL),
            page=page,
        )
    if kind == "list_item":
        return Block(BlockKind.LIST_ITEM, normalise(f"{marker} {_visible_text(node, document_format)}"), page=page)
    return Block(BlockKind.PARAGRAPH, normalise(_prose(node, document_format, kind)), page=page)


def _prose(node: Node, document_format: Format, kind: str) -> str:
    if kind in _PROSE_KINDS:
        return _visible_text(node, document_format)
    if kind == "definition_item":
        return f"{node.content.get('term', '')}: {node.content.get('definition', '')}"
    if kind == "image" and document_format is not formats.MARKDOWN:
        description = str(node.content.get("description") or "")
        return "" if is_image_name(description) else description
    return str(node.content.get("title") or "") if kind == "admonition" else ""


def _visible_text(node: Node, document_format: Format) -> str:
    """Return the node's text with its links' hosts, without the format's anchors, leaders and hidden markup."""
    text = _with_annotations(str(node.content.get("text", "")), node.annotations, document_format)
    if document_format is formats.RTF:
        return _ANCHORS.sub("", text)
    if document_format is formats.PDF:
        return _LEADER.sub(" …", text)
    if document_format is formats.MARKDOWN:
        return "" if _IMAGE_NOTE.fullmatch(text) else markdown.inline_text(text)
    return text


def _with_annotations(text: str, annotations: Sequence[Annotation], document_format: Format) -> str:
    # From the end, so that a change does not move the offsets of the others.
    for annotation in sorted(annotations, key=lambda annotation: annotation.start, reverse=True):
        before, inside, after = (
            text[: annotation.start],
            text[annotation.start : annotation.end],
            text[annotation.end :],
        )
        if annotation.kind == "link" and inside.strip():
            text = before + text_with_host(inside, annotation.value) + after
        elif annotation.kind == "font_size" and _points(annotation.value) <= _UNREADABLE_POINTS:
            text = before + after
        elif annotation.kind == "strikethrough" and document_format is formats.MARKDOWN:
            text = before + GAP + after
    return text


def _points(size: str) -> float:
    try:
        return float(size.removesuffix("pt"))
    except ValueError:
        # A size in an unknown unit is no reason to leave text out.
        return _UNREADABLE_POINTS + 1


def _rows(content: Mapping[str, object]) -> list[list[str]]:
    """Return the grid's cells; the text of a merged cell is repeated in each cell that it spans."""
    grid = cast("Mapping[str, object]", content.get("grid") or {})
    rows: dict[int, dict[int, str]] = {}
    for cell in cast("list[dict[str, object]]", grid.get("cells") or []):
        top, left, height, width = (cast("int", cell[name]) for name in ("row", "col", "row_span", "col_span"))
        # A damaged or hostile table declares spans of millions of cells.
        if height * width > _MAX_SPAN_CELLS:
            height = width = 1
        text = _LEADER.sub(" …", str(cell["content"]))
        for row in range(top, top + max(1, height)):
            for column in range(left, left + max(1, width)):
                rows.setdefault(row, {}).setdefault(column, text)
    return [[row.get(column, "") for column in range(max(row) + 1)] for _, row in sorted(rows.items())]
