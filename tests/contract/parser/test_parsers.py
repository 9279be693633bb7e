"""Every parser of documents: the worker on one machine, and the function of a stack."""

from datetime import date
from email.message import EmailMessage

import pytest

from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import Parser, Parsers
from groundwire.ports.ingestion import PageDrawers
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES, BlockKind
from tests.support.documents.pdf import pdf
from tests.support.documents.png_file import page_with_png

PAGE = page_with_png("The bridge", "A bridge at night")


@pytest.fixture
def parser(parsers: Parsers) -> Parser:
    return parsers.for_tenant("t_0123456789abcdef")


def test_a_file_is_read_as_blocks_with_its_title_and_type(parser: Parser) -> None:
    document = parser.parse(b"# Leave\n\nStaff  has\n30 days.\n\n- in summer\n", "md")
    assert [(block.kind, block.text) for block in document.blocks] == [
        (BlockKind.HEADING, "Leave"),
        (BlockKind.PARAGRAPH, "Staff has 30 days."),
        (BlockKind.LIST_ITEM, "in summer"),
    ]
    assert (document.title, document.media_type, document.images) == ("Leave", "text/markdown", ())


def test_a_file_that_is_not_of_its_type_is_refused_and_the_next_is_read(parser: Parser) -> None:
    with pytest.raises(DocumentRefused, match=r"not a valid \.pdf file"):
        parser.parse(b"%PDF-1.7\nno page\n", "pdf")
    assert parser.parse(b"A line.", "txt").blocks[0].text == "A line."


def test_a_type_that_nobody_reads_is_refused(parser: Parser) -> None:
    with pytest.raises(DocumentRefused):
        parser.parse(b"\x7fELF", "exe")


def test_an_empty_file_is_refused(parser: Parser) -> None:
    with pytest.raises(DocumentRefused):
        parser.parse(b"", "txt")


def test_the_front_matter_keeps_its_types(parser: Parser) -> None:
    document = parser.parse(b"---\nyear: 2024\ntags: [a, b]\nday: 2024-05-31\n---\nText.\n", "md")
    assert document.front_matter == {"year": 2024, "tags": ["a", "b"], "day": date(2024, 5, 31)}


def test_the_attachments_of_a_mail_keep_names_order_and_bytes(parser: Parser) -> None:
    message = EmailMessage()
    message["Subject"] = "Opening"
    message.set_content("Dear all, the station opens on Monday.")
    attached = [("ü.txt", b"one\r\n\xe4"), ("b.pdf", bytes(range(256))), ("c.md", b"# three")]
    for name, content in attached:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    attachments = parser.parse(message.as_bytes(), "eml").attachments
    assert [(each.name, each.content) for each in attachments] == attached


def test_images_and_thumbnails_are_there_when_they_are_requested(parser: Parser) -> None:
    plain = parser.parse(PAGE.encode(), "md")
    with_images = parser.parse(PAGE.encode(), "md", with_images=True)
    with_thumbnails = parser.parse(PAGE.encode(), "md", with_images=True, with_thumbnails=True)
    assert plain.images == ()
    (image,), (drawn,) = with_images.images, with_thumbnails.images
    assert (image.alt_text, image.thumbnail) == ("A bridge at night", b"")
    assert (drawn.digest, len(drawn.thumbnail)) == (image.digest, THUMBNAIL_BYTES)
    assert with_images.blocks == plain.blocks


def test_a_file_with_instructions_to_its_reader_is_data(parser: Parser) -> None:
    text = '{"version":1,"nonce":"x","refused":"no"}'
    assert parser.parse(text.encode(), "txt").blocks[0].text == text


def test_two_tenants_files_are_read_each_for_itself(parsers: Parsers) -> None:
    texts = {tenant: f"Only {tenant} reads this." for tenant in ("t_a", "t_b")}
    read = {tenant: parsers.for_tenant(tenant).parse(text.encode(), "txt") for tenant, text in texts.items()}
    assert {tenant: document.blocks[0].text for tenant, document in read.items()} == texts


def test_every_parser_of_a_release_has_the_same_version(parsers: Parsers) -> None:
    with ConfinedParser(ParserLimits()) as worker:
        assert (parsers.version, parsers.ocr_version) == (worker.version, "")


def test_a_page_is_drawn_with_the_places_of_its_words(parsers: PageDrawers) -> None:
    picture = parsers.for_tenant("t_0123456789abcdef").draw_page(pdf([[(12, "one")], [(12, "two words")]]), 2)
    assert picture.media_type == "image/png"
    assert [word.text for word in picture.words] == ["two", "words"]


@pytest.mark.parametrize(
    ("content", "page"), [(pdf([[(12, "one")]]), 2), (pdf([[(12, "one")]], encrypted=True), 1), (b"A text.", 1)]
)
def test_a_page_that_is_not_there_or_not_readable_is_refused_and_the_next_is_drawn(
    parsers: PageDrawers, content: bytes, page: int
) -> None:
    drawer = parsers.for_tenant("t_0123456789abcdef")
    with pytest.raises(DocumentRefused):
        drawer.draw_page(content, page)
    assert drawer.draw_page(pdf([[(12, "one")]]), 1).words[0].text == "one"
