"""Images of each format: the pixels as they are, with the texts that the format has for them."""

from collections.abc import Callable
from email.message import EmailMessage
from typing import cast

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import ParsedDocument, ParsedImage
from groundwire_readers.images.flow import Candidate
from groundwire_readers.images.sources import opendocument, sheets, word
from tests.readers.compound_files import attachment, compound, message
from tests.readers.mails import made as new_mail
from tests.readers.office import docx, heading, paragraph, pptx, run, shape, xlsx
from tests.readers.open_files import epub, open_file
from tests.readers.raster_images import data_address, picture, pixels, png, with_parts
from tests.readers.steps import MOST_GROWTH
from tests.support.documents.pdf import assembled
from tests.support.documents.step_count import growth_of_steps

ALT = "A tide gauge on a pier"
CAPTION = "Figure 3. The gauge in spring."
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_WORD_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
_SHEET_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"


def read(parser: WorkerParser, content: bytes, file_type: str) -> ParsedDocument:
    document = parser.parse(content, file_type, with_images=True)
    assert not document.images_left_out
    return document


def only_image(parser: WorkerParser, content: bytes, file_type: str, *, seed: int = 0) -> ParsedImage:
    """The document's only image, which is the one of this seed to the pixel."""
    (image,) = read(parser, content, file_type).images
    assert (image.width, image.height, image.media_type, image.position) == (64, 56, "image/png", 0)
    paint = picture(seed)
    assert pixels(image.content) == [[paint(x, y) for x in range(64)] for y in range(56)]
    return image


def relations(*targets: tuple[str, str, str]) -> str:
    rows = "".join(f'<Relationship Id="{one}" Type="{_RELATION}/{kind}" Target="{to}"/>' for one, kind, to in targets)
    return f'<Relationships xmlns="{_PACKAGE}">{rows}</Relationships>'


def word_picture(relation: str = "img1", *, alt: str = ALT, extra: str = "") -> str:
    return (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{_WORD_DRAWING}">'
        f'<wp:docPr id="1" name="Picture 1" descr="{alt}" {extra}/>'
        f'<a:graphic xmlns:a="{_DRAWING}"><a:graphicData><a:blip r:embed="{relation}"/></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing></w:r>"
    )


def word_file(*body: str, images: int = 1) -> bytes:
    styles = (
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        '<w:style w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>'
        '<w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>'
    )
    rows = [(f"img{n}", "image", f"media/image{n}.png") for n in range(1, images + 1)]
    pictures: dict[str, str | bytes] = {f"word/media/image{n}.png": png(pixel=picture(n)) for n in range(1, images + 1)}
    parts = {"word/styles.xml": styles, "word/_rels/document.xml.rels": relations(("s", "styles", "styles.xml"), *rows)}
    return with_parts(docx(*body), {**parts, **pictures})


def test_a_figure_of_a_page_has_its_caption_its_alternative_text_and_what_is_around_it(parser: WorkerParser) -> None:
    page = (
        f"<h1>Report</h1><h2>Gauges</h2><p>Before it.</p><figure><img src='{data_address(png())}' alt='{ALT}'"
        f" title='Seen from the east'><figcaption>The <b>gauge</b> in spring</figcaption></figure><p>After it.</p>"
    )
    image = only_image(parser, page.encode(), "html")
    assert image.caption == "The gauge in spring"
    assert image.alt_text == f"{ALT}. Seen from the east"
    assert image.nearby_text == "Report > Gauges\nBefore it.\nAfter it."
    assert image.page is None
    assert not image.is_page


def test_a_paragraph_that_begins_like_a_caption_is_one_and_a_sentence_about_a_figure_is_none(
    parser: WorkerParser,
) -> None:
    tag = f"<img src='{data_address(png())}'>"
    caption = only_image(parser, f"<p>x</p>{tag}<p>Abb. 4: Pegel im Mai</p><p>After.</p>".encode(), "html")
    assert (caption.caption, caption.nearby_text) == ("Abb. 4: Pegel im Mai", "x\nAfter.")
    sentence = only_image(parser, f"<p>x</p>{tag}<p>Figure 4 shows the gauge.</p>".encode(), "html")
    assert (sentence.caption, sentence.nearby_text) == ("", "x\nFigure 4 shows the gauge.")


