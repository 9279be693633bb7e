"""A parsed document as JSON; what comes out of the worker is checked and cleaned, for it may be hostile."""

import json
from collections.abc import Mapping
from typing import Final, cast

from groundwire.adapters.parse.tables import table_text
from groundwire.domain.documents import Block, BlockKind, ParsedDocument
from groundwire.domain.text import normalise, normalise_code

_LAST_PAGE: Final = 100_000
_DEEPEST_LEVEL: Final = 9
"""Of headings, as Word has them."""
_TITLE_CHARACTERS: Final = 1_000
_REASON_CHARACTERS: Final = 1_000


class BadReply(Exception):
    """The worker answered with something that is not a parsed document."""


def document_to_json(document: ParsedDocument) -> dict[str, object]:
    """Fields in a fixed order; `document_from_json` reads it back."""
    return {
        "media_type": document.media_type,
        "title": document.title,
        "blocks": [[b.kind.value, b.text, b.level, b.page, b.rows, b.group] for b in document.blocks],
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
    }


def document_from_json(value: object) -> ParsedDocument:
    """The document, its text normalised once more: a hijacked worker need not have done so.

    Raises:
        BadReply: not a document, or with numbers that none has.
    """
    match value:
        case {
            "media_type": str(media_type),
            "title": None | str() as title,
            "blocks": object() as blocks,
            "pages": None | int() as pages,
            "pages_without_text": int(without_text),
        }:
            parsed = tuple(_block(block) for block in _items(blocks))
            return ParsedDocument(
                normalise(media_type),
                None if title is None else normalise(title)[:_TITLE_CHARACTERS],
                parsed,
                _counted(pages, 0),
                _bounded(without_text, 0, _LAST_PAGE),
            )
        case _:
            raise BadReply("not a document")


def _block(value: object) -> Block:
    match value:
        case [str(kind), str(text), int(level), None | int() as page, object() as rows, None | int() as group]:
            cells = tuple(_row(row) for row in _items(rows))
            return Block(
                _kind(kind),
                table_text(cells) if cells else _cleaned(text, _kind(kind)),
                _bounded(level, 0, _DEEPEST_LEVEL),
                _counted(page, 1),
                cells,
                _counted(group, 0),
            )
        case _:
            raise BadReply("not a block")


def _cleaned(text: str, kind: BlockKind) -> str:
    return normalise_code(text) if kind is BlockKind.CODE else normalise(text)


def _counted(number: int | None, first: int) -> int | None:
    return None if number is None else _bounded(number, first, _LAST_PAGE)


def _bounded(number: int, first: int, last: int) -> int:
    # JSON's true is a Python int.
    if isinstance(number, bool) or not first <= number <= last:
        raise BadReply("a number out of bounds")
    return number


def refusal_from_json(value: object) -> str | None:
    """The worker's reason for reading nothing, fit for a terminal; None when it gave none."""
    return normalise(value)[:_REASON_CHARACTERS] if isinstance(value, str) else None


def _kind(name: str) -> BlockKind:
    try:
        return BlockKind(name)
    except ValueError as error:
        raise BadReply("not a kind of block") from error


def _row(value: object) -> tuple[str, ...]:
    cells = _items(value)
    texts = tuple(normalise(cell) for cell in cells if isinstance(cell, str))
    if len(texts) != len(cells):
        raise BadReply("not a row")
    return texts


def _items(value: object) -> list[object]:
    if not isinstance(value, list):
        raise BadReply("not a list")
    return cast("list[object]", value)


def encode(message: Mapping[str, object]) -> bytes:
    """UTF-8 JSON."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def decode(payload: bytes) -> Mapping[str, object]:
    """Raises BadReply."""
    try:
        message: object = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise BadReply("not JSON") from error
    if not isinstance(message, dict):
        raise BadReply("not an object")
    return cast("dict[str, object]", message)
