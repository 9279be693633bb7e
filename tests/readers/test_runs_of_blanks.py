"""Patterns that read a long run of blanks or dots once match the same text as the plain patterns that they replace."""

import re
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_readers.contents.parsed import BlockKind
from groundwire_readers.readers.text import text_file
from groundwire_readers.readers.xberg import nodes, running_headers
from tests.support.plugins.draws import examples

TEXTS: Final = st.text(st.sampled_from(" .\t\n\u00a0|-1234ivxPage#"), max_size=24)
PLAIN: Final = {
    "leader of a text file": (text_file._LEADER, re.compile(r"\.{4,}|(?:\s\.){4,}|\s{3,}\d+$")),
    "page number": (
        running_headers._PAGE_NUMBER,
        re.compile(r"^(?:page\s+)?(?:\d{1,4}|[ivxl]{1,7})\b[\s.|-]*|[\s.|-]*\b(?:\d{1,4}|[ivxl]{1,7})$", re.IGNORECASE),
    ),
    "leader of a page": (nodes._LEADER, re.compile(r"(?:\s*\.){4,}")),
}
LONG: Final = 100_000


@pytest.mark.parametrize("name", [name for name in PLAIN if name != "leader of a text file"])
@settings(max_examples=examples(1_500))
@given(text=TEXTS)
def test_they_replace_the_same(name: str, text: str) -> None:
    fast, plain = PLAIN[name]
    assert fast.sub("_", text) == plain.sub("_", text)


@settings(max_examples=examples(1_500))
@given(text=TEXTS)
def test_the_leader_of_a_text_file_is_found_in_the_same_lines(text: str) -> None:
    fast, plain = PLAIN["leader of a text file"]
    assert bool(fast.search(text)) == bool(plain.search(text))


def test_a_line_after_a_hundred_thousand_blanks_is_read() -> None:
    numbered = text_file.read(" ".join(["", *[""] * LONG, "1 Pumps"]).encode() + b"\n\nOil.\n\n2 Wheels\n\nSpokes.\n")
    assert [block.text for block in numbered.blocks if block.kind is BlockKind.HEADING] == ["1 Pumps", "2 Wheels"]
