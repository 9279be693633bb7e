"""Removal of tables of contents and of figures whose entries repeat headings or captions of the document."""

import re
from collections.abc import Iterable
from typing import Final

from groundwire_readers.readers.pdf.blocks.table_of_contents import is_contents_title
from groundwire_readers.readers.word.flow.items import Paragraph
from groundwire_readers.readers.word.styles import WordStyles

_ENTRY_STYLE: Final = re.compile(r"toc [1-9]|table of figures")
_TITLE_STYLE: Final = "toc heading"
_PAGE_NUMBER: Final = re.compile(r"\s+(?:\d{1,4}|[ivxlc]{1,7})$", re.IGNORECASE)
_REPEATED_SHARE: Final = 0.6
"""Minimum share of entries that repeat other paragraphs for a table of contents to be removed."""
_MAX_ENTRY_CHARACTERS: Final = 250
"""Maximum length of an entry; longer paragraphs are not compared."""


def remove_repeated_contents(paragraphs: Iterable[Paragraph], styles: WordStyles) -> None:
    """Remove the texts of tables of contents that repeat other paragraphs, each as a whole, with its title."""
    tables: list[list[Paragraph]] = []
    others: list[str] = []
    previous: Paragraph | None = None
    for paragraph in paragraphs:
        text = paragraph.own_text.strip()
        if not text:
            continue
        if not _is_entry(paragraph, text, styles):
            # A heading may have any style, so every paragraph outside a table of contents counts.
            others.append(text)
        elif previous is not None and tables and tables[-1][-1] is previous:
            tables[-1].append(paragraph)
        else:
            is_titled = previous is not None and _is_title(previous, previous.own_text.strip(), styles)
            tables.append([previous, paragraph] if previous is not None and is_titled else [paragraph])
        previous = paragraph
    keys = {_key(text) for text in others} if tables else set[str]()
    for table in tables:
        if _is_repeated([one.own_text.strip() for one in table if _is_entry(one, one.own_text.strip(), styles)], keys):
            for paragraph in table:
                paragraph.remove_text()


def _is_title(paragraph: Paragraph, text: str, styles: WordStyles) -> bool:
    return styles.names.get(paragraph.style) == _TITLE_STYLE or is_contents_title(text)


def _is_entry(paragraph: Paragraph, text: str, styles: WordStyles) -> bool:
    style = styles.names.get(paragraph.style, "")
    is_in_contents = paragraph.in_gallery or _ENTRY_STYLE.fullmatch(style) is not None
    return is_in_contents and not _is_title(paragraph, text, styles)


def _is_repeated(entries: list[str], keys: set[str]) -> bool:
    repeated = sum(not keys.isdisjoint(_keys_of_entry(text)) for text in entries)
    return repeated > 0 and repeated >= _REPEATED_SHARE * len(entries)


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
