"""A parsed document as JSON; the worker's output is checked and cleaned, since it may be hostile."""

import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from groundwire_readers.contents.file_properties import properties_from_json, properties_to_json
from groundwire_readers.contents.json_values import is_list, require_mapping
from groundwire_readers.contents.limits import MAX_ATTACHMENT_NAME_CHARACTERS, MAX_ATTACHMENTS, MAX_DOCUMENT_BYTES
from groundwire_readers.contents.parsed import Attachment, Block, BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.contents.tables import table_text
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.ocr import NoTextFound
from groundwire_readers.sandbox.json_counts import count_json_values
from groundwire_readers.text.normalisation import normalise, normalise_code

_LAST_PAGE: Final = 100_000
_DEEPEST_LEVEL: Final = 9
"""Deepest heading level, as in Word."""
_TITLE_CHARACTERS: Final = 1_000
_REASON_CHARACTERS: Final = 1_000
_BETWEEN_STRINGS: Final = b'",'
_VALUES_PER_PART: Final = 4
"""JSON values per string that another value follows: a paragraph has twelve and three strings; a cell has fewer."""
_OTHER_VALUES_MAX: Final = 10_000
"""Maximum number of objects, and of values besides the blocks: front matter and attachments have no more."""
_DEFECTS: Final = frozenset(defect.value for defect in ReadingDefect)
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_RAW_VALUE: Final = re.compile(r"[-+]?[0-9][0-9.]{0,40}(?:E[-+]?[0-9]{1,3})?")
_BLOCK_MEMBERS: Final = 10
"""Members of a block before its raw values."""
_LENGTH: Final = struct.Struct(">Q")
_FILES: Final = "files"


class TooManyParts(UnreadableDocument):
    """Error for a reply that would need far more memory than its size when decoded."""


class InvalidReply(UnreadableDocument):
    """Error for a reply that is not a parsed document."""


def document_to_json(document: ParsedDocument) -> dict[str, object]:
    """Return the document with its fields in a fixed order; `document_from_json` reverses it."""
    return {
        "media_type": document.media_type,
        "title": document.title,
        "blocks": [_block_to_json(block) for block in document.blocks],
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
        "language": document.language,
        "front_matter": properties_to_json(document.front_matter),
        "attachments": [[attachment.name, len(attachment.content)] for attachment in document.attachments],
        "defects": {defect.value: number for defect, number in document.defects.items()},
    }


def _block_to_json(block: Block) -> list[object]:
    pages = [block.page, *block.page_breaks] if block.page_breaks else block.page
    place = [block.level, pages, block.rows, block.group]
    facts = [block.caption, block.header_rows, block.is_unverified, _flat(block.labels)]
    return [block.kind.value, block.text, *place, *facts, *_flat(block.raw_values)]


def _flat(facts: Iterable[Iterable[object]]) -> list[object]:
    return [member for fact in facts for member in fact]


def document_from_json(value: object, files: bytes = b"") -> ParsedDocument:
    """Return the document, its text normalised again: a hijacked worker may not have done so.

    Args:
        value: the result of `document_to_json`, if the worker is sound.
        files: the contents of its attachments, concatenated.

    Raises:
        InvalidReply: not a document, or with numbers out of bounds.
    """
    match value:
        case {
            "media_type": str(media_type),
            "title": None | str() as title,
            "blocks": object() as blocks,
            "pages": None | int() as pages,
            "pages_without_text": int(without_text),
            "language": None | str() as language,
            "front_matter": object() as front_matter,
            "attachments": object() as attachments,
            "defects": object() as defects,
        }:
            parsed = tuple(_block(block) for block in _items(blocks))
            return ParsedDocument(
                normalise(media_type),
                None if title is None else normalise(title)[:_TITLE_CHARACTERS],
                parsed,
                _optional_number(pages, 0),
                _bounded(without_text, 0, _LAST_PAGE),
                _language(language),
                _front_matter(front_matter),
                tuple(_attachments(_items(attachments), files)),
                defects=_defects(defects),
            )
        case _:
            raise InvalidReply("not a document")


def _front_matter(value: object) -> dict[str, object]:
    try:
        return properties_from_json(value)
    except ValueError as error:
        raise InvalidReply("not front matter") from error


def _language(code: str | None) -> str | None:
    if code is not None and _LANGUAGE.fullmatch(code) is None:
        raise InvalidReply("not a language")
    return code


def _attachments(listed: list[object], files: bytes) -> Iterator[Attachment]:
    if len(listed) > MAX_ATTACHMENTS or len(files) > MAX_DOCUMENT_BYTES:
        raise InvalidReply("more attachments than a document may have")
    start = 0
    for item in listed:
        match item:
            case [str(name), int(size)]:
                end = start + _bounded(size, 0, len(files) - start)
                yield Attachment(normalise(name)[:MAX_ATTACHMENT_NAME_CHARACTERS], files[start:end])
                start = end
            case _:
                raise InvalidReply("not an attachment")
    if start != len(files):
        raise InvalidReply("bytes of no attachment")


def _defects(value: object) -> dict[ReadingDefect, int]:
    found: dict[ReadingDefect, int] = {}
    for name, number in require_mapping(value, InvalidReply("not counts of defects")).items():
        if name not in _DEFECTS or not isinstance(number, int):
            raise InvalidReply("not a count of a defect")
        found[ReadingDefect(name)] = _bounded(number, 1, _LAST_PAGE)
    return found


