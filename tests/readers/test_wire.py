"""What the parser's parent accepts from a worker that a document may have taken over."""

import json
import struct
from collections.abc import Mapping
from datetime import date
from typing import cast
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_readers.contents.limits import MAX_ATTACHMENTS, MAX_METADATA_FIELDS
from groundwire_readers.contents.parsed import Attachment, Block, BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.sandbox import json_counts
from groundwire_readers.sandbox.json_counts import JsonCounts, count_json_values
from groundwire_readers.sandbox.wire import (
    InvalidReply,
    TooManyParts,
    attached_files,
    decode,
    document_from_json,
    document_to_json,
    encode,
    refusal_from_json,
)

_GOOD: Mapping[str, object] = {
    "media_type": "text/plain",
    "title": None,
    "blocks": [],
    "pages": None,
    "pages_without_text": 0,
    "language": None,
    "front_matter": {},
    "attachments": [],
    "defects": {},
}
_NO_LABELS: list[int] = []
_PLAIN = ("", 1, False, _NO_LABELS)
"""Caption, header rows, mark and labels of a block that has none."""


def reply(*block: object, **fields: object) -> ParsedDocument:
    return document_from_json({**_GOOD, "blocks": [list(block)] if block else [], **fields})


def test_a_document_comes_through_as_it_was() -> None:
    blocks = (
        Block(BlockKind.HEADING, "1 Scope", level=1, page=1),
        Block(BlockKind.TABLE, "a | b\n1 | 2", page=2, rows=(("a", "b"), ("1", "2")), group=3),
        Block(BlockKind.TABLE, "1 | 2", rows=(("1", "2"),), caption="Sales\n(in millions)", header_rows=0),
        Block(BlockKind.CODE, "if x:\n    y", is_unverified=True),
        Block(BlockKind.PARAGRAPH, "one two three", page=7, page_breaks=(4, 8)),
        Block(BlockKind.TABLE, "a | b\n | 2", rows=(("a", "b"), ("", "2")), labels=((0, 0, 2),)),
    )
    defects = {ReadingDefect.TABLE_AS_TEXT: 2, ReadingDefect.HIDDEN_TEXT: 1}
    document = ParsedDocument("application/pdf", "A title", blocks, 2, 1, defects=defects)
    assert document_from_json(decode(encode(document_to_json(document)), max_parts=1_000)) == document


def test_text_from_the_worker_is_cleaned_again() -> None:
    assert reply("paragraph", "a\ud800\u202e ![x](http://e.vil)", 0, None, [], None, *_PLAIN).blocks[0].text == "a"
    assert reply("code", "![x]\n  <img src=x>b", 0, None, [], None, *_PLAIN).blocks[0].text == "! [x]\n  b"
    table = reply("table", "![x]", 0, None, [["<svg onload=x>"]], None, *_PLAIN).blocks[0]
    assert (table.text, table.rows) == ("< svg onload=x>", (("< svg onload=x>",),))
    assert reply(title="\x1b[31m" + "t" * 5_000).title == "[31m" + "t" * 996
    refusal = refusal_from_json({"refused": "\x1b]0;owned\x07 no " + "x" * 5_000})
    assert str(refusal) == "]0;owned no " + "x" * 988


def test_attachments_language_and_facts_come_through_as_they_were() -> None:
    document = ParsedDocument(
        *("message/rfc822", None, (), None, 0, "de"),
        {"date": date(2024, 5, 31), "tags": ["a", date(2024, 1, 1)], "year": 2024, "draft": False},
        (Attachment("a.pdf", b"%PDF"), Attachment("b.txt", b"\0\xff")),
    )
    files = [attachment.content for attachment in document.attachments]
    message = decode(encode(document_to_json(document), files), 1_000)
    assert document_from_json(message, attached_files(message)) == document


@pytest.mark.parametrize(
    ("listed", "files"),
    [
        ([["a", 5]], b"1234"),
        ([["a", -1]], b""),
        ([["a", 1]], b"12"),
        ([["a", True]], b"1"),
        (["a"], b""),
        ([["a", 0]] * (MAX_ATTACHMENTS + 1), b""),
    ],
)
def test_attachments_that_do_not_add_up_are_nonsense(listed: list[object], files: bytes) -> None:
    with pytest.raises(InvalidReply):
        document_from_json({**_GOOD, "attachments": listed}, files)


@pytest.mark.parametrize("fields", [{"language": "deu"}, {"language": "x\n"}, {"front_matter": []}])
def test_a_language_or_front_matter_that_is_none_is_nonsense(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidReply):
        reply(**fields)


def test_front_matter_from_the_worker_is_bounded_and_cleaned() -> None:
    hostile = {
        "a\u202e": "\u200bx",
        "long": "x" * 5_000,
        "deep": {"a": "b"},
        "list": ["x"] * 1_000,
        "n" * 65: "x",
        "huge": 10**400,
    }
    many = {f"f{number}": number for number in range(100)}
    assert reply(front_matter=hostile).front_matter == {"a": "x"}
    assert len(reply(front_matter=many).front_matter) == MAX_METADATA_FIELDS


