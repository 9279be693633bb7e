"""Title of a PDF: the one in its properties if it is meaningful, else the largest lines of the first pages."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import dropwhile, islice
from typing import Final

from groundwire_readers.contents.document_titles import is_program_title
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
_COVER_PHRASE: Final = re.compile(
    r"^(?:front cover|cover(?: page)?|back cover|signature(?: page)?s?\b.*|(?:table of )?contents|page \d+.*|draft"
    r"|confidential|abstract|introduction|(?:key|legend|notes?|remarks?|highlights)\s?:?"
    r"|(?:table|figure|chart|exhibit|box|tabelle|abbildung)\s+[A-Z]{0,3}[\d.-]{1,6}:?"
    r"|(?:form|omb|approved)\b.{0,40}\d.*|\(mark one\)|www\..*|https?:.*)$",
    re.IGNORECASE,
)
_BARE_CHAPTER_NUMBER: Final = re.compile(
    r"(?:chapter|part|section|appendix|annex|kapitel|teil|anhang|chapitre|annexe)\s+(?:\d{1,3}|[A-Z]|[IVX]{1,6})[.:]?",
    re.IGNORECASE,
)
"""A numbered part of a document without its name, which is the next heading."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_MIN_RECOGNISED_WORDS: Final = 2
"""Minimum number of words of a recognised (OCR) title: recognition reads a signature as one word."""
_MIN_LETTERS: Final = 4
_MAX_CHARACTERS: Final = 250
"""Maximum length of a title."""
_MAX_LINES: Final = 6
"""Maximum number of lines of a title, and of font sizes that are tried."""
_LARGER_RATIO: Final = 1.05
"""Minimum ratio of a title's font size to the body's."""
_SAME_SIZE: Final = 0.06
"""Maximum relative difference of the font sizes of a title's lines."""
_MAX_OTHER_WEIGHT_DISTANCE: Final = 1.4
"""Maximum baseline distance of two lines of different weight, in font sizes."""
_MAX_SAME_WEIGHT_DISTANCE: Final = 2.0
"""Maximum baseline distance of two lines of the same weight, in font sizes."""
_MAX_LOWER_CASE_DISTANCE: Final = 3.0
"""Maximum baseline distance before a line that starts in lower case, in font sizes."""
_FIRST_PAGES: Final = 3
"""Number of pages on which the title is searched."""
_MIN_SECTION_HEADINGS: Final = 3
"""Number of headings of one font size from which they are section headings, not a title."""
_SECTION_NUMBER: Final = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,4}[.)]?\s")


def title_of(stated: str, pages: Sequence[PageLayout], blocks: Sequence[Block], style: DocumentStyle) -> str | None:
    """Return the document's title; None if neither the properties nor the first pages have one."""
    stated_title = normalise(stated)
    if is_meaningful(stated_title):
        return stated_title
    unverified = {page.number for page in pages if page.is_unverified}
    headings = [block for block in blocks if block.kind is BlockKind.HEADING and block.page not in unverified]
    candidates = [block for block in headings if _may_be_title(block.text)]
    section_sizes = _section_sizes(pages, headings)
    for page in pages[:_FIRST_PAGES]:
        largest = None if page.is_unverified else _largest_text(page.lines, style, section_sizes)
        title = largest or next((block.text for block in candidates if block.page == page.number), None)
        if title:
            return _with_chapter_name(title, headings)
    return next((_with_chapter_name(block.text, headings) for block in candidates), None)


def _with_chapter_name(title: str, headings: Sequence[Block]) -> str:
    """Return the title; a bare chapter number is completed by the heading after it."""
    if not _BARE_CHAPTER_NUMBER.fullmatch(title):
        return title
    following = dropwhile(lambda block: letters_of(block.text) != letters_of(title), headings)
    pair = [*islice(following, 2)]
    is_named = len(pair) > 1 and pair[0].page == pair[1].page
    return f"{title} {pair[1].text}" if is_named else title


def is_meaningful(title: str) -> bool:
    """Return whether a title from the properties is wording, not a number, a file name or a program's placeholder."""
    if is_program_title(title) or _FILE_NAME.search(title) or len(title) > _MAX_CHARACTERS:
        return False
    letters = sum(map(str.isalpha, title))
    digits = sum(map(str.isdigit, title))
    # Such as a file number or an identifier.
    is_code = " " not in title and (digits > 0 or "_" in title or (title.isascii() and len(title) < _MIN_LETTERS))
    return letters >= min(_MIN_LETTERS, 2) and digits <= letters and not is_code


def _section_sizes(pages: Sequence[PageLayout], headings: Sequence[Block]) -> frozenset[float]:
    """Return the font sizes of section headings: sizes in which the document has several headings."""
    texts = {letters_of(block.text) for block in headings}
    sizes = Counter(line.size for page in pages for line in page.lines if letters_of(line.text) in texts)
    return frozenset(size for size, count in sizes.items() if count >= _MIN_SECTION_HEADINGS)


def _largest_text(lines: Sequence[Line], style: DocumentStyle, sections: frozenset[float]) -> str | None:
    """Return the text in the page's largest font, if it is larger than the body and no section heading."""
    sizes = sorted({line.size for line in lines if line.table < 0 and _is_title_line(line)}, reverse=True)
    for size in sizes[:_MAX_LINES]:
        if size < style.size * _LARGER_RATIO or size in sections:
            break
        title_lines = _title_lines(lines, size)
        text = normalise(joined_heading([line.text for line in title_lines], style)) if title_lines else ""
        if len(letters_of(text)) >= _MIN_LETTERS and len(text) <= _MAX_CHARACTERS and _may_be_title(text):
            return text
    return None


def _is_title_line(line: Line) -> bool:
    is_read = not line.is_recognised or len(_WORD.findall(line.text)) >= _MIN_RECOGNISED_WORDS
    return line.is_upright and is_read and any(map(str.isalpha, line.text)) and _may_be_title(line.text)


def _may_be_title(text: str) -> bool:
    """Return whether the text is neither a numbered section nor a stock phrase of covers, such as "Draft"."""
    return not _COVER_PHRASE.match(text) and not _SECTION_NUMBER.match(text)


def _title_lines(lines: Sequence[Line], size: float) -> list[Line]:
    """Return the first group of adjacent title lines in this font size."""
    run: list[Line] = []
    for line in lines:
        is_of_size = abs(line.size - size) <= _SAME_SIZE * size and line.table < 0
        if is_of_size and _is_title_line(line) and (not run or _continues_title(run[-1], line)):
            run.append(line)
            if len(run) == _MAX_LINES:
                break
        elif run:
            break
    return run


def _continues_title(last: Line, line: Line) -> bool:
    """Return whether the line continues the title; the allowed distance depends on weight and case."""
    distance = (line.box.bottom - last.box.bottom) / line.size
    is_alike = line.is_bold == last.is_bold
    return distance <= (_MAX_SAME_WEIGHT_DISTANCE if is_alike else _MAX_OTHER_WEIGHT_DISTANCE) or (
        is_alike and line.text[:1].islower() and distance <= _MAX_LOWER_CASE_DISTANCE
    )
