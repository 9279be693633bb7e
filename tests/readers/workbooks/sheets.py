"""Workbooks of one sheet made with the standard library, with the number format of each cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from tests.readers.office import package

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
FIRST_CODE = 200
"""Identifier of the first number format of a workbook's own."""


@dataclass(frozen=True)
class Cell:
    """A cell; its format is a code, or the number of a format that programs know."""

    value: float | str
    code: str | int = 0
    more: str = ""


def workbook(rows: Sequence[Sequence[Cell]], *, is_1904: bool = False, sheet: str = "Figures") -> bytes:
    """A workbook with these rows; empty rows and empty texts take their place."""
    codes = list(dict.fromkeys(cell.code for row in rows for cell in row if isinstance(cell.code, str)))
    own = {code: FIRST_CODE + place for place, code in enumerate(codes)}
    styles = list(dict.fromkeys([0, *(_identity(cell, own) for row in rows for cell in row)]))
    body = "".join(
        f'<row r="{y}">'
        + "".join(_cell(cell, x, y, styles.index(_identity(cell, own))) for x, cell in enumerate(row, 1))
        + "</row>"
        for y, row in enumerate(rows, 1)
    )
    return with_sheet(f"<sheetData>{body}</sheetData>", _styles(own, styles), is_1904=is_1904, sheet=sheet)


def with_sheet(content: str, styles: str = "", *, is_1904: bool = False, sheet: str = "Figures") -> bytes:
    """A workbook whose sheet has this XML."""
    return package(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
            f'ContentType="application/xml"/>{_override("workbook", "sheet.main")}{_override("styles", "styles")}'
            f"{_override('worksheets/sheet1', 'worksheet')}</Types>",
            "_rels/.rels": _relations({"officeDocument": "xl/workbook.xml"}),
            "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{_RELATION}">'
            f'<workbookPr date1904="{int(is_1904)}"/><sheets><sheet name="{sheet}" sheetId="1" r:id="worksheet"/>'
            "</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": _relations({"worksheet": "worksheets/sheet1.xml", "styles": "styles.xml"}),
            "xl/styles.xml": styles or _styles({}, [0]),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEET}">{content}</worksheet>',
        }
    )


def _identity(cell: Cell, own: Mapping[str, int]) -> int:
    return own[cell.code] if isinstance(cell.code, str) else cell.code


def _cell(cell: Cell, x: int, y: int, style: int) -> str:
    place = f'r="{chr(64 + x)}{y}" s="{style}"'
    if not isinstance(cell.value, str):
        return f"<c {place}>{cell.more}<v>{cell.value!r}</v></c>"
    return f'<c {place} t="inlineStr"><is><t>{escape(cell.value)}</t></is></c>' if cell.value else ""


def _styles(own: Mapping[str, int], styles: Sequence[int]) -> str:
    formats = "".join(f'<numFmt numFmtId="{number}" formatCode={quoteattr(code)}/>' for code, number in own.items())
    cells = "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>' for number in styles
    )
    return (
        f'<styleSheet xmlns="{SHEET}"><numFmts>{formats}</numFmts><fonts><font/></fonts><fills><fill/></fills><borders>'
        f"<border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>{cells}</cellXfs></styleSheet>"
    )


def _override(name: str, kind: str) -> str:
    return f'<Override PartName="/xl/{name}.xml" ContentType="{_TYPE}.{kind}+xml"/>'


def _relations(targets: Mapping[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="{kind}" Type="{_RELATION}/{kind}" Target="{name}"/>' for kind, name in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'