@pytest.mark.parametrize(
    ("level", "page", "group"),
    [
        *((-1, None, None), (10, None, None), (True, None, None), (0, 0, None), (0, 100_001, None)),
        *((0, 2**80, None), (0, None, -1), (0, None, 100_001)),
    ],
)
def test_numbers_that_no_document_has_are_nonsense(level: int, page: int | None, group: int | None) -> None:
    with pytest.raises(InvalidReply):
        reply("paragraph", "a", level, page, [], group, *_PLAIN)


@pytest.mark.parametrize(
    ("caption", "header_rows", "mark"), [(1, 1, False), ("", -1, False), ("", 3, False), ("", True, False), ("", 1, 1)]
)
def test_a_caption_a_header_and_a_mark_that_no_block_has_are_nonsense(
    caption: object, header_rows: object, mark: object
) -> None:
    with pytest.raises(InvalidReply):
        reply("table", "", 0, None, [["a"], ["b"]], None, caption, header_rows, mark, _NO_LABELS)


@pytest.mark.parametrize("labels", [1, [0], [0, 0, 3], [0, 1, 2], [-1, 0, 1], [1, 0, 1], [0, 0, True], [0, "0", 1]])
def test_labels_outside_of_their_table_are_nonsense(labels: object) -> None:
    with pytest.raises(InvalidReply):
        reply("table", "", 0, None, [["a"], ["b"]], None, "", 1, False, labels)


@pytest.mark.parametrize("pages", [[], [1, 2, 1], [1, 4], [1, -1], [1, True], [1, "1"], [None, 1], [100_000, 1], "1"])
def test_page_breaks_outside_of_their_text_are_nonsense(pages: object) -> None:
    with pytest.raises(InvalidReply):
        reply("paragraph", "abc", 0, pages, [], None, *_PLAIN)


def test_a_caption_is_cleaned_line_by_line() -> None:
    table = reply("table", "", 0, None, [["a"]], None, "Sales\u202e\n\n ![x]", 1, False, _NO_LABELS).blocks[0]
    assert table.caption.split("\n")[0] == "Sales"
    assert "![" not in table.caption


@pytest.mark.parametrize("defects", [[], {"other": 1}, {"hidden_text": 0}, {"hidden_text": True}, {"hidden_text": "1"}])
def test_counts_of_defects_that_no_reader_makes_are_nonsense(defects: object) -> None:
    with pytest.raises(InvalidReply):
        reply(defects=defects)


@pytest.mark.parametrize("fields", [{"pages": -1}, {"pages": 100_001}, {"pages_without_text": -1}])
def test_page_counts_that_no_document_has_are_nonsense(fields: dict[str, int]) -> None:
    with pytest.raises(InvalidReply):
        reply(**fields)


def framed(text: bytes) -> bytes:
    return struct.pack(">Q", len(text)) + text


@pytest.mark.parametrize("piece", [b"[],", b"{},", b"0,", b"1.5,", b'{"a":0},', b'"a",', b"[[]],", b'["a"],'])
def test_an_answer_of_many_small_values_is_refused_before_any_is_built(piece: bytes) -> None:
    text = b'{"document":[' + piece * 60_000 + b"0]}"
    with patch("json.loads", side_effect=AssertionError("it was built")), pytest.raises(TooManyParts):
        decode(framed(text), max_parts=5_000)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-8-sig"])
def test_an_answer_in_another_encoding_is_nonsense_and_is_not_built(encoding: str) -> None:
    # In UTF-16 the sign holds the byte of a quotation mark, so the brackets behind it would count as text.
    text = ('{"a\u2200b": [' + ",".join(["[]"] * 10_000) + "]}").encode(encoding)
    with pytest.raises((InvalidReply, TooManyParts)):
        decode(framed(text), max_parts=1_000)


def test_a_table_of_as_many_cells_as_are_allowed_comes_through() -> None:
    rows = tuple(("a", "b") for _ in range(5_000))
    blocks = (Block(BlockKind.TABLE, "\n".join(["a | b"] * 5_000), rows=rows),)
    document = ParsedDocument("text/csv", None, blocks, None, 0)
    assert document_from_json(decode(encode({"document": document_to_json(document)}), 5_010)["document"]) == document


def counted(value: object) -> tuple[int, int, int]:
    """Objects, brackets and commas."""
    if not isinstance(value, list | dict):
        return 0, 0, 0
    items = cast("list[object]", list(value.values()) if isinstance(value, dict) else value)
    inner = [counted(item) for item in items]
    commas = max(0, len(items) - 1) + sum(each[2] for each in inner)
    return isinstance(value, dict) + sum(each[0] for each in inner), 1 + sum(each[1] for each in inner), commas


VALUES = st.recursive(
    st.none() | st.integers(-9, 9) | st.text('a"\\[]{},\n', max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('a"\\,[', max_size=3), inner, max_size=4),
    max_leaves=30,
)


@given(value=VALUES, window=st.integers(1, 40))
def test_structure_is_counted_as_it_is_whatever_strings_hold_and_wherever_a_window_ends(
    value: object, window: int
) -> None:
    with patch.object(json_counts, "_WINDOW", window):
        found = count_json_values(json.dumps(value).encode())
    objects, brackets, commas = counted(value)
    assert found == JsonCounts(objects, 1 + brackets + commas)
