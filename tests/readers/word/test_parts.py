"""Parts of Word files in other encodings and spellings are read as Word reads them."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.errors import UnreadableDocument
from tests.readers.office import docx_parts, package, paragraph, run

_DOCUMENT = "word/document.xml"


def _texts(parser: WorkerParser, document: str | bytes, **parts: str) -> list[str]:
    whole = docx_parts() | {_DOCUMENT: document} | {f"word/{name}.xml": text for name, text in parts.items()}
    return [block.text for block in parser.parse(package(whole), "docx").blocks]


def _document(*body: str) -> str:
    return str(docx_parts(*body)[_DOCUMENT])


def test_a_part_in_utf_16_is_read(parser: WorkerParser) -> None:
    text = _document(paragraph(run("größer"))).replace('encoding="UTF-8"', 'encoding="UTF-16"')
    assert _texts(parser, text.encode("utf-16")) == ["größer"]


def test_brackets_in_attributes_and_comments_do_not_end_a_run(parser: WorkerParser) -> None:
    hidden = run("SECRET", '<w:lang w:val="a>b"/><w:vanish/>').replace("</w:t>", "</w:t><!-- </w:r> -->")
    assert _texts(parser, _document(paragraph(hidden, run("kept"), '<w:r w:rsid="1>2"/>'))) == ["kept"]


def test_numbers_and_hidden_text_of_footnotes_are_those_of_the_file(parser: WorkerParser) -> None:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    item = paragraph(run("by "), run("SECRET", '<w:color w:val="FFFFFF"/>'), run("ferry"))
    item = item.replace("</w:pPr>", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>')
    numbering = (
        f'<w:numbering {space}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="4"/><w:lvlText '
        'w:val="%1)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    note = f'<w:footnotes {space}><w:footnote w:id="2">{item}</w:footnote></w:footnotes>'
    anchor = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    texts = _texts(parser, _document(paragraph(run("Go"), anchor)), footnotes=note, numbering=numbering)
    assert texts == ["Go^1", "^1 4) by ferry"]


def test_a_part_that_is_nested_beyond_measure_is_refused(parser: WorkerParser) -> None:
    deep = "<w:sdt>" * 5_000 + paragraph(run("x")) + "</w:sdt>" * 5_000
    with pytest.raises(UnreadableDocument, match="nested too deeply"):
        _texts(parser, _document(deep, paragraph(*[run(str(number)) for number in range(2_000)])))


def test_a_document_under_another_name_is_read(parser: WorkerParser) -> None:
    parts = docx_parts(paragraph(run("kept"), run("SECRET", "<w:vanish/>")))
    renamed = {
        name.replace("word/document.xml", "word/document2.xml").replace("/document.xml.rels", "/document2.xml.rels"): (
            text.replace("word/document.xml", "word/document2.xml") if isinstance(text, str) else text
        )
        for name, text in parts.items()
    }
    assert "word/document2.xml" in renamed
    assert [block.text for block in parser.parse(package(renamed), "docx").blocks] == ["kept"]
