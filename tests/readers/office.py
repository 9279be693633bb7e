"""Small office files made with the standard library: only the parts that a reader looks at."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from xml.sax.saxutils import escape

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_PACKAGE_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
CHART_OF_2016 = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_VENDOR = "application/vnd.openxmlformats-officedocument"


def package(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts, the same bytes each time."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            archive.writestr(entry, content)
    return target.getvalue()


def _content_types(overrides: Mapping[str, str]) -> str:
    rows = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in overrides.items())
    return (
        f'{_XML}<Types xmlns="{_TYPES}">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    """Relations rId1, rId2, … to (kind, target)."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{_RELATION}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE_RELATIONS}">{rows}</Relationships>'


def chart_of_2016(title: str, levels: Sequence[Sequence[str]], series: Mapping[str, Sequence[str]]) -> str:
    """A chart of one of the kinds of 2016; the categories have one level or more, the narrowest first."""
    texts = "".join(f"<cx:lvl>{_chart_points(level)}</cx:lvl>" for level in levels)
    data = "".join(
        f'<cx:data id="{number}"><cx:strDim type="cat"><cx:f>A</cx:f>{texts}</cx:strDim><cx:numDim type="val">'
        f"<cx:lvl>{_chart_points(values)}</cx:lvl></cx:numDim></cx:data>"
        for number, values in enumerate(series.values())
    )
    drawn = "".join(
        f'<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>B</cx:f><cx:v>{name}</cx:v></cx:txData></cx:tx>'
        f'<cx:dataId val="{number}"/></cx:series>'
        for number, name in enumerate(series)
    )
    return (
        f'<cx:chartSpace xmlns:cx="{CHART_OF_2016}" xmlns:a="{_DRAWING}"><cx:chartData>{data}</cx:chartData><cx:chart>'
        f"<cx:title><cx:tx><cx:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>"
        f"<cx:plotArea><cx:plotAreaRegion>{drawn}</cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>"
    )


def _chart_points(values: Sequence[str]) -> str:
    return "".join(f'<cx:pt idx="{index}">{value}</cx:pt>' for index, value in enumerate(values))


# --- Word ---------------------------------------------------------------------------------------------------


def run(text: str, properties: str = "") -> str:
    """A run of text; `properties` is raw XML such as `<w:vanish/>`."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str, style: str = "Normal") -> str:
    """A Word paragraph of these runs."""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{"".join(runs)}</w:p>'


def heading(level: int, text: str) -> str:
    """A Word heading."""
    return paragraph(run(text), style=f"Heading{level}")


def word_table(rows: Sequence[Sequence[str]]) -> str:
    """A Word table."""
    body = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(run(cell))}</w:tc>" for cell in cells) + "</w:tr>" for cells in rows
    )
    return f"<w:tbl>{body}</w:tbl>"


def docx_parts(*body: str) -> dict[str, str | bytes]:
    """The parts of a Word file with this body."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in range(1, 7)
    )
    main = f"{_VENDOR}.wordprocessingml"
    return {
        "[Content_Types].xml": _content_types(
            {"word/document.xml": f"{main}.document.main+xml", "word/styles.xml": f"{main}.styles+xml"}
        ),
        "_rels/.rels": _relations([("officeDocument", "word/document.xml")]),
        "word/_rels/document.xml.rels": _relations([("styles", "styles.xml")]),
        "word/styles.xml": f'{_XML}<w:styles xmlns:w="{_WORD}">{styles}</w:styles>',
        "word/document.xml": f'{_XML}<w:document xmlns:w="{_WORD}" xmlns:r="{_RELATION}"><w:body>{"".join(body)}'
        "</w:body></w:document>",
    }


def docx(*body: str) -> bytes:
    """A Word file with this body."""
    return package(docx_parts(*body))


# --- Excel --------------------------------------------------------------------------------------------------


