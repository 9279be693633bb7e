"""Assembly of a document's blocks (headings, paragraphs, list items, code, tables) from the lines of its pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks, table_text
from groundwire_readers.readers.pdf.blocks.headings import Heading, find_headings, letters_of
from groundwire_readers.readers.pdf.blocks.line_breaks import join_lines, with_ligatures
from groundwire_readers.readers.pdf.blocks.paragraphs import ParagraphLines
from groundwire_readers.readers.pdf.blocks.table_of_contents import (
    entries_of_contents,
    is_contents_title,
    names_of,
    repeats_heading,
    without_dots,
    without_leader,
)
from groundwire_readers.readers.pdf.layout.column_edges import right_edges
from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.layout.lines import Line
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout
from groundwire_readers.readers.pdf.pages.pdf_file import OutlineEntry
from groundwire_readers.text.normalisation import normalise, normalise_code

_CLAUSE_END_MARKS: Final = (".", ":", ";", "!", "?")
_CAPTION_LINES: Final = 4
"""Maximum number of lines above a table that are its caption."""
_CAPTION_CHARACTERS: Final = 100
"""Maximum length of one line of a caption; longer lines are paragraphs."""
_TABLE_TITLE: Final = re.compile(
    r"(?:table|exhibit|schedule|figure|chart|tabelle|tableau|tabla)\s+[A-Z]?\d", re.IGNORECASE
)
_UNIT_OR_PERIOD: Final = re.compile(
    r"\([^()]*\)|(?:(?:all\s+)?(?:amounts|figures|values)\s+)?(?:in|as\s+(?:of|at)|for|from)\s.{1,60}"
    r"|(?:\S+\s+){0,2}(?:years?|quarters?|months|weeks|periods?)\s+end(?:ed|ing)\b.{0,40}"
    r"|(?:un)?audited|[^:]{0,20}\b(?:19|20)\d\d\b[^:]{0,20}",
    re.IGNORECASE,
)
"""Line above a table that gives its unit or its period."""
_FORM_FIELD: Final = re.compile(r"[^:]{1,40}:\s*\S")
"""Line of a form: a label and its value."""
_TITLE_LINES: Final = 2
"""Maximum number of lines of a table's title."""
_FULL_TITLE_LINE: Final = 50
"""Minimum length of a title's line whose text continues on the next line."""
_INTRODUCTION_CHARACTERS: Final = 300
"""Maximum length of a sentence before a table that is used as its caption."""
_LONG_TABLE: Final = 1_000
"""Length in characters from which chunking is likely to split a table into several passages."""
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_])")
_REPEATED_SHARE: Final = 0.6
"""Minimum share of the entries that repeat headings of the document for a table of contents to be left out."""
_FULL_LINE_MARGIN: Final = 1.5
"""Maximum distance of a line's end from its column's right edge at which the line is full, in font sizes."""


def blocks_of(pages: Sequence[PageLayout], style: DocumentStyle, outline: Sequence[OutlineEntry]) -> list[Block]:
    """Return the blocks of the document, in reading order, text normalised."""
    unverified = {page.number for page in pages if page.is_unverified}
    blocks = [block for block in _BlockBuilder(pages, style, outline).blocks() if block.text]
    captioned = _with_continued_headers(_with_captions(blocks))
    return [replace(block, is_unverified=True) if block.page in unverified else block for block in captioned]


