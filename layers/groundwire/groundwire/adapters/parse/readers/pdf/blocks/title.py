"""Title of a PDF: the stated one where it means something, else the first page's largest lines."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from groundwire.adapters.parse.readers.pdf.blocks.headings import joined_heading, letters_of
from groundwire.adapters.parse.readers.pdf.layout.document_style import DocumentStyle
from groundwire.adapters.parse.readers.pdf.layout.lines import Line
from groundwire.adapters.parse.readers.pdf.layout.page_layout import PageLayout
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.normalisation import normalise

_FILE_NAME: Final = re.compile(
    r"\.(?:docx?|pdf|pptx?|xlsx?|odt|ods|odp|rtf|tex|dvi|ps|indd|qxd|pages|html?|txt|fm|pmd|cdr|ai|eps|png|jpe?g|tiff?|wpd)\b",
    re.IGNORECASE,
)
_PROGRAMS: Final = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\s*-|powerpoint presentation|untitled|\(anonymous\)|anonymous|document\d*$"
    r"|title$|slide 1$|print(?:ing)?\b.{0,12}$|form\b.{0,20}$|template\b.{0,20}$|scan|img[_\d]|new document|no title)",
    re.IGNORECASE,
)
_NO_TITLE: Final = re.compile(
    r"^(?:front cover|cover(?: page)?|back cover|signature(?: page)?s?\b.*|(?:table of )?contents|page \d+.*|draft"
    r"|confidential|abstract|introduction|(?:form|omb|approved)\b.{0,40}\d.*|\(mark one\)|www\..*|https?:.*)$",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_RECOGNISED_WORDS: Final = 2
"""Minimum number of words of a title in a picture: recognition makes a word of a signature."""
_MIN_LETTERS: Final = 4
_CHARACTERS: Final = 250
_LINES: Final = 6
_SAME_SIZE: Final = 0.06
_FIRST_PAGES: Final = 3
_SECTIONS: Final = 3
"""Minimum number of headings of a size that are sections."""
_SECTION_NUMBER: Final = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}[.)]?\s")


def title_of(stated: str, pages: Sequence[PageLayout], blocks: Sequence[Block], style: DocumentStyle) -> str | None:
    """Return the document's title; None when there is none."""
    own = normalise(stated)
    if is_meaningful(own):
        return own
    section_sizes = _section_sizes(pages, blocks)
    for page in pages[:_FIRST_PAGES]:
        if not page.is_unverified and (found := _largest(page.lines, style, section_sizes)):
            return found
    unverified = {page.number for page in pages if page.is_unverified}
    headings = [block.text for block in blocks if block.kind is BlockKind.HEADING and block.page not in unverified]
    return next((text for text in headings if not _NO_TITLE.match(text) and not _SECTION_NUMBER.match(text)), None)


def is_meaningful(title: str) -> bool:
    """Return whether a stated title is words, not a number, a file's name or a program's."""
    if _PROGRAMS.match(title) or _FILE_NAME.search(title) or len(title) > _CHARACTERS:
        return False
    letters = sum(map(str.isalpha, title))
    digits = sum(map(str.isdigit, title))
    is_code = " " not in title and (digits > 0 or "_" in title or (title.isascii() and len(title) < _MIN_LETTERS))
    return letters >= min(_MIN_LETTERS, 2) and digits <= letters and not is_code


def _section_sizes(pages: Sequence[PageLayout], blocks: Sequence[Block]) -> frozenset[float]:
    """Return the font sizes of which the document has several headings: those of its sections."""
    headings = {letters_of(block.text) for block in blocks if block.kind is BlockKind.HEADING}
    sizes = Counter(line.size for page in pages for line in page.lines if letters_of(line.text) in headings)
    return frozenset(size for size, count in sizes.items() if count >= _SECTIONS)


def _largest(lines: Sequence[Line], style: DocumentStyle, section_sizes: frozenset[float]) -> str | None:
    """Return the page's largest lines that may be a title; None when nothing is larger than the body.

    When the largest lines are headings of sections, the bold line at the top, if there is one, is the title.
    """
    candidates = [line for line in lines if line.table < 0 and _may_be_title(line)]
    sizes = sorted({line.size for line in candidates}, reverse=True)
    if sizes and candidates[0].size < sizes[0] and sizes[0] in section_sizes and candidates[0].is_bold:
        sizes.insert(0, candidates[0].size)
    for size in sizes[:_LINES]:
        if size < style.size * 1.05 and not any(line.is_bold for line in candidates if line.size == size):
            break
        found = _run_of(lines, size, only_bold=size < style.size * 1.05)
        text = normalise(joined_heading([line.text for line in found])) if found else ""
        if text and len(letters_of(text)) >= _MIN_LETTERS and len(text) <= _CHARACTERS and not _NO_TITLE.match(text):
            return text
    return None


def _may_be_title(line: Line) -> bool:
    return (
        line.is_upright
        and (not line.is_recognised or len(_LETTERS.findall(line.text)) >= _RECOGNISED_WORDS)
        and any(map(str.isalpha, line.text))
        and not _NO_TITLE.match(line.text)
        and not _SECTION_NUMBER.match(line.text)
    )


def _run_of(lines: Sequence[Line], size: float, *, only_bold: bool) -> list[Line]:
    """Return the first run of neighbouring lines of this size."""
    found: list[Line] = []
    for line in lines:
        is_of_size = abs(line.size - size) <= _SAME_SIZE * size and line.table < 0 and (line.is_bold or not only_bold)
        is_near = not found or line.box.bottom - found[-1].box.bottom <= 2 * size
        if is_of_size and is_near and _may_be_title(line) and (not found or line.is_bold == found[0].is_bold):
            found.append(line)
            if len(found) == _LINES:
                break
        elif found:
            break
    return found