def test_images_of_a_page_that_are_hidden_or_somewhere_else_are_not_read(parser: WorkerParser) -> None:
    address = data_address(png())
    page = (
        f"<p>Text.</p><img src='{address}' style='display:none'><div hidden><img src='{address}'></div>"
        "<img src='https://example.com/a.png'><img src='/etc/logo.png'><img src='file:///etc/logo.png'><nav>"
        f"<img src='{address}'></nav>"
    )
    assert read(parser, page.encode(), "html").images == ()


@pytest.mark.parametrize(
    ("alt", "is_text"),
    [("The gauge in spring", True), (r"C:\\Users\\Ana\\My files\\body_pic.jpg", False), ("image001.png", False)],
)
def test_a_file_name_instead_of_a_description_is_no_text_of_a_word_file(
    parser: WorkerParser, alt: str, *, is_text: bool
) -> None:
    content = word_file(paragraph(run("Before it.") + word_picture(alt=alt)))
    texts = " ".join(block.text for block in parser.parse(content, "docx").blocks)
    assert (alt in texts) is is_text


def test_markdown_holds_images_inline_by_reference_and_as_html_but_not_in_code(parser: WorkerParser) -> None:
    addresses = [data_address(png(pixel=picture(seed))) for seed in range(4)]
    source = (
        f'# Report\n\nBefore it.\n\n![{ALT}]({addresses[0]} "From the east")\n\n{CAPTION}\n\n![By name][gauge]\n\n'
        f"<img src='{addresses[2]}' alt='As a tag'>\n\n```\n![x]({addresses[3]})\n```\n\n[gauge]: {addresses[1]}\n"
    )
    images = read(parser, source.encode(), "md").images
    assert [pixels(image.content)[1][1] for image in images] == [picture(seed)(1, 1) for seed in range(3)]
    assert [image.alt_text for image in images] == [f"{ALT}. From the east", "By name", "As a tag"]
    assert (images[0].caption, images[0].nearby_text) == (CAPTION, "Report\nBefore it.")


def test_a_books_images_are_those_of_its_chapters_in_order(parser: WorkerParser) -> None:
    chapters = {
        "one.xhtml": f"<h1>One</h1><p>Of gauges.</p><img src='../img/a%20b.png' alt='{ALT}'/>",
        "two.xhtml": "<h1>Two</h1><img src='https://example.com/x.png'/><img src='../img/missing.png'/><p>End.</p>",
    }
    book = with_parts(epub(chapters), {"img/a b.png": png(), "img/unused.png": png(pixel=picture(9))})
    image = only_image(parser, book, "epub")
    assert (image.alt_text, image.nearby_text) == (ALT, "One\nOf gauges.")


def test_a_word_files_images_have_the_caption_of_its_style(parser: WorkerParser) -> None:
    content = word_file(
        heading(1, "Gauges"),
        paragraph(run("Before it.")),
        paragraph(word_picture(extra='title="Seen from the east"')),
        paragraph(run("Spring tide, 2024"), style="Beschriftung"),
        paragraph(run("After it.")),
    )
    image = only_image(parser, content, "docx", seed=1)
    assert image.caption == "Spring tide, 2024"
    assert image.alt_text == f"Seen from the east. {ALT}"
    assert image.nearby_text == "Gauges\nBefore it.\nAfter it."


def test_hidden_and_deleted_images_of_a_word_file_are_not_read(parser: WorkerParser) -> None:
    hidden_run = word_picture("img2").replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    content = word_file(
        paragraph(run("Text."), word_picture("img1")),
        paragraph(hidden_run),
        paragraph(word_picture("img3", extra='hidden="1"')),
        paragraph(f"<w:del>{word_picture('img4')}</w:del>"),
        paragraph(word_picture("missing")),
        images=4,
    )
    only_image(parser, content, "docx", seed=1)


def test_an_image_in_boxes_within_boxes_of_a_word_file_is_found_once() -> None:
    inside = word_picture()
    for _ in range(12):
        box = f"<w:txbxContent>{paragraph(inside)}</w:txbxContent>"
        inside = f'<w:r><w:drawing><wp:inline xmlns:wp="{_WORD_DRAWING}">{box}</wp:inline></w:drawing></w:r>'
    assert len(list(word.find_images(word_file(paragraph(inside))))) == 1


