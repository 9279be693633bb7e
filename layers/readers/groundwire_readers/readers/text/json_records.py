"""Reader of JSON: nested objects become sections, lists of small uniform records tables, else "key: value" lines."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.readers.html.page_reader import parse_html
from groundwire_readers.readers.text.binary_data import is_binary_data
from groundwire_readers.text.normalisation import normalise

_GROUPS: Final = 100_000
_MAX_DEPTH: Final = 100
_MAX_ROW_CHARACTERS: Final = 240
"""Maximum mean length of a table row; longer records become sections, since their table would not fit a passage."""
_TITLE_KEYS: Final = ("title", "name", "subject", "question", "label", "headline", "id", "key")
"""Names of fields that may be a record's title, the best first."""
_MAX_TITLE_CHARACTERS: Final = 150
_MARKUP: Final = re.compile(
    r"\s*<(?:p|div|ul|ol|h[1-6])\b[^<>]*+>.*</(?:p|div|ul|ol|h[1-6])>\s*\Z", re.DOTALL | re.IGNORECASE
)
"""HTML text, as content management systems export it."""
_BLANK_LINE: Final = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class _Position:
    """Place of a value in the document: its heading depth, and the group of its record."""

    depth: int = 0
    group: int | None = None


def read_json(content: bytes) -> Contents:
    """Return the contents of a JSON file; numbers keep their notation."""
    value = _parse_json(decode_text(content))
    return Contents(list(blocks_of_value(value)), title=_title(value))


def read_json_lines(content: bytes) -> Contents:
    """Return the contents of a JSON Lines file, a record per line that is not blank; damaged lines are counted.

    Raises:
        UnreadableDocument: half of the lines or more are damaged, so that it is another kind of file.
    """
    lines = [(number, line) for number, line in enumerate(decode_text(content).split("\n"), 1) if line.strip()]
    records: list[object] = []
    damage: UnreadableDocument | None = None
    for number, line in lines:
        try:
            records.append(_parse_json(line, number))
        except UnreadableDocument as error:
            damage = damage or error
    damaged = len(lines) - len(records)
    if damage is not None and damaged >= len(records):
        raise damage
    return Contents(list(blocks_of_value(records)), defects={ReadingDefect.DAMAGED_PARTS: damaged})


def blocks_of_value(value: object) -> Iterator[Block]:
    """Yield the blocks of a value made of mappings, lists and scalars; each record of a list is a group."""
    if not isinstance(value, list):
        yield from _value_blocks(value, _Position())
        return
    items = cast("list[object]", value)
    if (rows := rows_of_records(items)) is not None:
        yield from table_blocks(rows, None)
        return
    for number, item in enumerate(items):
        yield from _record(item, _Position(0, number % _GROUPS))


def _parse_json(text: str, first_line: int = 1) -> object:
    try:
        # As text: a float would turn 1.10 into 1.1, and would round long identifiers.
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise UnreadableDocument("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        place = f"line {first_line + error.lineno - 1:,}, column {error.colno:,}"
        # Python's words for it, which never quote the file.
        problem = error.msg.removesuffix(" at")
        raise UnreadableDocument(f"it is not valid JSON ({place}: {problem[:1].lower()}{problem[1:]})") from error


def _title(value: object) -> str | None:
    title = cast("Mapping[str, object]", value).get("title") if isinstance(value, dict) else None
    return title if isinstance(title, str) else None


def _record(value: object, position: _Position) -> Iterator[Block]:
    """Yield the blocks of one item of a list, under its title if it has one."""
    name = _record_title(value)
    if name is not None:
        yield _heading(name, position)
    yield from _value_blocks(value, position if name is None else replace(position, depth=position.depth + 1))


def _value_blocks(value: object, position: _Position) -> Iterator[Block]:
    """Yield the lines of a value before its sections, since a line after a section would look like part of it."""
    if position.depth > _MAX_DEPTH:
        raise UnreadableDocument("it is nested too deeply")
    if (text := _scalar(value)) is not None:
        yield from _lines("", text, position)
        return
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _record(item, position)
        return
    members = [(normalise(key), member) for key, member in cast("Mapping[str, object]", value).items()]
    for key, text in [(key, _scalar(member)) for key, member in members]:
        yield from () if text is None else _lines(key, text, position)
    for key, member in members:
        yield from _nested(key, member, position) if _scalar(member) is None else ()


def _nested(key: str, member: object, position: _Position) -> Iterator[Block]:
    yield _heading(key, position)
    rows = rows_of_records(cast("list[object]", member)) if isinstance(member, list) else None
    if rows is None:
        yield from _value_blocks(cast("object", member), replace(position, depth=position.depth + 1))
    else:
        yield from (replace(block, group=position.group) for block in table_blocks(rows, None))


def _heading(text: str, position: _Position) -> Block:
    return Block(BlockKind.HEADING, normalise(text), level=min(position.depth + 1, MAX_LEVEL), group=position.group)


def _lines(key: str, text: str, position: _Position) -> Iterator[Block]:
    """Yield a line for a short value, paragraphs for a long one; the key precedes the first."""
    first, *others = [normalise(part) for part in _BLANK_LINE.split(text)]
    if not first and not others:
        return
    kind = BlockKind.PARAGRAPH if others else BlockKind.LIST_ITEM
    yield Block(kind, f"{key}: {first}" if key else first, group=position.group)
    yield from (Block(kind, other, group=position.group) for other in others if other)


def _scalar(value: object) -> str | None:
    """Return the text of a scalar or of a list of scalars; None for a nested value."""
    if isinstance(value, dict):
        return None if value else ""
    if isinstance(value, list):
        texts = [_scalar(item) for item in cast("list[object]", value) if not isinstance(item, list)]
        scalars = [text for text in texts if text is not None]
        return ", ".join(scalars) if len(scalars) == len(cast("list[object]", value)) else None
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: ""}[value]
    text = str(value)
    if is_binary_data(text):
        return ""
    return "\n\n".join(block.text for block in parse_html(text.encode()).blocks) if _MARKUP.match(text) else text


def _record_title(value: object) -> str | None:
    if not isinstance(value, dict):
        return None
    record = {key.casefold(): text for key, text in cast("Mapping[str, object]", value).items()}
    for name in _TITLE_KEYS:
        text = record.get(name)
        if isinstance(text, str) and 0 < len(text.strip()) <= _MAX_TITLE_CHARACTERS:
            return text
    return None


def rows_of_records(items: Sequence[object]) -> list[list[str]] | None:
    """Return header and rows of uniform, flat records that are short enough for a table; else None."""
    records = [cast("Mapping[str, object]", item) for item in items if isinstance(item, dict)]
    if not all(records) or not 1 < len(records) == len(items):
        return None
    columns = list(dict.fromkeys(key for record in records for key in record))
    if sum(len(record) for record in records) * 2 <= len(columns) * len(records):  # far more cells than values
        return None
    texts = [[_scalar(record.get(column)) for column in columns] for record in records]
    cells = [[text or "" for text in row] for row in texts]
    is_flat = all(text is not None for row in texts for text in row)
    is_short = sum(len(cell) for row in cells for cell in row) <= _MAX_ROW_CHARACTERS * len(cells)
    return [columns, *cells] if is_flat and is_short else None
