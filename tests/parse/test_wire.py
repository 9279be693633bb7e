"""What the parser's parent accepts from a worker that a document may have taken over."""

from collections.abc import Mapping

import pytest

from groundwire.adapters.parse.wire import (
    BadReply,
    decode,
    document_from_json,
    document_to_json,
    encode,
    refusal_from_json,
)
from groundwire.domain.documents import Block, BlockKind, ParsedDocument

_GOOD: Mapping[str, object] = {
    "media_type": "text/plain",
    "title": None,
    "blocks": [],
    "pages": None,
    "pages_without_text": 0,
    "language": None,
    "front_matter": {},
    "attachments": [],
}


def reply(*block: object, **fields: object) -> ParsedDocument:
    return document_from_json({**_GOOD, "blocks": [list(block)] if block else [], **fields})


def test_a_document_comes_through_as_it_was() -> None:
    blocks = (
        Block(BlockKind.HEADING, "1 Scope", level=1, page=1),
        Block(BlockKind.TABLE, "a | b\n1 | 2", page=2, rows=(("a", "b"), ("1", "2")), group=3),
        Block(BlockKind.CODE, "if x:\n    y"),
    )
    document = ParsedDocument("application/pdf", "A title", blocks, 2, 1)
    assert document_from_json(decode(encode(document_to_json(document)), parts=1_000)) == document


def test_text_from_the_worker_is_cleaned_again() -> None:
    assert reply("paragraph", "a\ud800\u202e ![x](http://e.vil)", 0, None, [], None).blocks[0].text == "a"
    assert reply("code", "![x]\n  <img src=x>b", 0, None, [], None).blocks[0].text == "! [x]\n  b"
    table = reply("table", "![x]", 0, None, [["<svg onload=x>"]], None).blocks[0]
    assert (table.text, table.rows) == ("< svg onload=x>", (("< svg onload=x>",),))
    assert reply(title="\x1b[31m" + "t" * 5_000).title == "[31m" + "t" * 996
    refusal = refusal_from_json({"refused": "\x1b]0;owned\x07 no " + "x" * 5_000})
    assert str(refusal) == "]0;owned no " + "x" * 988


@pytest.mark.parametrize(
    ("level", "page", "group"),
    [
        *((-1, None, None), (10, None, None), (True, None, None), (0, 0, None), (0, 100_001, None)),
        *((0, 2**80, None), (0, None, -1), (0, None, 100_001)),
    ],
)
def test_numbers_that_no_document_has_are_nonsense(level: int, page: int | None, group: int | None) -> None:
    with pytest.raises(BadReply):
        reply("paragraph", "a", level, page, [], group)


@pytest.mark.parametrize("fields", [{"pages": -1}, {"pages": 100_001}, {"pages_without_text": -1}])
def test_page_counts_that_no_document_has_are_nonsense(fields: dict[str, int]) -> None:
    with pytest.raises(BadReply):
        reply(**fields)