def slide_picture(relation: str, *, hidden: bool = False) -> str:
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="7" name="Picture 6" descr="{ALT}" hidden="{int(hidden)}"/>'
        f'<p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="{relation}"/></p:blipFill><p:spPr/></p:pic>'
    )


def presentation(slides: list[list[str]], pictures: dict[int, list[int]], hidden: frozenset[int]) -> bytes:
    """Slides, and for each the seeds of the pictures that it may refer to as `img` and the seed."""
    seeds = {seed for each in pictures.values() for seed in each}
    parts: dict[str, str | bytes] = {f"ppt/media/p{seed}.png": png(pixel=picture(seed)) for seed in seeds}
    parts |= {
        f"ppt/slides/_rels/slide{number}.xml.rels": relations(
            *((f"img{seed}", "image", f"../media/p{seed}.png") for seed in each)
        )
        for number, each in pictures.items()
    }
    return with_parts(pptx(slides, {}, hidden), parts)


def test_a_presentations_images_have_their_slide_and_its_text(parser: WorkerParser) -> None:
    slides = [
        [shape("Start", placeholder="title"), shape("Nothing to see.")],
        [shape("Gauges", placeholder="title"), slide_picture("img1"), shape("They float.")],
        [shape("Hidden", placeholder="title"), slide_picture("img2")],
        [shape("Shape", placeholder="title"), slide_picture("img3", hidden=True)],
    ]
    content = presentation(slides, {2: [1], 3: [2], 4: [3]}, frozenset({3}))
    image = only_image(parser, content, "pptx", seed=1)
    assert (image.page, image.alt_text, image.nearby_text) == (2, ALT, "Gauges\nThey float.")


def test_an_image_on_most_slides_is_decoration(parser: WorkerParser) -> None:
    slides = [[shape(f"Slide {number}", placeholder="title"), slide_picture("img1")] for number in range(1, 5)]
    slides[1].append(slide_picture("img2"))
    content = presentation(slides, {1: [1], 2: [1, 2], 3: [1], 4: [1]}, frozenset())
    assert only_image(parser, content, "pptx", seed=2).page == 2


def sheet_anchor(row: int, within: str = "") -> str:
    place = f"<xdr:from><xdr:col>2</xdr:col><xdr:row>{row}</xdr:row></xdr:from>"
    return f"<xdr:oneCellAnchor>{place}{within}</xdr:oneCellAnchor>"


def images_beside(rows: int) -> Callable[[], list[Candidate]]:
    """Return the search for the one image of a sheet of rows, each of which has an anchor."""
    shown = '<xdr:pic><xdr:blipFill><a:blip r:embed="i"/></xdr:blipFill></xdr:pic>'
    anchors = "".join(sheet_anchor(row) for row in range(rows)) + sheet_anchor(50, shown)
    names = f'xmlns:xdr="{_SHEET_DRAWING}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATION}"'
    parts: dict[str, str | bytes] = {
        "xl/media/image1.png": png(),
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("d", "drawing", "../drawings/drawing1.xml")),
        "xl/drawings/drawing1.xml": f"<xdr:wsDr {names}>{anchors}</xdr:wsDr>",
        "xl/drawings/_rels/drawing1.xml.rels": relations(("i", "image", "../media/image1.png")),
    }
    content = with_parts(xlsx({"Levels": [[f"row {number}"] for number in range(1, rows + 1)]}), parts)
    return lambda: list(sheets.find_images(content))


def test_an_image_beside_many_rows_and_anchors_has_the_nearest_rows_in_linear_time() -> None:
    (candidate,) = images_beside(1_500)()
    assert candidate.describe().nearby_text == f"Levels\n{' '.join(f'row {number}' for number in range(48, 55))}"
    assert growth_of_steps(images_beside, 300, 1_200) < MOST_GROWTH


def images_of_frames(parts: int) -> Callable[[], list[Candidate]]:
    """Return the search for the images of a package of parts with as many frames, which all show the last part."""
    frame = f"<draw:frame><draw:image xlink:href='Pictures/{parts - 1}.png'/></draw:frame>"
    files: dict[str, str | bytes] = {f"Pictures/{number}.png": b"x" for number in range(parts)}
    content = with_parts(open_file("text", f"<text:p>{frame * parts}</text:p>"), files)
    return lambda: list(opendocument.find_images(content))


