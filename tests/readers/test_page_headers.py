"""A number or a revision that only the page header has is read once, and nothing else of page headers."""

import pytest

from groundwire_readers import WorkerParser
from tests.readers.office import docx_parts, heading, package, paragraph, run
from tests.readers.open_files import open_file
from tests.readers.pdf.drawing import drawn, lines, text

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_BODY = ["Torque", "Tighten to 12 Nm."]


def _field(name: str) -> str:
    begin, end = ('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', '<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    return f"{begin}<w:r><w:instrText> {name} </w:instrText></w:r>{run('7')}{end}"


def _docx(headers: dict[str, str], more: str = "", body: tuple[str, ...] = tuple(_BODY)) -> bytes:
    """A Word file with the paragraphs of a page header by its type."""
    used = "".join(f'<w:headerReference w:type="{kind}" r:id="rIdH{kind}"/>' for kind in headers)
    section = f"<w:sectPr>{used}{more}</w:sectPr>"
    parts = docx_parts(heading(1, body[0]), *(paragraph(run(line)) for line in body[1:]), section)
    related = "".join(
        f'<Relationship Id="rIdH{kind}" Type="{_KIND}/header" Target="{kind}.xml"/>' for kind in [*headers, "unused"]
    )
    relations = str(parts["word/_rels/document.xml.rels"]).replace("</Relationships>", f"{related}</Relationships>")
    unused = paragraph(run("Rule 99 of nobody"))
    written = {
        f"word/{kind}.xml": f'<w:hdr xmlns:w="{_WORD}">{content}</w:hdr>'
        for kind, content in ({"unused": unused} | headers).items()
    }
    return package({**parts, "word/_rels/document.xml.rels": relations, **written})


def _texts(parser: WorkerParser, content: bytes, extension: str) -> list[str]:
    return [block.text for block in parser.parse(content, extension).blocks]


def test_the_number_in_a_page_header_of_word_follows_the_first_heading(parser: WorkerParser) -> None:
    line = paragraph(run("Procedure HB-20-7 Revision D, page "), _field("PAGE"), run(" of "), _field("NUMPAGES"))
    content = _docx({"default": line + paragraph(run("Confidential"))})
    assert _texts(parser, content, "docx") == ["Torque", "Procedure HB-20-7 Revision D", "Tighten to 12 Nm."]


@pytest.mark.parametrize("kind", ["first", "even"])
def test_a_page_header_that_no_page_has_is_out(parser: WorkerParser, kind: str) -> None:
    assert _texts(parser, _docx({kind: paragraph(run("HB-20-7"))}), "docx") == _BODY


def test_the_page_header_of_a_first_page_is_read(parser: WorkerParser) -> None:
    content = _docx({"first": paragraph(run("HB-20-7"))}, "<w:titlePg/>")
    assert _texts(parser, content, "docx") == ["Torque", "HB-20-7", "Tighten to 12 Nm."]


def test_hidden_text_of_a_page_header_is_out(parser: WorkerParser) -> None:
    content = _docx({"default": paragraph(run("HB-20-7", "<w:vanish/>"))})
    assert _texts(parser, content, "docx") == _BODY


def test_a_number_that_the_body_has_is_not_repeated(parser: WorkerParser) -> None:
    content = _docx({"default": paragraph(run("Torque, 12 Nm"))})
    assert _texts(parser, content, "docx") == _BODY


def test_the_cells_of_a_page_header_are_one_line(parser: WorkerParser) -> None:
    cells = "".join(f"<w:tc>{paragraph(run(cell))}</w:tc>" for cell in ("Number", "HB-20-7", "Rev. D"))
    content = _docx({"default": f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"})
    assert _texts(parser, content, "docx")[1] == "Number HB-20-7 Rev. D"


def test_the_number_in_a_page_header_of_an_open_document_is_read_once(parser: WorkerParser) -> None:
    master = (
        '<style:master-page style:name="{}"><style:header><text:p>{}, page <text:page-number>7</text:page-number>'
        "</text:p></style:header></style:master-page>"
    )
    masters = master.format("Standard", "HB-20-7") + master.format("Unused", "Rule 99 of nobody")
    body = "".join(f"<text:p>{line}</text:p>" for line in _BODY)
    assert _texts(parser, open_file("text", body, masters=masters), "odt") == ["HB-20-7", *_BODY]


def test_the_number_in_a_page_header_of_rich_text_is_read_once(parser: WorkerParser) -> None:
    counted = rb"{\field{\*\fldinst { PAGE }}{\fldrslt {7}}}"
    header = rb"{\header \pard Procedure HB-20-7, page %b\par}{\footer \pard Confidential\par}" % counted
    content = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}%b\pard Torque\par Tighten to 12 Nm.\par}" % header
    assert _texts(parser, content, "rtf") == ["Procedure HB-20-7", *_BODY]


def test_the_number_in_a_running_header_of_a_pdf_is_read_once(parser: WorkerParser) -> None:
    body = lines(72, 600, ["Tighten the nuts of the pump to the torque", "of the table, and mark them."])
    pages = [text(72, 760, f"Procedure HB-20-7, page {page}", 8) + body for page in range(1, 5)]
    texts = _texts(parser, drawn(pages), "pdf")
    assert [line for line in texts if "HB-20-7" in line] == ["Procedure HB-20-7"]
