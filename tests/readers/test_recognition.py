"""Text recognition is off by default, reads only PDF pages without text, and keeps within a budget of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.settings.environment import read_settings
from groundwire.wiring.local.services import open_home
from groundwire_readers import ParserLimits, WorkerParser, find_ocr_settings
from groundwire_readers.contents.limits import OCR_MAX_PAGES
from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.errors import OcrDataMissing, UnreadableDocument
from groundwire_readers.sandbox import landlock
from tests.readers.pdf.drawing import drawn, picture, text
from tests.support.documents.scanned_pdf import scanned_pdf

HOSTILE = "tests.readers.hostile_worker"
COPIED = "This page holds text that every reader can copy."
MIXED = scanned_pdf(
    [COPIED, ["MINUTES OF THE BOARD", "ROUTINE WORDS"], COPIED, ["THE SECOND LETTER", "AND MORE OF IT"]]
)


@pytest.fixture(scope="module")
def recognising() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits(), ocr=find_ocr_settings(["eng"], None)) as parser:
        yield parser


@pytest.fixture(scope="module")
def hostile() -> Iterator[WorkerParser]:
    with WorkerParser(ParserLimits(), HOSTILE, find_ocr_settings(["eng"], None)) as parser:
        yield parser


def text_by_page(parser: WorkerParser, content: bytes) -> dict[int | None, str]:
    document = parser.parse(content, "pdf")
    return {page: " ".join(b.text for b in document.blocks if b.page == page) for page in range(1, 5)}


def test_scanned_pages_are_recognised_and_cited_by_their_page(recognising: WorkerParser) -> None:
    document = recognising.parse(MIXED, "pdf")
    text = text_by_page(recognising, MIXED)
    assert "MINUTES OF THE" in text[2]
    assert "SECOND LETTER" in text[4]
    assert text[1] == text[3] == COPIED
    assert (document.pages, document.pages_without_text) == (4, 0)


def test_without_recognition_scanned_pages_are_counted_not_read(parser: WorkerParser) -> None:
    document = parser.parse(MIXED, "pdf")
    assert {block.page for block in document.blocks} == {1, 3}
    assert (document.pages, document.pages_without_text) == (4, 2)


def test_a_page_with_nothing_but_a_stamp_counts_as_one_without_text(parser: WorkerParser) -> None:
    stamped = picture(0, 0, 612, 792) + text(72, 72, "Scan 0012")
    document = parser.parse(drawn([text(72, 700, COPIED), stamped]), "pdf")
    assert document.pages_without_text == 1


def test_a_document_of_scans_alone_is_read_with_recognition_and_refused_without(
    parser: WorkerParser, recognising: WorkerParser
) -> None:
    scans = scanned_pdf([["THE SECOND LETTER", "AND MORE OF IT"]])
    with pytest.raises(UnreadableDocument, match="no text on its 1 page"):
        parser.parse(scans, "pdf")
    assert "SECOND LETTER" in recognising.parse(scans, "pdf").blocks[0].text


def test_a_page_that_lies_upside_down_or_on_its_side_is_turned(recognising: WorkerParser) -> None:
    for rotation in (90, 180):
        turned = scanned_pdf([["MINUTES OF THE BOARD", "ROUTINE WORDS"]], rotation=rotation)
        assert "MINUTES OF THE" in text_by_page(recognising, turned)[1]


def test_a_layer_with_other_words_than_the_picture_is_replaced_by_what_is_recognised(
    parser: WorkerParser, recognising: WorkerParser
) -> None:
    for layer, kept in (("MINUTES OF THE BOARD", True), ("PAY NOBODY AND TELL NOBODY OF IT", False)):
        content = scanned_pdf([["MINUTES OF THE BOARD", "ROUTINE WORDS"]], layer)
        without = parser.parse(content, "pdf")
        assert (layer in without.blocks[0].text, without.defects) == (True, {ReadingDefect.UNVERIFIED_LAYER: 1})
        recognised = recognising.parse(content, "pdf")
        assert ("NOBODY" in " ".join(block.text for block in recognised.blocks), recognised.defects) == (False, {})
        assert any("MINUTES" in block.text for block in recognised.blocks)
        assert (layer in recognised.blocks[0].text) is kept


def test_text_that_the_recognition_itself_doubts_is_left_out_and_its_page_counted(recognising: WorkerParser) -> None:
    document = recognising.parse(scanned_pdf([COPIED, ["WWMMWWMM", "MWMWMW WMWMWM"]]), "pdf")
    assert {block.page for block in document.blocks} == {1}
    assert document.defects == {ReadingDefect.UNREADABLE_RECOGNITION: 1}


def test_a_document_on_whose_pages_nothing_is_recognised_is_refused_for_that(recognising: WorkerParser) -> None:
    with pytest.raises(UnreadableDocument, match="recognition found none"):
        recognising.parse(scanned_pdf([[""]]), "pdf")


def test_no_more_pages_are_recognised_than_the_budget_allows(hostile: WorkerParser) -> None:
    document = hostile.parse(f"scans {OCR_MAX_PAGES + 10}".encode(), "pdf")
    assert [block.page for block in document.blocks] == list(range(1, OCR_MAX_PAGES + 1))
    assert document.pages_without_text == 10


def test_recognition_that_kills_the_worker_costs_no_text_that_was_there(hostile: WorkerParser) -> None:
    order = "unreadable page that follows a first without text"
    document = hostile.parse(order.encode(), "pdf")
    assert document.blocks[0].text == order
    assert hostile.parse(b"hello", "txt").blocks[0].text == "hello"


def test_recognition_opens_its_data_to_the_worker_and_nothing_else(hostile: WorkerParser, tmp_path: Path) -> None:
    chosen = find_ocr_settings(["eng"], None)
    assert chosen is not None
    data, secret = chosen.tessdata_folder / "eng.traineddata", tmp_path / "secret"
    secret.write_text("canary")
    closed = "EACCES" if landlock.abi_version() else "opened"
    with WorkerParser(ParserLimits(), HOSTILE) as plain:
        assert plain.parse(f"read {data}".encode(), "txt").blocks[0].text == closed
    assert hostile.parse(f"read {data}".encode(), "txt").blocks[0].text == "opened"
    assert hostile.parse(f"read {secret}".encode(), "txt").blocks[0].text == closed


def test_languages_without_data_are_an_error_that_states_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(OcrDataMissing, match=r"tlh\.traineddata.*GROUNDWIRE_TESSDATA.*GROUNDWIRE_OCR=off"):
        find_ocr_settings(["tlh"], None)
    with pytest.raises(OcrDataMissing, match=str(tmp_path)):
        find_ocr_settings(["eng"], tmp_path)


def test_a_folder_of_ones_own_is_used(tmp_path: Path) -> None:
    (tmp_path / "tlh.traineddata").write_bytes(b"data")
    chosen = find_ocr_settings(["tlh"], tmp_path)
    assert chosen is not None
    assert (str(chosen), chosen.tessdata_folder) == ("ocr-tlh", tmp_path)


def test_the_parser_names_how_it_recognises_apart_from_its_version(
    parser: WorkerParser, recognising: WorkerParser
) -> None:
    assert (parser.ocr_version, recognising.ocr_version) == ("", "ocr-eng")
    assert parser.version == recognising.version


def test_recognition_is_off_unless_languages_are_named() -> None:
    assert read_settings({}).ocr == read_settings({"GROUNDWIRE_OCR": "off"}).ocr == ()
    assert read_settings({"GROUNDWIRE_OCR": "eng+chi_sim"}).ocr == ("eng", "chi_sim")
    for nonsense in ("english", "eng,deu", "../eng", "on"):
        with pytest.raises(InvalidInput, match="GROUNDWIRE_OCR"):
            read_settings({"GROUNDWIRE_OCR": nonsense})


def test_an_installation_states_whether_recognition_is_ready(tmp_path: Path) -> None:
    home = {"GROUNDWIRE_HOME": str(tmp_path)}
    assert open_home(read_settings(home)).upkeep.text_recognition().startswith("off")
    assert open_home(read_settings(home | {"GROUNDWIRE_OCR": "eng"})).upkeep.text_recognition().startswith("ready: eng")
    with pytest.raises(Unavailable, match="GROUNDWIRE_TESSDATA"):
        open_home(read_settings(home | {"GROUNDWIRE_OCR": "tlh"})).upkeep.text_recognition()
