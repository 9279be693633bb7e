"""Bounds of what ingestion accepts from a parser function that a document may have taken over."""

from contextlib import suppress
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis.strategies import binary, booleans, integers

from groundwire.adapters.parse.function import results
from groundwire.adapters.parse.function.limits import IMAGES_BYTES, TEXT_BYTES
from groundwire.adapters.parse.function.messages import WIRE_VERSION
from groundwire.adapters.parse.function.results import (
    decode_picture,
    decode_result,
    encode_document,
    encode_picture,
    encode_refusal,
)
from groundwire.domain.errors import DocumentRefused, ParsingFailed
from groundwire_readers.contents.parsed import (
    Attachment,
    Block,
    BlockKind,
    ImageLeftOut,
    PagePicture,
    ParsedDocument,
    WordBox,
)
from groundwire_readers.sandbox.wire import document_to_json, encode
from tests.support.documents.plain_text_parser import picture
from tests.support.documents.png_file import png_file

NONCE, VERSION = "0123456789abcdef", "parser-1"
DOCUMENT = ParsedDocument(
    "text/plain",
    "Title",
    (Block(BlockKind.PARAGRAPH, "A paragraph."),),
    None,
    0,
    attachments=(Attachment("a.txt", b"attached"),),
    images_left_out={ImageLeftOut.DAMAGED: 2},
)
NONSENSE = "answered nonsense"


def decoded(payload: bytes, *, nonce: str = NONCE, version: str = VERSION) -> ParsedDocument:
    return decode_result(BytesIO(payload), nonce, version, with_thumbnails=False)


def frame(message: bytes) -> bytes:
    return len(message).to_bytes(8) + message


def forged(header: dict[str, object], images: bytes | None = None) -> bytes:
    """A result with another header, or other images."""
    document = document_to_json(replace(DOCUMENT, attachments=()))
    header_and_document = {"version": WIRE_VERSION, "nonce": NONCE, "parser": VERSION, "document": document, **header}
    none = encode({"images": [], "left_out": {}, "recognised": []})
    return frame(encode(header_and_document)) + frame(none if images is None else images)


def test_a_document_comes_through_as_it_was() -> None:
    assert decoded(encode_document(NONCE, VERSION, DOCUMENT)) == DOCUMENT


def test_a_result_of_a_valid_form_is_accepted_whoever_wrote_it() -> None:
    assert decoded(forged({})).blocks == DOCUMENT.blocks


def test_a_refusal_comes_through_with_its_reason() -> None:
    with pytest.raises(DocumentRefused, match=r"^it is empty$"):
        decoded(encode_refusal(NONCE, VERSION, DocumentRefused("it is empty")))


@pytest.mark.parametrize("nonce", ["", "another", None, 1, ["0123456789abcdef"]])
def test_the_result_of_another_invocation_is_refused(nonce: object) -> None:
    with pytest.raises(DocumentRefused, match=NONSENSE):
        decoded(forged({"nonce": nonce}))


def test_a_refusal_with_another_nonce_reports_nothing_to_the_owner() -> None:
    with pytest.raises(DocumentRefused, match=NONSENSE):
        decoded(encode_refusal("another", VERSION, DocumentRefused("pay at evil.example")))


@pytest.mark.parametrize("header", [{"version": 1}, {"version": "2"}, {"version": None}, {"parser": "parser-2"}])
def test_a_result_that_claims_another_version_fails_its_document(header: dict[str, object]) -> None:
    with pytest.raises(ParsingFailed, match=NONSENSE):
        decoded(forged(header))
    with pytest.raises(ParsingFailed, match=NONSENSE):
        decoded(frame(encode({"nonce": NONCE})))


@given(content=binary(max_size=200), is_framed=booleans())
def test_any_bytes_as_a_result_fail_the_document_and_nothing_else(content: bytes, *, is_framed: bool) -> None:
    with pytest.raises(ParsingFailed, match=NONSENSE):
        decoded(frame(len(content).to_bytes(8) + content) if is_framed else content)


@given(position=integers(min_value=0), byte=integers(0, 255))
def test_a_result_with_any_changed_byte_is_a_document_or_a_failure_of_it(position: int, byte: int) -> None:
    changed = bytearray(encode_document(NONCE, VERSION, DOCUMENT))
    changed[position % len(changed)] = byte
    with suppress(DocumentRefused):
        assert decoded(bytes(changed)).media_type