class _BlockBuilder:
    def __init__(self, pages: Sequence[PageLayout], style: DocumentStyle, outline: Sequence[OutlineEntry]) -> None:
        self._pages = {page.number: page for page in pages}
        self._style = style
        self._lines = [line for page in pages for line in page.lines]
        self._right_edges = right_edges(self._lines)
        outline_titles = frozenset(letters_of(entry.title) for entry in outline) - {""}
        self._contents = entries_of_contents(self._lines, outline_titles)
        unverified = {page.number for page in pages if page.is_unverified}
        self._headings = {
            heading.start: heading
            for heading in find_headings(self._lines, self._right_edges, style, outline)
            if heading.start not in self._contents and self._lines[heading.start].page not in unverified
        }

        heading_names = names_of(
            [*(heading.text for heading in self._headings.values()), *(entry.title for entry in outline)]
        )
        repeating = {index for index in self._contents if repeats_heading(self._lines[index].text, heading_names)}
        # In an excerpt, the table of contents describes missing chapters: it is kept or left out as a whole.
        self._left_out = self._contents if len(repeating) >= _REPEATED_SHARE * len(self._contents) else set[int]()

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, without the entries of a table of contents that repeat headings, and its title."""
        index = 0
        while index < len(self._lines):
            line = self._lines[index]
            heading = self._headings.get(index)
            if line.table >= 0:
                yield from self._table(line)
                index += 1
            elif heading is not None:
                if not (is_contents_title(heading.text) and heading.end in self._left_out):
                    yield self._heading(heading, line.page)
                index = heading.end
            elif index in self._left_out:
                index += 1
            elif index in self._contents:
                yield Block(BlockKind.PARAGRAPH, normalise(without_leader(line.text)), page=line.page)
                index += 1
            elif line.is_monospaced and not self._style.is_monospaced:
                end = self._end_of_code(index)
                yield _code_block(self._lines[index:end])
                index = end
            else:
                end = self._end_of_paragraph(index)
                yield self._paragraph(index, end)
                index = end

    def _heading(self, heading: Heading, page: int) -> Block:
        text = normalise(with_ligatures(heading.text, self._style))
        return Block(BlockKind.HEADING, text, level=heading.level, page=page)

    def _is_body_text(self, index: int) -> bool:
        line = self._lines[index]
        return line.table < 0 and index not in self._headings and index not in self._contents

    def _end_of_code(self, index: int) -> int:
        end = index + 1
        while (
            end < len(self._lines)
            and self._is_body_text(end)
            and self._lines[end].is_monospaced
            and self._lines[end].page == self._lines[index].page
        ):
            end += 1
        return end

    def _end_of_paragraph(self, index: int) -> int:
        paragraph = ParagraphLines(self._lines[index], self._right_edges[index])
        end = index + 1
        while end < len(self._lines) and self._is_body_text(end):
            line = self._lines[end]
            if self._begins_code(end) or not paragraph.accepts(line, self._right_edges[end], self._style):
                break
            paragraph.add(line, self._right_edges[end])
            end += 1
        return end

    def _begins_code(self, index: int) -> bool:
        """Return whether the line starts a code block; a single monospaced line within a sentence does not."""
        line = self._lines[index]
        if not line.is_monospaced or self._style.is_monospaced:
            return False
        following = self._lines[index + 1] if index + 1 < len(self._lines) else None
        is_lone = following is None or not following.is_monospaced
        return not is_lone or self._lines[index - 1].text.endswith(_CLAUSE_END_MARKS)

    def _paragraph(self, start: int, end: int) -> Block:
        lines = self._lines[start:end]
        text, breaks = without_dots(lines[0].text), list[int]()
        for position, line in enumerate(lines[1:], start + 1):
            last = self._lines[position - 1]
            is_full = self._right_edges[position - 1] - last.box.right <= _FULL_LINE_MARGIN * last.size
            text = join_lines(text, without_dots(line.text), self._style, is_full=is_full, ends_word=last.ends_word)
            if line.page > last.page:
                breaks.append(len(text) - len(without_dots(line.text)))
        marker = ParagraphLines(lines[0], 0.0).marker
        kind = BlockKind.LIST_ITEM if marker and len(text) > len(marker) + 1 else BlockKind.PARAGRAPH
        whole = normalise(with_ligatures(text, self._style))
        # Normalised as well, the text of the pages before a break is as long as in the block.
        before = [normalise(with_ligatures(text[:place], self._style)) for place in breaks]
        return Block(kind, whole, page=lines[0].page, page_breaks=tuple(min(len(each), len(whole)) for each in before))

    def _table(self, line: Line) -> Iterator[Block]:
        table = self._pages[line.page].tables[line.table]
        if table.is_aligned_text:
            text = "\n".join("  ".join(cell for cell in row if cell) for row in table.rows)
            yield Block(BlockKind.CODE, normalise_code(text), page=line.page)
        else:
            rows = [tuple(map(str.strip, map(without_dots, row))) for row in table.rows]
            for block in table_blocks(rows, line.page):
                is_table = block.kind is BlockKind.TABLE
                header_rows = min(table.header_rows, len(block.rows)) if is_table else block.header_rows
                yield replace(block, caption=table.caption if is_table else "", header_rows=header_rows)


def _with_continued_headers(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks, with caption and header repeated on the continuation of a table on the next page.

    A continuation has as many columns as the table before it, and neither header nor caption.
    """
    extended: list[Block] = []
    for block in blocks:
        last = extended[-1] if extended else None
        extended.append(block if last is None or not _is_continued_by(last, block) else _with_header_from(last, block))
    return extended


