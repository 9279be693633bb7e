"""Fonts that do not name their letters: codes that are certainly text are made into it, others left out."""

import pytest

from groundwire_readers import ParserLimits, WorkerParser, find_ocr_settings
from groundwire_readers.contents.parsed import ReadingDefect, defects_notice
from groundwire_readers.dispatch import read_document
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.pdf.text_layer.no_language import is_no_language
from tests.readers.pdf.drawing import drawn, lines
from tests.support.documents.pdf import assembled

TEXT = "The tariff of the night is paid at the quay, and nobody sails before the harbour master."
SEEN = "A hundred letters of a common font tell what the harbour master wants, and they are enough to read the page."
BLOCK, BAR, DASH_ABOVE = "0 0 500 700", "50 230 550 290", "50 640 550 700"


def page_of(*texts: tuple[int, int, str, bytes]) -> bytes:
    """A PDF of one page: each text has its base line at (x, y), a font, and codes.

    "F1" has a Unicode map; the glyphs of "F2" have none, nor names: that of code 1 is a bar at the height of a minus,
    that of code 2 one at the height of capitals, and the others are blocks.
    """
    stream = b"".join(
        b"BT /%b 10 Tf %d %d Td <%b> Tj ET\n" % (font.encode(), x, y, codes.hex().encode())
        for x, y, font, codes in texts
    )
    boxes = {code: {1: BAR, 2: DASH_ABOVE}.get(code, BLOCK) for code in range(1, 256)}
    glyphs = [_glyph(box) for box in (BLOCK, BAR, DASH_ABOVE)]
    numbers = {BLOCK: 6, BAR: 7, DASH_ABOVE: 8}
    procedures = " ".join(f"/g{code} {numbers[box]} 0 R" for code, box in boxes.items())
    names = " ".join(f"/g{code}" for code in boxes)
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
                b"/Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> /Contents 9 0 R >>"
            ),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            (
                "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 700] /FontMatrix [0.001 0 0 0.001 0 0] "
                f"/FirstChar 1 /LastChar 255 /Widths [{'600 ' * 255}] /CharProcs << {procedures} >> "
                f"/Encoding << /Type /Encoding /Differences [1 {names}] >> >>"
            ).encode(),
            *glyphs,
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        ]
    )


def _glyph(box: str) -> bytes:
    left, bottom, right, top = map(int, box.split())
    drawing = f"600 0 {box} d1 {left} {bottom} {right - left} {top - bottom} re f".encode()
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing)


def shifted(text: str, by: int) -> bytes:
    return bytes(ord(character) - by for character in text)


def text_of(content: bytes) -> str:
    return " ".join(block.text for block in read_document(content, "pdf").blocks)


@pytest.mark.parametrize("by", [0, 28, 29, 31])
def test_codes_that_are_letters_at_a_constant_distance_are_read_as_text(by: int) -> None:
    document = read_document(page_of((20, 700, "F2", shifted(TEXT, by))), "pdf")
    assert "".join(document.blocks[0].text.split()) == "".join(TEXT.split())
    assert document.defects == {}


def test_a_page_of_unknown_glyphs_is_left_out_and_counted_while_others_are_read() -> None:
    garbage = bytes(1 + (7 * number) % 90 for number in range(100))
    mixed = page_of((20, 700, "F1", SEEN.encode()), (20, 600, "F2", garbage))
    with pytest.raises(UnreadableDocument, match=r"do not name their letters.*OCR"):
        read_document(mixed, "pdf")
    few = page_of((20, 700, "F1", SEEN.encode()), (20, 600, "F2", garbage[:9]))
    document = read_document(few, "pdf")
    assert SEEN in document.blocks[0].text
    # A few are read with marks in their place, which are counted.
    assert document.defects.keys() == {ReadingDefect.LOST_LETTERS}


def test_unknown_glyphs_that_nobody_sees_cost_no_text() -> None:
    hidden = bytes(1 + (7 * number) % 90 for number in range(100))
    assert SEEN in text_of(page_of((20, 700, "F1", SEEN.encode()), (20, -60, "F2", hidden)))


@pytest.mark.parametrize(("code", "shown"), [(b"\x01", "Loss (-5) of all"), (b"\x02", "Loss (\ufffd5) of all")])
def test_an_unknown_sign_before_a_number_does_not_vanish(code: bytes, shown: str) -> None:
    texts = (
        (20, 700, "F1", SEEN.encode()),
        (20, 600, "F1", b"Loss ("),
        (47, 600, "F2", code),
        (53, 600, "F1", b"5) of all"),
    )
    assert shown in text_of(page_of(*texts))


def test_recognition_reads_a_page_of_unknown_glyphs() -> None:
    garbage = page_of((20, 700, "F2", bytes(1 + (7 * number) % 90 for number in range(100))))
    with (
        WorkerParser(ParserLimits(), ocr=find_ocr_settings(["eng"], None)) as parser,
        pytest.raises(UnreadableDocument, match="recognition found none"),
    ):
        parser.parse(garbage, "pdf")


LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENGLISH = "The master of the harbour keeps the book of the tariff and signs it each morning before the boats come in."
OTHERS = (
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw i powinni żyć w duchu braterstwa",
    "Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau, a dylai pawb ymddwyn mewn ysbryd cymodlon",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền, phải đối xử trong tình bằng hữu",
    "acgtacgtac ggatccgatt ttgacatgca aaatttcccg ggtaccgagc tcgaattcac",
    "PKV GKV KVDR BGBl SGB XKRJ-4471 QWX-99 hPa kWh mbar 12,4 0.33 7/8 ZXCV BNML",
    "Все люди рождаются свободными и равными в своем достоинстве и правах",
)


@pytest.mark.parametrize("to", ["xqjzkvbwpfyghmculdrsitnoae", "qwertyuiopasdfghjklzxcvbnm"])
def test_a_page_whose_letters_are_wrong_is_left_out_and_counted(to: str) -> None:
    wrong = ENGLISH.translate(str.maketrans(LETTERS, to))
    document = read_document(drawn([lines(60, 700, [ENGLISH] * 9), lines(60, 700, [wrong] * 9)]), "pdf")
    assert document.defects == {ReadingDefect.UNMAPPED_FONTS: 1}
    assert document.pages_without_text == 1
    assert {block.page for block in document.blocks} == {1}


@pytest.mark.parametrize(
    "text", [ENGLISH, *OTHERS], ids=["English", "Polish", "Welsh", "Vietnamese", "bases", "codes", "Russian"]
)
def test_languages_codes_and_sequences_are_no_wrong_letters(text: str) -> None:
    assert not is_no_language((text + " ").split() * 9)


def test_the_defect_is_named_for_people() -> None:
    assert defects_notice({ReadingDefect.UNMAPPED_FONTS: 2}) == "2 pages whose fonts do not name their letters"