def test_the_frames_of_a_package_of_many_parts_are_found_in_linear_time() -> None:
    assert len(images_of_frames(300)()) == 300
    assert growth_of_steps(images_of_frames, 300, 1_200) < MOST_GROWTH


def test_a_workbooks_images_have_their_sheet_and_the_cells_around_them(parser: WorkerParser) -> None:
    rows = [["Gauge", "Height"], ["East", "4 m"], *([[""]] * 20), ["Far", "away"]]
    anchor = (
        f'<xdr:wsDr xmlns:xdr="{_SHEET_DRAWING}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATION}">'
        "<xdr:oneCellAnchor><xdr:from>"
        "<xdr:col>2</xdr:col><xdr:row>2</xdr:row></xdr:from><xdr:pic><xdr:nvPicPr>"
        f'<xdr:cNvPr id="2" name="Picture 1" descr="{ALT}"/></xdr:nvPicPr>'
        '<xdr:blipFill><a:blip r:embed="i"/></xdr:blipFill>'
        "</xdr:pic></xdr:oneCellAnchor></xdr:wsDr>"
    )
    parts: dict[str, str | bytes] = {"xl/media/image1.png": png(), "xl/media/image2.png": png(pixel=picture(1))}
    for number in (1, 2):
        parts |= {
            f"xl/worksheets/_rels/sheet{number}.xml.rels": relations(
                ("d", "drawing", f"../drawings/drawing{number}.xml")
            ),
            f"xl/drawings/drawing{number}.xml": anchor,
            f"xl/drawings/_rels/drawing{number}.xml.rels": relations(("i", "image", f"../media/image{number}.png")),
        }
    book = xlsx({"Levels": rows, "Secret": [["x"]]}, hidden=frozenset({"Secret"}))
    image = only_image(parser, with_parts(book, parts), "xlsx")
    assert (image.page, image.alt_text, image.nearby_text) == (1, ALT, "Levels\nGauge | Height East | 4 m")


_FRAME = (
    '<draw:frame><draw:image xlink:href="Pictures/a.png"/>'
    f'<svg:title xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">Gauge</svg:title>'
    f'<svg:desc xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">{ALT}</svg:desc></draw:frame>'
)


@pytest.mark.parametrize(
    ("kind", "file_type", "body", "page", "caption", "nearby"),
    [
        (
            "text",
            "odt",
            (
                "<text:h>Gauges</text:h><text:section><text:p>Before it.</text:p><text:p><draw:text-box>"
                f"<text:p>{_FRAME}</text:p><text:p>{CAPTION}</text:p></draw:text-box></text:p></text:section>"
                "<text:p>After it.</text:p>"
            ),
            None,
            CAPTION,
            "Gauges\nBefore it.\nAfter it.",
        ),
        (
            "presentation",
            "odp",
            (
                "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>Gauges</text:p>"
                f"</draw:text-box></draw:frame>{_FRAME}<draw:frame><draw:text-box><text:p>They float.</text:p>"
                "</draw:text-box></draw:frame></draw:page>"
            ),
            1,
            "",
            "Gauges\nThey float.",
        ),
        (
            "spreadsheet",
            "ods",
            (
                f"<table:table table:name='Levels'><table:table-row><table:table-cell><text:p>East</text:p>{_FRAME}"
                "</table:table-cell><table:table-cell><text:p>4 m</text:p></table:table-cell>"
                "</table:table-row></table:table>"
            ),
            1,
            "",
            "Levels\nEast | 4 m",
        ),
    ],
)
def test_an_open_documents_images_have_title_description_and_place(
    parser: WorkerParser, kind: str, file_type: str, body: str, page: int | None, caption: str, nearby: str
) -> None:
    content = with_parts(open_file(kind, body), {"Pictures/a.png": png()})
    image = only_image(parser, content, file_type)
    assert (image.page, image.caption, image.nearby_text) == (page, caption, nearby)
    assert image.alt_text == f"Gauge. {ALT}"


def mail_with_images(*, html: str) -> EmailMessage:
    mail = new_mail("Plain words.", "Gauges")
    mail.add_alternative(html, subtype="html")
    _, related = cast("list[EmailMessage]", mail.get_payload())
    related.add_related(png(), "image", "png", cid="<one@mail>")
    mail.add_attachment(png(pixel=picture(5)), "image", "png", filename="attached.png")
    return mail