def _is_continued_by(table: Block, following: Block) -> bool:
    if table.kind is not BlockKind.TABLE or following.kind is not BlockKind.TABLE:
        return False
    is_bare = following.header_rows == 0 and not following.caption
    is_next = table.page is not None and following.page == table.page + 1
    return is_bare and is_next and len(table.rows[0]) == len(following.rows[0])


def _with_header_from(table: Block, following: Block) -> Block:
    rows = (*table.rows[: table.header_rows], *following.rows)
    return replace(following, text=table_text(rows), rows=rows, header_rows=table.header_rows, caption=table.caption)


def _with_captions(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks, with the short lines or the introduction directly above a table as its caption.

    Chunking repeats the caption in every passage of the table, so each passage states title, unit and period.
    """
    captioned: list[Block] = []
    for block in blocks:
        if block.kind is not BlockKind.TABLE or block.caption:
            captioned.append(block)
            continue
        count = _caption_lines(captioned, block)
        lines = [each.text for each in captioned[len(captioned) - count :]]
        del captioned[len(captioned) - count :]
        if not lines and len(block.text) > _LONG_TABLE and captioned and _introduces(captioned[-1], block):
            # The introducing sentence also stays in its paragraph.
            sentence = _SENTENCE.split(captioned[-1].text)[-1]
            lines = [sentence] if len(sentence) <= _INTRODUCTION_CHARACTERS else []
        captioned.append(replace(block, caption="\n".join(lines)))
    return captioned


def _caption_lines(before: Sequence[Block], table: Block) -> int:
    """Return the number of blocks directly above the table that are its caption.

    A caption is a title (numbered, or at most two lines) and lines that state unit or period.
    """
    count = title_lines = 0
    for block in reversed(before[-_CAPTION_LINES:]):
        if not count and _introduces(block, table) and len(block.text) <= _INTRODUCTION_CHARACTERS:
            return 1
        is_short = len(block.text) <= _CAPTION_CHARACTERS and any(map(str.isalpha, block.text))
        if block.kind is not BlockKind.PARAGRAPH or block.page != table.page or not is_short:
            break
        if _TABLE_TITLE.match(block.text):
            return count + 1
        if _UNIT_OR_PERIOD.fullmatch(block.text) is None:
            title_lines += 1 if title_lines == 0 or len(block.text) >= _FULL_TITLE_LINE else _CAPTION_LINES
        if title_lines > _TITLE_LINES or block.text.endswith((".", ";", ",", ":")) or _FORM_FIELD.match(block.text):
            break
        count += 1
    return count


def _introduces(block: Block, table: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and block.last_page == table.page and block.text.endswith(":")


def _code_block(lines: Sequence[Line]) -> Block:
    """Return a code block; the indentation of each line is its distance from the leftmost line."""
    left = min(line.box.left for line in lines)
    rows = [" " * round((line.box.left - left) / (_mean_character_width(line) or 1.0)) + line.text for line in lines]
    return Block(BlockKind.CODE, normalise_code("\n".join(rows)), page=lines[0].page)


def _mean_character_width(line: Line) -> float:
    """Return the mean width of the line's characters, in points."""
    return (line.box.right - line.box.left) / max(len(line.text), 1)