def xlsx(
    sheets: Mapping[str, Sequence[Sequence[str]]],
    hidden: frozenset[str] = frozenset(),
    hidden_rows: frozenset[int] = frozenset(),
    hidden_columns: frozenset[int] = frozenset(),
) -> bytes:
    """A workbook: sheet name to rows of text cells; rows and columns are hidden by number, from 1, in every sheet."""
    main = f"{_VENDOR}.spreadsheetml"
    names = list(sheets)
    files = {f"xl/worksheets/sheet{n}.xml": f"{main}.worksheet+xml" for n in range(1, len(names) + 1)}
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}"{_state(name in hidden)} r:id="rId{n}"/>'
        for n, name in enumerate(names, 1)
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types({"xl/workbook.xml": f"{main}.sheet.main+xml", **files}),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'{_XML}<workbook xmlns="{_SHEET}" xmlns:r="{_RELATION}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)]
        ),
    }
    columns = "".join(f'<col min="{at}" max="{at}" hidden="1"/>' for at in hidden_columns)
    head = f"<cols>{columns}</cols>" if columns else ""
    made = {name: _worksheet(sheets[title], head, hidden_rows) for name, title in zip(files, names, strict=True)}
    return package(parts | made)


def _state(hidden: bool) -> str:  # noqa: FBT001
    return ' state="hidden"' if hidden else ""


def _worksheet(rows: Sequence[Sequence[str]], head: str, hidden_rows: frozenset[int]) -> str:
    body = "".join(
        f'<row r="{y}" hidden="{int(y in hidden_rows)}">'
        + "".join(
            f'<c r="{chr(64 + x)}{y}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
            for x, cell in enumerate(cells, 1)
        )
        + "</row>"
        for y, cells in enumerate(rows, 1)
    )
    return f'{_XML}<worksheet xmlns="{_SHEET}">{head}<sheetData>{body}</sheetData></worksheet>'


# --- PowerPoint ---------------------------------------------------------------------------------------------


def shape(*paragraphs: str, placeholder: str = "") -> str:
    """A text shape; `placeholder` is "title", "body" or "" for a free text box."""
    kind = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    text = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr/>'
        f"<p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
    )


def slide_table(rows: Sequence[Sequence[str]]) -> str:
    """A table on a slide."""
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    body = "".join("<a:tr>" + "".join(cell.format(escape(text)) for text in cells) + "</a:tr>" for cells in rows)
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="t"/><p:cNvGraphicFramePr/><p:nvPr/>'
        "</p:nvGraphicFramePr><a:graphic><a:graphicData "
        f'uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>{body}</a:tbl></a:graphicData>'
        "</a:graphic></p:graphicFrame>"
    )


def _tree(root: str, shapes: Sequence[str], attributes: str = "") -> str:
    return (
        f'{_XML}<p:{root} xmlns:p="{_SLIDE}" xmlns:a="{_DRAWING}" xmlns:r="{_RELATION}" {attributes}><p:cSld><p:spTree>'
        f"<p:nvGrpSpPr/><p:grpSpPr/>{''.join(shapes)}</p:spTree></p:cSld></p:{root}>"
    )


def pptx(
    slides: Sequence[Sequence[str]],
    notes: Mapping[int, str],
    hidden: AbstractSet[int] = frozenset(),
    *,
    swapped: bool = False,
    charts: Mapping[int, str] | None = None,
) -> bytes:
    """A presentation: shapes per slide, and speaker notes or a chart (rId1) by 1-based slide number.

    With `swapped`, the show runs from the last to the first, and notes have other numbers than their slides.
    """
    main = f"{_VENDOR}.presentationml"
    numbers = range(1, len(slides) + 1)
    kinds = {"ppt/presentation.xml": f"{main}.presentation.main+xml"}
    kinds |= {f"ppt/slides/slide{n}.xml": f"{main}.slide+xml" for n in numbers}
    kinds |= {f"ppt/notesSlides/notesSlide{n}.xml": f"{main}.notesSlide+xml" for n in notes}
    shown = reversed(numbers) if swapped else numbers
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n}"/>' for n in shown)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types(kinds),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": f'{_XML}<p:presentation xmlns:p="{_SLIDE}" xmlns:r="{_RELATION}">'
        f"<p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": _relations([("slide", f"slides/slide{n}.xml") for n in numbers]),
    }
    for number, shapes in enumerate(slides, 1):
        parts[f"ppt/slides/slide{number}.xml"] = _tree("sld", shapes, 'show="0"' if number in hidden else "")
    for number, text in notes.items():
        file = f"notesSlides/notesSlide{len(slides) + 1 - number if swapped else number}.xml"
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations([("notesSlide", f"../{file}")])
        parts[f"ppt/{file}"] = _tree("notes", [shape(text, placeholder="body")])
    for number, text in (charts or {}).items():
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations([("chartEx", f"../charts/chart{number}.xml")])
        parts[f"ppt/charts/chart{number}.xml"] = text
    return package(parts)
