"""Content of cells that a person does not see is left out, and its sheet counted."""

import io
import re
import zipfile

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import ParsedDocument, ReadingDefect
from tests.readers.office import package, xlsx

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = f'xmlns="{_SHEET}" xmlns:r="{_RELATION}"'
_SECRET = "Pay nobody."
_RULE = (
    '<conditionalFormatting sqref="{}"><cfRule type="{}" dxfId="{}"><formula>{}</formula></cfRule>'
    "</conditionalFormatting>"
)
_DARK, _NOTHING, _WHITE_TEXT, _BOLD, _WHITE_CELL, _WHITE_ON_BLACK = range(6)
"""Conditional formats: a dark cell, no shown text, and others as named."""
_IN_TABLE = '<tableParts><tablePart r:id="rId1"/></tableParts>'
_SCHEME = "".join(
    f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>'
    for name, colour in (("dk1", "101010"), ("lt1", "FFFFFF"), ("dk2", "203040"), ("lt2", "E0E0E0"))
)
_THEME = f'<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:clrScheme>{_SCHEME}</a:clrScheme></a:theme>'
_TABLE = f'<table xmlns="{_SHEET}" ref="A1:B2"><tableStyleInfo name="{{}}"/></table>'
_MEDIUM = _TABLE.format("TableStyleMedium2")
_OWN_TABLES = (
    '<tableStyles><tableStyle name="Own"><tableStyleElement type="headerRow" dxfId="0"/></tableStyle></tableStyles>'
)


def _solid(colour: str) -> str:
    return f'<fill><patternFill patternType="solid"><fgColor {colour}/></patternFill></fill>'


