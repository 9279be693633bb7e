"""Tables of contents of Word files repeat headings: they are left out, as furniture is."""

import pytest

from groundwire_readers import WorkerParser
from tests.readers.office import docx_parts, heading, package, paragraph, run

_TAB = "<w:r><w:tab/></w:r>"
_STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{name}"/></w:style>'
    for identity, name in (("Verzeichnis1", "toc 1"), ("Kopf", "TOC Heading"), ("Bilder", "table of figures"))
)
_BODY = [heading(1, "Scope"), paragraph(run("For all.")), heading(1, "Rules"), paragraph(run("Be kind."))]
_TEXTS = ["Scope", "For all.", "Rules", "Be kind."]


def _texts(parser: WorkerParser, *body: str) -> list[str]:
    parts = docx_parts(*body)
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", f"{_STYLES}</w:styles>")
    return [block.text for block in parser.parse(package(parts), "docx").blocks]


def _entry(text: str, page: str = "3", number: str = "", style: str = "Verzeichnis1") -> str:
    label = run(number) + _TAB if number else ""
    return paragraph(label, run(text), _TAB, run(page), style=style)


def _gallery(*content: str) -> str:
    properties = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{''.join(content)}</w:sdtContent></w:sdt>"


@pytest.mark.parametrize(
    "contents",
    [
        [paragraph(run("Inhalt der Datei"), style="Kopf"), _entry("Scope"), _entry("Rules", "iv")],
        [heading(1, "Table of Contents"), _entry("Scope", number="1."), _entry("Rules", number="1.2")],
        [_gallery(paragraph(run("Contents")), _entry("Scope", style="Normal"), _entry("Rules", style="Normal"))],
        [_entry("1 Scope"), _entry("Rules"), _entry("A section that was renamed since")],
    ],
)
def test_contents_that_repeat_headings_are_left_out_with_their_title(parser: WorkerParser, contents: list[str]) -> None:
    assert _texts(parser, *contents, *_BODY) == _TEXTS


def test_a_table_of_figures_that_repeats_captions_is_left_out(parser: WorkerParser) -> None:
    caption = paragraph(run("Figure 1: Our quay"))
    assert _texts(parser, _entry("Figure 1: Our quay", style="Bilder"), *_BODY, caption) == [
        *_TEXTS,
        "Figure 1: Our quay",
    ]


def test_contents_of_other_documents_are_kept_whole(parser: WorkerParser) -> None:
    contents = [paragraph(run("Contents"), style="Kopf"), *map(_entry, ("Scope", "Tariffs", "Fees"))]
    assert _texts(parser, *contents, *_BODY) == ["Contents", "Scope 3", "Tariffs 3", "Fees 3", *_TEXTS]


def test_text_after_contents_whose_field_ends_in_an_entry_is_kept(parser: WorkerParser) -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    instruction = mark.format("begin") + "<w:r><w:instrText>TOC \\o</w:instrText></w:r>" + mark.format("separate")
    first = _entry("Scope").replace("</w:pPr>", f"</w:pPr>{instruction}")
    last = _entry("Rules").replace("</w:p>", f"{mark.format('end')}</w:p>")
    assert _texts(parser, first, last, *_BODY) == _TEXTS
