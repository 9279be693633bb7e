"""A damaged line or chapter is left out and counted; the rest of the file is read."""

import pytest

from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.dispatch import read_document
from groundwire_readers.errors import UnreadableDocument
from tests.readers.open_files import epub


def test_a_damaged_line_of_json_lines_is_left_out_and_counted() -> None:
    document = read_document(b'{"quay": "Kiel"}\n{"quay": \n{"quay": "Husum"}\n', "jsonl")
    assert "Kiel" in document.blocks[0].text
    assert "Husum" in document.blocks[0].text
    assert document.defects == {ReadingDefect.DAMAGED_PARTS: 1}


def test_lines_that_are_mostly_no_json_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="not valid JSON"):
        read_document(b'{"quay": "Kiel"}\nThe quay\nis closed\n', "jsonl")


def _with_damaged(content: bytes, words: bytes) -> bytes:
    """The package with a byte of the stored part that holds the words changed, so that its checksum is wrong."""
    at = content.index(words)
    return content[:at] + b"X" + content[at + 1 :]


def test_a_damaged_chapter_of_a_book_is_left_out_and_counted() -> None:
    book = epub({"a.xhtml": "<p>Kiel</p>", "b.xhtml": "<p>Husum</p>"}, is_stored=True)
    document = read_document(_with_damaged(book, b"Husum"), "epub")
    assert [block.text for block in document.blocks] == ["Kiel"]
    assert document.defects == {ReadingDefect.DAMAGED_PARTS: 1}


def test_a_book_whose_chapters_are_all_damaged_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="none of its chapters"):
        read_document(_with_damaged(epub({"a.xhtml": "<p>Kiel</p>"}, is_stored=True), b"Kiel"), "epub")
