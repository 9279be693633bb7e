"""Content of cells that a person does not see is left out, and its sheet counted."""

import io
import zipfile

import pytest

from groundwire.adapters.parse import WorkerParser
from groundwire.domain.documents.parsed import ParsedDocument, ReadingDefect
from tests.parse.office import package, xlsx

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = f'xmlns="{_SHEET}" xmlns:r="{_RELATION}"'
_SECRET = "Pay nobody."
_RULE = (
    '<conditionalFormatting sqref="{}"><cfRule type="{}" dxfId="{}"><formula>{}</formula></cfRule>'
    "</conditionalFormatting>"
)
_IN_TABLE = '<tableParts><tablePart r:id="rId1"/></tableParts>'
_SCHEME = "".join(
    f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>'
    for name, colour in (("dk1", "101010"), ("lt1", "FFFFFF"), ("dk2", "203040"), ("lt2", "E0E0E0"))
)
_THEME = f'<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:clrScheme>{_SCHEME}</a:clrScheme></a:theme>'
_TABLE = '<table {} ref="A1:B2"><tableStyleInfo name="TableStyleMedium2"/></table>'.format(f'xmlns="{_SHEET}"')


def _solid(colour: str) -> str:
    return f'<fill><patternFill patternType="solid"><fgColor {colour}/></patternFill></fill>'


def _styles(font: str, fill: str, code: str) -> str:
    """The formats 0 of all cells and 1 of the secret; conditional ones of a dark fill and of no shown text."""
    black = _solid('rgb="FF000000"')
    conditional = f'<dxf>{black}</dxf><dxf><numFmt numFmtId="170" formatCode=";;;"/></dxf>'
    cell = f'<xf fontId="1" fillId="1" numFmtId="{169 if code else 0}"/>'
    return (
        f'<styleSheet {_SPACES}><numFmts><numFmt numFmtId="169" formatCode="{code}"/></numFmts><fonts><font/>'
        f"<font>{font}</font></fonts><fills><fill/>{fill or '<fill/>'}</fills><borders><border/></borders><cellXfs>"
        f"<xf/>{cell}</cellXfs><dxfs>{conditional}</dxfs></styleSheet>"
    )


def _parsed(
    parser: WorkerParser,
    font: str = "",
    fill: str = "",
    code: str = "",
    secret: str = f'<c s="1" t="inlineStr"><is><t>{_SECRET}</t></is></c>',
    **more: str,
) -> ParsedDocument:
    """A sheet with a shown cell and the secret; `more` is XML after its cells (`after`), and other parts."""
    with zipfile.ZipFile(io.BytesIO(xlsx({"Tariffs": [["x"]]}))) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name).decode() for name in archive.namelist()}
    added = {"styles": _styles(font, fill, code), "theme": _THEME, "sharedStrings": more.get("shared", "")}
    relations = "".join(f'<Relationship Id="{name}" Type="{_RELATION}/{name}" Target="{name}.xml"/>' for name in added)
    for name, text in added.items():
        parts |= {f"xl/{name}.xml": text} if text else {}
    book = "xl/_rels/workbook.xml.rels"
    parts[book] = str(parts[book]).replace("</Relationships>", f"{relations}</Relationships>")
    shown = '<c t="inlineStr"><is><t>Shown</t></is></c>'
    parts["xl/worksheets/sheet1.xml"] = (
        f"<worksheet {_SPACES}><sheetData><row>{shown}{secret}</row></sheetData>{more.get('after', '')}</worksheet>"
    )
    if "table" in more:
        relation = f'<Relationship Id="rId1" Type="{_RELATION}/table" Target="../tables/table1.xml"/>'
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        parts["xl/worksheets/_rels/sheet1.xml.rels"] = f'<Relationships xmlns="{space}">{relation}</Relationships>'
        parts["xl/tables/table1.xml"] = more["table"]
    return parser.parse(package(parts), "xlsx")