def test_a_result_that_ends_anywhere_before_its_end_is_refused() -> None:
    whole = encode_document(NONCE, VERSION, DOCUMENT)
    for end in range(len(whole)):
        with pytest.raises(DocumentRefused, match=NONSENSE):
            decoded(whole[:end])


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"not a result",
        (1 << 62).to_bytes(8) + b"x",
        frame(b""),
        frame(b"\0" * 8),
        frame((1 << 62).to_bytes(8) + b"{}"),
        forged({}, b"{}"),
        forged({}, encode({})),
        forged({}, encode({"images": [[1, None, False, "", "", ""]], "left_out": {}, "recognised": [""]}, [b"x"])),
        forged({}, encode({"images": [], "left_out": {}, "recognised": ["more"]})),
        forged({}, encode({"images": [], "left_out": {}})),
        forged({}, encode({"images": [], "left_out": {}, "recognised": []}, [b"bytes of nobody"])),
        forged({}) + b"x",
        forged({"document": []}),
        frame((TEXT_BYTES + 1).to_bytes(8) + b"{}"),
        forged({})[: -len(frame(encode({"images": [], "left_out": {}, "recognised": []})))]
        + (IMAGES_BYTES + 1).to_bytes(8),
    ],
)
def test_what_is_no_result_is_refused(payload: bytes) -> None:
    with pytest.raises(DocumentRefused, match=NONSENSE):
        decoded(payload)


def test_more_values_than_memory_is_meant_for_are_refused_before_any_is_built() -> None:
    text = b'{"nonce":"' + NONCE.encode() + b'","document":[' + b"[]," * 3_000_000 + b"0]}"
    with pytest.raises(DocumentRefused, match="more than 500,000 paragraphs and cells"):
        decoded(frame(len(text).to_bytes(8) + text))


def test_an_image_that_is_more_than_pixels_is_refused() -> None:
    document = replace(DOCUMENT, attachments=(), images=(picture("A bridge", 0),))
    with pytest.raises(DocumentRefused, match=NONSENSE):
        decoded(encode_document(NONCE, VERSION, document))


def test_texts_are_cleaned_again() -> None:
    dirty = replace(DOCUMENT, blocks=(Block(BlockKind.PARAGRAPH, "a\u202eb\0 c"),), attachments=())
    (block,) = decoded(encode_document(NONCE, VERSION, dirty)).blocks
    assert "\u202e" not in block.text
    assert "\0" not in block.text


def test_a_text_that_its_reader_has_no_memory_for_is_refused_with_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "TEXT_BYTES", 1_000)
    large = replace(DOCUMENT, blocks=(Block(BlockKind.PARAGRAPH, "x" * 1_000),))
    with pytest.raises(DocumentRefused, match="its text is larger than 48 MB: split the file"):
        decoded(encode_document(NONCE, VERSION, large))
    attached = replace(DOCUMENT, attachments=(Attachment("a.txt", b"x" * 2_000),))
    assert decoded(encode_document(NONCE, VERSION, attached)) == attached


PAGE = PagePicture(png_file(), "image/png", 64, 64, (WordBox("ledger", 0, 10, 9_999, 10_000),))


def drawn(payload: bytes, nonce: str = NONCE, version: str = VERSION) -> PagePicture:
    return decode_picture(BytesIO(payload), nonce, version)


def test_the_picture_of_a_page_comes_through_as_it_was() -> None:
    assert drawn(encode_picture(NONCE, VERSION, PAGE)) == PAGE


def test_the_refusal_of_a_page_comes_through_with_its_reason() -> None:
    with pytest.raises(DocumentRefused, match=r"^the file has no page 9$"):
        drawn(encode_refusal(NONCE, VERSION, DocumentRefused("the file has no page 9")))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        frame(b""),
        encode_document(NONCE, VERSION, DOCUMENT),
        encode_picture("another", VERSION, PAGE),
        encode_picture(NONCE, "parser-2", PAGE),
        encode_picture(NONCE, VERSION, PAGE) + b"x",
        encode_picture(NONCE, VERSION, replace(PAGE, content=b"<svg/>")),
        encode_picture(NONCE, VERSION, replace(PAGE, content=PAGE.content + b"<script>")),
        encode_picture(NONCE, VERSION, replace(PAGE, words=(WordBox("x", -1, 0, 1, 1),))),
        encode_picture(NONCE, VERSION, replace(PAGE, words=(WordBox("x", 0, 0, 1, 10_001),))),
        (1 << 40).to_bytes(8),
    ],
)
def test_what_is_no_picture_of_the_page_is_refused(payload: bytes) -> None:
    with pytest.raises(ParsingFailed, match=NONSENSE):
        drawn(payload)


@given(position=integers(min_value=0), byte=integers(0, 255))
def test_a_picture_with_any_changed_byte_is_one_within_its_bounds_or_a_failure(position: int, byte: int) -> None:
    changed = bytearray(encode_picture(NONCE, VERSION, PAGE))
    changed[position % len(changed)] = byte
    with suppress(DocumentRefused):
        assert drawn(bytes(changed)).media_type == "image/png"