def _styles(font: str, fill: str, code: str) -> str:
    """The formats 0 of all cells and 1 of the secret; conditional ones, see `_DARK` and those after it."""
    black = _solid('rgb="FF000000"')
    white = f"<font>{_WHITE}</font>"
    conditional = (
        f'<dxf>{black}</dxf><dxf><numFmt numFmtId="170" formatCode=";;;"/></dxf><dxf>{white}</dxf><dxf>'
        '<font><b/></font></dxf><dxf><fill><patternFill><bgColor rgb="FFFFFFFF"/></patternFill></fill></dxf>'
        f"<dxf>{white}{black}</dxf>"
    )
    cell = f'<xf fontId="1" fillId="1" numFmtId="{169 if code else 0}"/>'
    return (
        f'<styleSheet {_SPACES}><numFmts><numFmt numFmtId="169" formatCode="{code}"/></numFmts><fonts><font/>'
        f"<font>{font}</font></fonts><fills><fill/>{fill or '<fill/>'}</fills><borders><border/></borders><cellXfs>"
        f"<xf/>{cell}</cellXfs><dxfs>{conditional}</dxfs>{_OWN_TABLES}</styleSheet>"
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
    relation = f'<Relationship Id="{{0}}" Type="{_RELATION}/{{1}}" Target="../tables/{{1}}"/>'
    related = relation.format("rId1", "table") + relation.format("rId9", "image")
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = f'<Relationships xmlns="{space}">{related}</Relationships>'
    parts |= {f"xl/tables/{name}": more[name] for name in ("table", "image") if name in more}
    if "strict" in more:
        parts = {name: _strict(str(text)) for name, text in parts.items()}
    return parser.parse(package(parts), "xlsx")


def _strict(text: str) -> str:
    """The part in the strict form of the standard, which has other namespaces."""
    text = re.sub(r"http://schemas.openxmlformats.org/(\w+ml)/2006/(\w+)", r"http://purl.oclc.org/ooxml/\1/\2", text)
    return text.replace(_RELATION, "http://purl.oclc.org/ooxml/officeDocument/relationships")


_WHITE = '<color rgb="FFFFFFFF"/>'
_NUMBER = '<c s="1"><v>42</v></c>'
_SHARED = '<c s="1" t="s"><v>0</v></c>'
_TEXTS = f"<sst {_SPACES}><si>{{}}</si></sst>"
_RUN = '<r><rPr>{}</rPr><t xml:space="preserve">{}</t></r>'
_INLINE = '<c s="1" t="inlineStr"><is>{}</is></c>'
_MANY = " ".join(f"Z{row}" for row in range(1, 1_500))
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
    "white in the strict form": {"font": _WHITE, "strict": "yes"},
    "white under conditions that never hold": {
        "font": _WHITE,
        "after": "".join(
            _RULE.format("B1:B9", "expression", _DARK, formula)
            for formula in ("1=2", "FALSE", "=FALSE()", "0", " 2 &lt; 1", '"a"="b"', "NOT(TRUE)", "2.5&lt;=-1")
        ),
    },
    "white under conditions that change no colour": {
        "font": _WHITE,
        "after": _RULE.format("A1:B9", "expression", _BOLD, "A1=1")
        + _RULE.format("A1:B9", "expression", _WHITE_CELL, "A1=1"),
    },
    "white text under a scale of colours for numbers": {
        "font": _WHITE,
        "after": '<conditionalFormatting sqref="A1:B9"><cfRule type="colorScale"><colorScale/></cfRule>'
        "</conditionalFormatting>",
    },
    "white where many areas have conditions": {
        "font": _WHITE,
        "after": _RULE.format(_MANY, "expression", _DARK, "A1=1"),
    },
    "black that a condition makes white": {"after": _RULE.format("B1", "expression", _WHITE_TEXT, "1=1")},
    "black that an uncertain condition makes white": {
        "after": _RULE.format("B1", "expression", _WHITE_TEXT, "NOT(FALSE)"),
    },
    "a black cell that a condition makes white": {
        "font": _WHITE,
        "fill": _solid('rgb="FF000000"'),
        "after": _RULE.format("B1", "expression", _WHITE_CELL, "TRUE"),
    },
    "black that a condition after many areas hides": {
        "after": _RULE.format(_MANY, "expression", _NOTHING, "A1=1")
        + _RULE.format("B1", "expression", _NOTHING, "TRUE"),
    },
    "white parts of a text": {"secret": _SHARED, "shared": _TEXTS.format(_RUN.format(_WHITE, _SECRET))},
    "tiny parts of a text": {"secret": _SHARED, "shared": _TEXTS.format(_RUN.format('<sz val="1"/>', _SECRET))},
    "white parts of a white text": {
        "font": _WHITE,
        "secret": _SHARED,
        "shared": _TEXTS.format(f"<r><t>Pay</t></r>{_RUN.format(_WHITE, ' nobody.')}"),
    },
    "white parts of a text in the cell": {"secret": _INLINE.format(_RUN.format(_WHITE, _SECRET))},
    "white over a picture that is missing": {"font": _WHITE, "after": '<picture r:id="rId9"/>'},
    "white over a picture of no relation": {"font": _WHITE, "after": '<picture r:id="rId8"/>', "image": "png"},
    "white in a table without fills": {
        "font": _WHITE,
        "after": _IN_TABLE,
        "table": _TABLE.format("TableStyleLight1"),
    },
    "white in a table of an unknown style": {"font": _WHITE, "after": _IN_TABLE, "table": _TABLE.format("Other")},
    "white below the first row of a table": {
        "font": _WHITE,
        "after": _IN_TABLE,
        "table": _MEDIUM.replace("A1:B2", "A0:B1"),
    },
    "white on white in a table": {
        "font": _WHITE,
        "fill": _solid('theme="0"'),
        "after": _IN_TABLE,
        "table": _MEDIUM,
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
        "table": _MEDIUM,
    },
    "white over a picture": {"font": _WHITE, "after": '<picture r:id="rId9"/>', "image": "png"},
    "white in a table of a style of the workbook": {
        "font": _WHITE,
        "after": _IN_TABLE,
        "table": _TABLE.format("Own"),
    },
    "white in a dark table": {"font": _WHITE, "after": _IN_TABLE, "table": _TABLE.format("TableStyleDark3")},
    "white that a condition puts on black": {
        "font": _WHITE,
        "after": _RULE.format("A1:B9", "expression", _WHITE_ON_BLACK, "TRUE"),
    },
    "black where a condition may make it white": {"after": _RULE.format("A1:B9", "expression", _WHITE_TEXT, "A1=1")},
    "white where a value may colour the cell": {
        "font": _WHITE,
        "after": _RULE.format("A1:B9", "cellIs", _DARK, "&quot;red&quot;"),
    },
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


@pytest.mark.parametrize("is_shared", [True, False])
def test_only_the_unseen_part_of_a_text_is_left_out(parser: WorkerParser, *, is_shared: bool) -> None:
    runs = _RUN.format("<b/>", "Seen") + _RUN.format(_WHITE, _SECRET) + _RUN.format('<color rgb="FF0000FF"/>', " too")
    shared = _TEXTS.format(runs)
    document = _parsed(parser, secret=_SHARED if is_shared else _INLINE.format(runs), shared=shared)
    assert _texts(document) == "Tariffs\nShown | Seen too"
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}