def test_a_mails_images_are_those_that_its_text_shows(parser: WorkerParser) -> None:
    html = f"<p>Before it.</p><img src='cid:one@mail' alt='{ALT}'><p>After it.</p><img src='https://example.com/pixel'>"
    image = only_image(parser, mail_with_images(html=html).as_bytes(), "eml")
    assert (image.alt_text, image.nearby_text) == (ALT, "Gauges\nBefore it.\nAfter it.")


def test_an_image_that_a_mails_page_hides_is_not_read(parser: WorkerParser) -> None:
    html = "<p>Text.</p><img src='cid:one@mail' style='width:0'>"
    assert read(parser, mail_with_images(html=html).as_bytes(), "eml").images == ()


def test_an_image_within_a_plain_mail_is_read_with_the_subject(parser: WorkerParser) -> None:
    mail = new_mail("Plain words.", "Gauges")
    mail.add_attachment(png(), "image", "png", disposition="inline", filename="gauge.png")
    assert only_image(parser, mail.as_bytes(), "eml").nearby_text == "Gauges\nPlain words."


def test_an_outlook_mails_images_are_its_inline_ones(parser: WorkerParser) -> None:
    files = {
        "__substg1.0_10130102": f"<p>Before it.</p><img src='cid:one@mail' alt='{ALT}'>".encode(),
        "__attach_version1.0_#00000000": attachment("gauge.png", png(), "one@mail", "image/png"),
        "__attach_version1.0_#00000001": attachment("other.png", png(pixel=picture(4)), "", "image/png"),
    }
    outer = message({"0037": "Gauges", "0C1A": "Jörg", "1000": "Before it."}, 133617168000000000, files)
    image = only_image(parser, compound(outer), "msg")
    assert (image.alt_text, image.nearby_text) == (ALT, "Gauges\nBefore it.")


def pdf_with_image(texts: list[tuple[int, int, str]], *, extra: str = "", more: tuple[bytes, ...] = ()) -> bytes:
    """A page with texts at (x, y), and the image of seed 0 at (100, 400), two points a pixel; object 7 is free."""
    paint = picture()
    data = b"".join(bytes(paint(x, y)) for y in range(56) for x in range(64))
    lines = "\n".join(f"BT /F1 11 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in texts)
    stream = f"{lines}\nq 128 0 0 112 100 400 cm /I Do Q".encode()
    picture_object = (
        "<< /Type /XObject /Subtype /Image /Width 64 /Height 56 /ColorSpace /DeviceRGB /BitsPerComponent 8 "
        f"{extra} /Length {len(data)} >>\nstream\n"
    ).encode()
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> "
                b"/XObject << /I 6 0 R >> >> /Contents 5 0 R >>"
            ),
            f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream",
            picture_object + data + b"\nendstream",
            *more,
        ]
    )


def test_a_pdfs_image_has_its_page_and_the_caption_below_it(parser: WorkerParser) -> None:
    texts = [
        (100, 700, "Figure 9. A caption far away from the image."),
        (100, 540, "The text right above the image, a whole sentence."),
        (100, 385, CAPTION),
        (100, 300, "The text that follows the caption of the image."),
    ]
    image = only_image(parser, pdf_with_image(texts), "pdf")
    assert (image.page, image.caption, image.is_page) == (1, CAPTION, False)
    assert image.nearby_text.splitlines()[-2:] == [
        "The text right above the image, a whole sentence.",
        "The text that follows the caption of the image.",
    ]


def test_a_soft_mask_of_a_pdf_is_no_image_and_lets_the_paper_through(parser: WorkerParser) -> None:
    mask = bytes(0 if x < 32 else 255 for _ in range(56) for x in range(64))
    mask_object = (
        b"<< /Type /XObject /Subtype /Image /Width 64 /Height 56 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Length 3584 >>\nstream\n" + mask + b"\nendstream"
    )
    texts = [(100, 700, "A page with a whole sentence of text on it.")]
    content = pdf_with_image(texts, extra="/SMask 7 0 R", more=(mask_object,))
    (image,) = read(parser, content, "pdf").images
    rows = pixels(image.content)
    paint = picture()
    assert rows[5][5] == (255, 255, 255)
    assert rows[5][50] == paint(50, 5)
