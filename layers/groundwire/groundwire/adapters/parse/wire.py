"""A parsed document as JSON, on its way out of the worker; what comes in is checked, for a worker may be hostile."""

import json
from collections.abc import Mapping
from typing import cast

from groundwire.domain.documents import Block, BlockKind, ParsedDocument


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
    """Raises BadReply."""
    match value:
        case {
            "media_type": str(media_type),
            "title": None | str() as title,
            "blocks": object() as blocks,
            "pages": None | int() as pages,
            "pages_without_text": int(without_text),
        }:
            parsed = tuple(_block(block) for block in _items(blocks))
            return ParsedDocument(media_type, title, parsed, pages, without_text)
        case _:
            raise BadReply("not a document")


def _block(value: object) -> Block:
    match value:
        case [str(kind), str(text), int(level), None | int() as page, object() as rows, None | int() as group]:
            cells = tuple(_row(row) for row in _items(rows))
            return Block(_kind(kind), text, level, page, cells, group)
        case _:
            raise BadReply("not a block")


def _kind(name: str) -> BlockKind:
    try:
        return BlockKind(name)
    except ValueError as error:
        raise BadReply("not a kind of block") from error


def _row(value: object) -> tuple[str, ...]:
    cells = _items(value)
    texts = tuple(cell for cell in cells if isinstance(cell, str))
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