def _block(value: object) -> Block:
    members = _items(value)
    # The raw values follow the other members: so a block without any has no more values than before.
    match members[:_BLOCK_MEMBERS]:
        case [
            str(kind),
            str(text),
            int(level),
            object() as pages,
            object() as rows,
            None | int() as group,
            str(caption),
            int(header_rows),
            bool(is_unverified),
            object() as labels,
        ]:
            cells = tuple(_row(row) for row in _items(rows))
            cleaned = table_text(cells) if cells else _cleaned(text, _kind(kind))
            page, *breaks = pages if is_list(pages) and pages else [pages]
            return Block(
                _kind(kind),
                cleaned,
                _bounded(level, 0, _DEEPEST_LEVEL),
                None if page is None and not breaks else _bounded(page, 1, _LAST_PAGE - len(breaks)),
                cells,
                _optional_number(group, 0),
                "\n".join(filter(None, map(normalise, caption.split("\n")))),
                _bounded(header_rows, 0, max(1, len(cells))),
                is_unverified,
                tuple(_labels(_items(labels), cells)),
                tuple(_raw_values(members[_BLOCK_MEMBERS:], max(1, len(cells)))),
                tuple(_page_breaks(breaks, len(cleaned))),
            )
        case _:
            raise InvalidReply("not a block")


def _labels(numbers: list[object], rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, int]]:
    """Yield the labels of a table: three numbers for each, its row, its column and the row after its last one."""
    if len(numbers) % 3 or (numbers and not rows):
        raise InvalidReply("not labels")
    for row, column, end in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        place = _bounded(row, 0, len(rows) - 1)
        yield place, _bounded(column, 0, len(rows[place]) - 1), _bounded(end, place + 1, len(rows))


def _page_breaks(places: Sequence[object], length: int) -> Iterator[int]:
    last = 0
    for place in places:
        last = _bounded(place, last, length)
        yield last


def _raw_values(members: list[object], rows: int) -> Iterator[tuple[int, str]]:
    """Yield the raw values of a block: for each its row and its number."""
    if len(members) % 2:
        raise InvalidReply("not raw values")
    for row, number in zip(members[::2], members[1::2], strict=True):
        if not isinstance(number, str) or _RAW_VALUE.fullmatch(number) is None:
            raise InvalidReply("not a raw value")
        yield _bounded(row, 0, rows - 1), number


def _cleaned(text: str, kind: BlockKind) -> str:
    return normalise_code(text) if kind is BlockKind.CODE else normalise(text)


def _optional_number(number: int | None, first: int) -> int | None:
    return None if number is None else _bounded(number, first, _LAST_PAGE)


def _bounded(number: object, first: int, last: int) -> int:
    # JSON's true is a Python int.
    if not isinstance(number, int) or isinstance(number, bool) or not first <= number <= last:
        raise InvalidReply("a number out of bounds")
    return number


def refusal_from_json(reply: Mapping[str, object]) -> UnreadableDocument | None:
    """Return the worker's refusal, with a reason fit for a terminal; None if the reply is no refusal.

    Raises:
        InvalidReply: with more pages than a document has.
    """
    match reply:
        case {"refused": str(reason), "textless": int(pages)}:
            return NoTextFound(_reason(reason), _bounded(pages, 1, _LAST_PAGE))
        case {"refused": str(reason)}:
            return UnreadableDocument(_reason(reason))
        case _:
            return None


def _reason(text: str) -> str:
    return normalise(text)[:_REASON_CHARACTERS]


def _kind(name: str) -> BlockKind:
    try:
        return BlockKind(name)
    except ValueError as error:
        raise InvalidReply("not a kind of block") from error


def _row(value: object) -> tuple[str, ...]:
    cells = _items(value)
    texts = tuple(normalise(cell) for cell in cells if isinstance(cell, str))
    if len(texts) != len(cells):
        raise InvalidReply("not a row")
    return texts


def _items(value: object) -> list[object]:
    if not is_list(value):
        raise InvalidReply("not a list")
    return value


def encode(message: Mapping[str, object], files: Sequence[bytes] = ()) -> bytes:
    """Return the length of the message in UTF-8 JSON, the message, and after it the files."""
    # Files follow as bytes: in JSON they would need Base64, which is a third larger and must be decoded.
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join((_LENGTH.pack(len(text)), text, *files))


def decode(payload: bytes, max_parts: int) -> Mapping[str, object]:
    """Return the message; `attached_files` returns its files.

    Raises:
        InvalidReply: not a message.
        TooManyParts: too many strings followed by another value, such as blocks and cells, or values of any kind.
    """
    if len(payload) < _LENGTH.size:
        raise InvalidReply("cut short")
    end = _LENGTH.size + _LENGTH.unpack_from(payload)[0]
    if payload.count(_BETWEEN_STRINGS, _LENGTH.size, end) > max_parts:
        raise TooManyParts
    text = payload[_LENGTH.size : end]
    counts = count_json_values(text)
    if counts.objects > _OTHER_VALUES_MAX or counts.values > _VALUES_PER_PART * max_parts + _OTHER_VALUES_MAX:
        raise TooManyParts
    try:
        # Decoded first: `json.loads` could detect UTF-16 or UTF-32 in bytes, but the counts are of UTF-8.
        message: object = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise InvalidReply("not JSON") from error
    return {**require_mapping(message, InvalidReply("not an object")), _FILES: payload[end:]}


def attached_files(message: Mapping[str, object]) -> bytes:
    """Return the bytes that followed a decoded message."""
    files = message.get(_FILES)
    return files if isinstance(files, bytes) else b""
