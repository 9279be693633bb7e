"""Title of a PDF: the stated one where it means something, else the first page's largest lines."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile, islice
from typing import Final

from groundwire_readers.contents.file_properties import is_placeholder
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.pdf.blocks.headings import joined_heading, letters_of
from groundwire_readers.readers.pdf.layout.document_style import DocumentStyle
from groundwire_readers.readers.pdf.layout.lines import Line
from groundwire_readers.readers.pdf.layout.page_layout import PageLayout
from groundwire_readers.text.normalisation import normalise

_FILE_NAME: Final = re.compile(
    r"\.(?:docx?|pdf|pptx?|xlsx?|odt|ods|odp|rtf|tex|dvi|ps|indd|qxd|pages|html?|txt|fm|pmd|cdr|ai|eps|png|jpe?g|tiff?|wpd|docm|dotx?|pptm|xls[mb]|psd)\b",
    re.IGNORECASE,
)
_PROGRAMS: Final = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\s*-|powerpoint presentation|untitled|\(anonymous\)|anonymous|document\d*$"
    r"|title$|slide 1$|print(?:ing)?\b.{0,12}$|form\b.{0,20}$|template\b.{0,20}$|scan|img[_\d]|new document|no title)",
    re.IGNORECASE,
)
_NO_TITLE: Final = re.compile(
    r"^(?:front cover|cover(?: page)?|back cover|signature(?: page)?s?\b.*|(?:table of )?contents|page \d+.*|draft"
    r"|confidential|abstract|introduction|(?:key|legend|notes?|remarks?|highlights)\s?:?"
    r"|(?:table|figure|chart|exhibit|box|tabelle|abbildung)\s+[A-Z]{0,3}[\d.-]{1,6}:?"
    r"|(?:form|omb|approved)\b.{0,40}\d.*|\(mark one\)|www\..*|https?:.*)$",
    re.IGNORECASE,
)
_NUMBER_ALONE: Final = re.compile(
    r"(?:chapter|part|section|appendix|annex|kapitel|teil|anhang|chapitre|annexe)\s+(?:\d{1,3}|[A-Z]|[IVX]{1,6})[.:]?",
    re.IGNORECASE,
)
"""A part of a document without its name, which is the next heading."""
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_RECOGNISED_WORDS: Final = 2
"""Minimum number of words of a title in a picture: recognition makes a word of a signature."""
_MIN_LETTERS: Final = 4
_CHARACTERS: Final = 250
_LINES: Final = 6
_LARGER: Final = 1.05
_SAME_SIZE: Final = 0.06
_NEAR: Final = 1.4
_GAP: Final = 2.0
_WIDE_GAP: Final = 3.0
"""Maximum distance of a title's lines, in font sizes: in another weight, in the same, and in small letters."""
_FIRST_PAGES: Final = 3
_SECTIONS: Final = 3
"""Minimum number of headings of a size that are sections."""
_SECTION_NUMBER: Final = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}[.)]?\s")


def title_of(stated: str, pages: Sequence[PageLayout], blocks: Sequence[Block], style: DocumentStyle) -> str | None:
    """Return the document's title; None if it is missing."""
    own = normalise(stated)
    if is_meaningful(own):
        return own
    unverified = {page.number for page in pages if page.is_unverified}
    headings = [block for block in blocks if block.kind is BlockKind.HEADING and block.page not in unverified]
    named = [block for block in headings if _may_be_title(block.text)]
    sections = _section_sizes(pages, headings)
    for page in pages[:_FIRST_PAGES]:
        largest = None if page.is_unverified else _largest(page.lines, style, sections)
        found = largest or next((block.text for block in named if block.page == page.number), None)
        if found:
            return _with_name(found, headings)
    return next((_with_name(block.text, headings) for block in named), None)


def _with_name(title: str, headings: Sequence[Block]) -> str:
    """Return the title; where it is a chapter's number alone, with the chapter's name."""
    if not _NUMBER_ALONE.fullmatch(title):
        return title
    following = dropwhile(lambda block: letters_of(block.text) != letters_of(title), headings)
    pair = [*islice(following, 2)]
    is_named = len(pair) > 1 and pair[0].page == pair[1].page
    return f"{title} {pair[1].text}" if is_named else title


def is_meaningful(title: str) -> bool:
    """Return whether a stated title is words, not a number, a file's name or a program's."""
    if is_placeholder(title) or _PROGRAMS.match(title) or _FILE_NAME.search(title) or len(title) > _CHARACTERS:
        return False
    letters = sum(map(str.isalpha, title))
    digits = sum(map(str.isdigit, title))
    # Such as the number of a file, or the name of a variable.
    is_code = " " not in title and (digits > 0 or "_" in title or (title.isascii() and len(title) < _MIN_LETTERS))
    return letters >= min(_MIN_LETTERS, 2) and digits <= letters and not is_code


def _section_sizes(pages: Sequence[PageLayout], headings: Sequence[Block]) -> frozenset[float]:
    """Return the font sizes of which the document has several headings: those of its sections."""
    texts = {letters_of(block.text) for block in headings}
    sizes = Counter(line.size for page in pages for line in page.lines if letters_of(line.text) in texts)
    return frozenset(size for size, count in sizes.items() if count >= _SECTIONS)


def _largest(lines: Sequence[Line], style: DocumentStyle, sections: frozenset[float]) -> str | None:
    """Return the page's largest lines, if they are larger than the body and than headings of sections."""
    sizes = sorted({line.size for line in lines if line.table < 0 and _is_title_line(line)}, reverse=True)
    for size in sizes[:_LINES]:
        if size < style.size * _LARGER or size in sections:
            break
        found = _run_of(lines, size)
        text = normalise(joined_heading([line.text for line in found], style)) if found else ""
        if len(letters_of(text)) >= _MIN_LETTERS and len(text) <= _CHARACTERS and _may_be_title(text):
            return text
    return None


def _is_title_line(line: Line) -> bool:
    is_read = not line.is_recognised or len(_LETTERS.findall(line.text)) >= _RECOGNISED_WORDS
    return line.is_upright and is_read and any(map(str.isalpha, line.text)) and _may_be_title(line.text)


def _may_be_title(text: str) -> bool:
    """Return whether the text is neither a section's number and name nor what many documents have on their cover."""
    return not _NO_TITLE.match(text) and not _SECTION_NUMBER.match(text)


def _run_of(lines: Sequence[Line], size: float) -> list[Line]:
    """Return the first run of neighbouring lines of this size."""
    found: list[Line] = []
    for line in lines:
        is_of_size = abs(line.size - size) <= _SAME_SIZE * size and line.table < 0
        if is_of_size and _is_title_line(line) and (not found or _goes_on(found[-1], line)):
            found.append(line)
            if len(found) == _LINES:
                break
        elif found:
            break
    return found


def _goes_on(last: Line, line: Line) -> bool:
    """Return whether the line goes on with the title: near by in any weight, or in the same, or in small letters."""
    distance = (line.box.bottom - last.box.bottom) / line.size
    is_alike = line.is_bold == last.is_bold
    return distance <= (_GAP if is_alike else _NEAR) or (is_alike and line.text[:1].islower() and distance <= _WIDE_GAP)