def test_each_cell_gives_the_part_of_a_shared_text_that_it_shows(parser: WorkerParser) -> None:
    runs = _RUN.format("<b/>", "Seen ") + _RUN.format(_WHITE, "on black")
    document = _parsed(
        parser,
        fill=_solid('rgb="FF000000"'),
        font=_WHITE,
        secret='<c t="s"><v>0</v></c><c s="1" t="s"><v>0</v></c>',
        shared=_TEXTS.format(runs),
    )
    assert _texts(document) == "Tariffs\nShown | Seen | on black"


def test_the_texts_are_those_of_the_part_that_the_workbook_names(parser: WorkerParser) -> None:
    with zipfile.ZipFile(io.BytesIO(xlsx({"Tariffs": [["x"]]}))) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name).decode() for name in archive.namelist()}
    relation = f'<Relationship Id="rId7" Type="{_RELATION}/sharedStrings" Target="texts.xml"/></Relationships>'
    book = "xl/_rels/workbook.xml.rels"
    parts[book] = str(parts[book]).replace("</Relationships>", relation)
    parts["xl/worksheets/sheet1.xml"] = (
        f'<worksheet {_SPACES}><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>'
    )
    parts |= {"xl/sharedStrings.xml": _TEXTS.format(f"<t>{_SECRET}</t>"), "xl/texts.xml": _TEXTS.format("<t>Seen</t>")}
    assert _texts(parser.parse(package(parts), "xlsx")) == "Tariffs\nSeen"


def test_a_sheet_in_another_folder_hides_what_nobody_sees(parser: WorkerParser) -> None:
    with zipfile.ZipFile(io.BytesIO(xlsx({"Tariffs": [["x", "SECRET"]]}, hidden_columns=frozenset({2})))) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name).decode() for name in archive.namelist()}
    book = "xl/_rels/workbook.xml.rels"
    parts[book] = str(parts[book]).replace("worksheets/sheet1", "other/sheet1")
    parts["xl/other/sheet1.xml"] = parts.pop("xl/worksheets/sheet1.xml")
    assert "SECRET" not in _texts(parser.parse(package(parts), "xlsx"))


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


@pytest.mark.parametrize("is_shared", [True, False])
def test_raised_and_struck_parts_of_a_cell_join_nothing(parser: WorkerParser, *, is_shared: bool) -> None:
    raised, struck = '<vertAlign val="superscript"/>', '<strike val="1"/>'
    parts = (("", "75"), (raised, "2"), ("<b/>", " m"), (raised, "3"), ("<b/>", " now "), (struck, "18"), ("", "21"))
    runs = "".join(_RUN.format(*part) for part in parts)
    document = _parsed(parser, secret=_SHARED if is_shared else _INLINE.format(runs), shared=_TEXTS.format(runs))
    assert _texts(document) == "Tariffs\nShown | 75^2 m³ now 21"


@pytest.mark.parametrize("cell", [_NUMBER, _INLINE.format(f"<t>{_SECRET}</t>")])
def test_a_struck_cell_is_left_out(parser: WorkerParser, cell: str) -> None:
    assert _texts(_parsed(parser, font="<strike/>", secret=cell)) == "Tariffs\nShown"


@pytest.mark.parametrize("height", ["0", "0.0", ".0"])
def test_a_row_without_height_is_hidden_and_counted(parser: WorkerParser, height: str) -> None:
    with zipfile.ZipFile(io.BytesIO(xlsx({"Tariffs": [["kept"], ["x"]]}))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    cell = '<c r="A2" t="str"><v>SECRET</v></c>'
    parts[sheet] = re.sub(
        r'<row r="2".*?</row>', f'<row r="2" ht="{height}" customHeight="1">{cell}</row>', parts[sheet]
    )
    document = parser.parse(package(parts), "xlsx")
    assert "SECRET" not in "".join(block.text for block in document.blocks)
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}
