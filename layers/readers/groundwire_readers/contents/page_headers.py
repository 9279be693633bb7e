"""Lines of page headers and footers that identify a document: its number, its revision, its date.

Such lines recur on each page and are no body text, so a document has each of them once, below its first heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.text.normalisation import normalise

_MAX_LINES: Final = 12
_MAX_CHARACTERS: Final = 200
"""Limits of what a document takes from its page headers; longer lines are letterheads and legal notices."""
_PAGE_LABEL: Final = re.compile(
    r"\b(?:page|seite|página|pagina|стр)\b\.?\s{0,3}\d{0,6}(?:\s{0,3}(?:\bof|/|\bvon|\bde|\bsur|\bdi|\bиз)\s{0,3}\d{0,6})?(?!\w)",
    re.IGNORECASE,
)
_LETTER_REVISION: Final = re.compile(
    r"\b(?:rev(?:ision)?|version|ver|issue|edition|index|ausgabe|fassung|révision|indice|édition|revisión|edición"
    r"|revisione|edizione|revisie|rewizja)\b[.:]?\s{1,3}[a-z]{1,2}\b"
)
"""A revision that is a letter, in lower case; others have a digit, as numbers, codes and dates have."""
_DECORATION: Final = " \t|-\u2013\u2014·•/,;:()[]"


def with_page_headers(blocks: list[Block], lines: Iterable[str], page: int | None = None) -> list[Block]:
    """Return the blocks with the identifying lines whose facts no block has, after the headings at the start.

    Args:
        blocks: of the body.
        lines: of page headers and footers, in order, without the fields that count pages.
        page: page of the added blocks; None where the format has none.
    """
    found = list(_identifying_lines(lines, blocks))
    first = sum(1 for _ in takewhile(lambda block: block.kind is BlockKind.HEADING, blocks))
    added = [Block(BlockKind.PARAGRAPH, line, page=page) for line in found]
    return [*blocks[:first], *added, *blocks[first:]] if added else blocks


def _identifying_lines(lines: Iterable[str], blocks: Sequence[Block]) -> Iterator[str]:
    body: str | None = None
    count = 0
    for text in dict.fromkeys(map(_without_page_label, lines)):
        facts = set[str]() if len(text) > _MAX_CHARACTERS else _facts(text.casefold())
        if not facts or count == _MAX_LINES:
            continue
        body = _text_of(blocks) if body is None else body
        if any(fact not in body for fact in facts):
            body += f"\n{text.casefold()}"
            count += 1
            yield text


def _facts(text: str) -> set[str]:
    words = (word.strip(_DECORATION) for word in text.split())
    return {word for word in words if any(map(str.isdigit, word))} | set(_LETTER_REVISION.findall(text))


def _text_of(blocks: Sequence[Block]) -> str:
    cells = (cell for block in blocks for row in block.rows for cell in row)
    return "\n".join([*(block.text for block in blocks), *cells]).casefold()


def _without_page_label(line: str) -> str:
    return _PAGE_LABEL.sub("", normalise(line[: 2 * _MAX_CHARACTERS])).strip(_DECORATION)
