"""Editor that removes tables of contents and of figures whose entries repeat headings or captions of the document."""

import re
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.pdf.blocks.table_of_contents import is_contents_title
from groundwire_readers.readers.word.part_editing import Edit, OpenElement
from groundwire_readers.readers.word.styles import WordStyles

_ENTRY_STYLE: Final = re.compile(r"toc [1-9]|table of figures")
_TITLE_STYLE: Final = "toc heading"
_GALLERY: Final = "Table of Contents"
_GALLERY_DEPTH: Final = 3
"""Number of ancestors from `w:docPartGallery` to its content block (`w:sdt`)."""
_PAGE_NUMBER: Final = re.compile(r"\s+(?:\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
_TEXTS: Final = {"w:t": "", "w:tab": "\t", "w:br": " "}
_REPEATED_SHARE: Final = 0.6
"""Minimum share of entries that repeat other paragraphs for a table of contents to be removed."""
_MAX_ENTRY_CHARACTERS: Final = 250
"""Maximum length of an entry; longer paragraphs are not compared."""


def may_have_contents(part: bytes, styles: WordStyles) -> bool:
    """Return whether a part may contain a table of contents or of figures; a quick check."""
    entries = (identity for identity, name in styles.names.items() if _ENTRY_STYLE.fullmatch(name))
    return _GALLERY.encode() in part or any(f'"{identity}"'.encode() in part for identity in entries)


@dataclass(slots=True)
class _ContentsLine:
    """A paragraph with the byte ranges of its texts; `style` is the name of its style, in lower case."""

    element: OpenElement
    is_in_gallery: bool
    style: str = ""
    texts: list[str] = field(default_factory=list[str])
    ranges: list[Edit] = field(default_factory=list[Edit])

    @property
    def text(self) -> str:
        return "".join(self.texts).strip()

    @property
    def is_title(self) -> bool:
        return self.style == _TITLE_STYLE or is_contents_title(self.text)

    @property
    def is_entry(self) -> bool:
        return (self.is_in_gallery or _ENTRY_STYLE.fullmatch(self.style) is not None) and not self.is_title


class TablesOfContents:
    """Editor of one part; a table of contents is kept or removed as a whole, with its title."""

    def __init__(self, styles: WordStyles) -> None:
        self.edits: list[Edit] = []
        self._styles = styles
        self._open: list[_ContentsLine] = []
        self._galleries: list[OpenElement] = []
        self._tables: list[list[_ContentsLine]] = []
        self._previous: _ContentsLine | None = None
        self._paragraph_keys: set[str] = set()

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:p":
            self._open.append(_ContentsLine(element, bool(self._galleries)))
        elif element.tag == "w:docPartGallery" and element.value == _GALLERY:
            self._galleries += _block_around(element)
        elif element.tag == "w:pStyle" and self._open and element.parent_tag == "w:pPr":
            self._open[-1].style = self._styles.names.get(element.value, "")
        elif element.tag in _TEXTS and self._open and element.parent_tag == "w:r":
            self._open[-1].texts.append(_TEXTS[element.tag])

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag == "w:t" and self._open:
            self._open[-1].texts.append(data)

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if element.tag in _TEXTS and self._open and element.parent_tag == "w:r":
            self._open[-1].ranges.append(Edit(element.first, end))
        elif self._galleries and self._galleries[-1] is element:
            self._galleries.pop()
        elif self._open and self._open[-1].element is element:
            self._end_paragraph(self._open.pop())
        elif element.parent is None:
            self.edits += [
                edit for table in self._tables if self._is_repeated(table) for one in table for edit in one.ranges
            ]

    def _end_paragraph(self, paragraph: _ContentsLine) -> None:
        if not paragraph.text:
            return
        previous, self._previous = self._previous, paragraph
        if not paragraph.is_entry:
            # A heading may have any style, so every paragraph outside a table of contents counts.
            self._paragraph_keys.add(_key(paragraph.text))
        elif previous is not None and previous.is_entry:
            self._tables[-1].append(paragraph)
        else:
            self._tables.append([previous, paragraph] if previous is not None and previous.is_title else [paragraph])

    def _is_repeated(self, table: list[_ContentsLine]) -> bool:
        entries = [paragraph.text for paragraph in table if not paragraph.is_title]
        repeated = sum(not self._paragraph_keys.isdisjoint(_keys_of_entry(text)) for text in entries)
        return repeated > 0 and repeated >= _REPEATED_SHARE * len(entries)


def _block_around(gallery: OpenElement) -> list[OpenElement]:
    """Return the content block that the gallery element describes, as a list; empty if it is missing."""
    block: OpenElement | None = gallery
    for _ in range(_GALLERY_DEPTH):
        block = None if block is None else block.parent
    return [] if block is None else [block]


def _keys_of_entry(text: str) -> set[str]:
    """Return the keys of an entry: its text without page number, and the same after its first tab (the number)."""
    without_page = _PAGE_NUMBER.sub("", text[-_MAX_ENTRY_CHARACTERS:]) if len(text) <= _MAX_ENTRY_CHARACTERS else ""
    return {_key(without_page), _key(without_page.partition("\t")[2])} - {""}


def _key(text: str) -> str:
    """Return the comparison key of a short text: its letters and digits, without a leading number."""
    letters = (
        "".join(character for character in text if character.isalnum()) if len(text) <= _MAX_ENTRY_CHARACTERS else ""
    )
    return letters.casefold().lstrip("0123456789")