_WHITE = '<color rgb="FFFFFFFF"/>'
_NUMBER = '<c s="1"><v>42</v></c>'
_SHARED = '<c s="1" t="s"><v>0</v></c>'
_TEXTS = f"<sst {_SPACES}><si>{{}}</si></sst>"
_HIDDEN: dict[str, dict[str, str]] = {
    "white": {"font": _WHITE},
    "white of the palette": {"font": '<color indexed="9"/>'},
    "white of the theme": {"font": '<color theme="0"/>'},
    "nearly white by a tint": {"font": '<color theme="1" tint="0.99"/>'},
    "white on white": {"font": _WHITE, "fill": _solid('theme="0"')},
    "dark on the same dark": {"font": '<color theme="3"/>', "fill": _solid('rgb="FF203040"')},
    "automatic on black": {"fill": _solid('rgb="FF000000"')},
    "white number": {"font": _WHITE, "secret": _NUMBER},
    "white shared text": {"font": _WHITE, "secret": _SHARED, "shared": _TEXTS.format(f"<t>{_SECRET}</t>")},
    "tiny": {"font": '<sz val="1"/>'},
    "a format that shows nothing": {"code": ";;;"},
    "a format that shows empty texts": {"code": "&quot;&quot;;[Red];&quot;&quot;; "},
    "a format that shows no numbers": {"code": ";;", "secret": _NUMBER},
    "a format under a condition that always holds": {"after": _RULE.format("B1:B9", "expression", 1, "TRUE")},
    "white beside a condition": {"font": _WHITE, "after": _RULE.format("C1:D9", "expression", 0, "A1=1")},
    "white on white in a table": {
        "font": _WHITE,
        "fill": _solid('theme="0"'),
        "after": _IN_TABLE,
        "table": _TABLE,
    },
}
_VISIBLE: dict[str, dict[str, str]] = {
    "white on a dark cell": {"font": _WHITE, "fill": _solid('theme="3"')},
    "white on a cell that a tint makes dark": {"font": _WHITE, "fill": _solid('theme="0" tint="-0.5"')},
    "white on a pattern": {"font": _WHITE, "fill": '<fill><patternFill patternType="gray125"/></fill>'},
    "white on several colours": {"font": _WHITE, "fill": "<fill><gradientFill/></fill>"},
    "white where a condition may colour the cell": {
        "font": _WHITE,
        "after": _RULE.format("A1:B9", "expression", 0, "A1=1"),
    },
    "white in a table with a style": {
        "font": _WHITE,
        "after": _IN_TABLE,
        "table": _TABLE,
    },
    "white over a picture": {"font": _WHITE, "after": '<picture r:id="rId9"/>'},
    "a text of a format without numbers": {"code": ";;"},
    "a format for zeros": {"code": "0;-0;;@"},
    "a format under another condition": {"after": _RULE.format("A1:B9", "expression", 1, "A1=1")},
    "a text with a colour of its own": {
        "font": _WHITE,
        "secret": _SHARED,
        "shared": _TEXTS.format(f'<r><rPr><color rgb="FF0000FF"/></rPr><t>{_SECRET}</t></r>'),
    },
    "a text in the cell with a colour of its own": {
        "font": _WHITE,
        "secret": f'<c s="1" t="inlineStr"><is><r><rPr><color rgb="FF0000FF"/></rPr><t>{_SECRET}</t></r></is></c>',
    },
}


def _texts(document: ParsedDocument) -> str:
    return "\n".join(block.text for block in document.blocks)


@pytest.mark.parametrize("hidden", _HIDDEN)
def test_what_a_person_does_not_see_in_a_cell_is_left_out_and_its_sheet_counted(
    parser: WorkerParser, hidden: str
) -> None:
    document = _parsed(parser, **_HIDDEN[hidden])
    assert _texts(document) in ("Tariffs\nShown", "Tariffs")
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}


@pytest.mark.parametrize("visible", _VISIBLE)
def test_what_a_person_sees_in_a_cell_is_read(parser: WorkerParser, visible: str) -> None:
    document = _parsed(parser, **_VISIBLE[visible])
    assert _texts(document) == f"Tariffs\nShown | {_SECRET}"
    assert document.defects == {}


def test_a_hidden_cell_with_an_empty_value_leaves_the_row_whole(parser: WorkerParser) -> None:
    secret = '<c s="1" t="str"><f>A1</f><v/></c><c t="inlineStr"><is><t>too</t></is></c>'
    assert _texts(_parsed(parser, font=_WHITE, secret=secret)) == "Tariffs\nShown | too"


def test_a_workbook_with_a_sheet_of_macros_is_read_without_it(parser: WorkerParser) -> None:
    with zipfile.ZipFile(io.BytesIO(xlsx({"Tariffs": [["a"]], "Macro": [["SECRET"]]}))) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name).decode() for name in archive.namelist()}
    name = "xl/_rels/workbook.xml.rels"
    first, second = str(parts[name]).split('Id="rId2"')
    kind = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"
    second = second.replace(f"{_RELATION}/worksheet", kind).replace("worksheets/", "macrosheets/")
    parts[name] = f'{first}Id="rId2"{second}'
    parts["xl/macrosheets/sheet2.xml"] = parts.pop("xl/worksheets/sheet2.xml")
    assert [block.text for block in parser.parse(package(parts), "xlsm").blocks] == ["Tariffs", "a"]
