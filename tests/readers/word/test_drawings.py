"""Drawings of Word files: charts as rows, diagrams and text boxes as text, each once and in its place."""

from collections.abc import Callable, Mapping

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind, ParsedDocument, ReadingDefect
from groundwire_readers.dispatch import read_document
from tests.readers.office import CHART_OF_2016, chart_of_2016, docx, docx_parts, package, paragraph, run, word_table
from tests.readers.steps import MOST_GROWTH
from tests.support.documents.step_count import growth_of_steps

_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def _points(*values: str) -> str:
    return "".join(f'<c:pt idx="{index}"><c:v>{value}</c:v></c:pt>' for index, value in enumerate(values))


def _chart(title: str, name: str, values: Mapping[str, str], code: str = "General") -> str:
    numbers = (
        f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{_points(*values.values())}</c:numCache></c:numRef>"
    )
    return (
        f'<c:chartSpace xmlns:c="{_CHART}" xmlns:a="{_DRAWING}"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{title}'
        f"</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx>{_points(name)}</c:tx>"
        f"<c:cat>{_points(*values)}</c:cat><c:val>{numbers}</c:val></c:ser></c:barChart></c:plotArea>"
        "</c:chart></c:chartSpace>"
    )


_FILES = {"charts": "charts/chart1.xml", "diagrams": "diagrams/data1.xml"}


def _drawn(inside: str) -> str:
    return f"<w:r><w:drawing>{inside}</w:drawing></w:r>"


_FIRST = _drawn(f'<c:chart xmlns:c="{_CHART}" r:id="rId8"/>')
_SECOND = _drawn(f'<d:relIds xmlns:d="{_DIAGRAM}" r:dm="rId9"/>')


def _parsed(parser: WorkerParser, *body: str, **parts: str) -> ParsedDocument:
    relation = '<Relationship Id="{}" Type="{}/{}" Target="{}"/>'
    added = relation.format("rId8", _RELATION, "chart", "charts/chart1.xml")
    added += relation.format("rId9", _RELATION, "diagramData", "diagrams/data1.xml")
    found = docx_parts(*body)
    name = "word/_rels/document.xml.rels"
    found[name] = str(found[name]).replace("</Relationships>", f"{added}</Relationships>")
    found |= {f"word/{_FILES[folder]}": text for folder, text in parts.items()}
    return parser.parse(package(found), "docx")


def test_a_chart_is_a_table_after_the_paragraph_that_holds_it(parser: WorkerParser) -> None:
    chart = _chart("Sales", "2024 &amp; on", {"north": "4.4000000000000004", "south": "12"})
    body = [paragraph(run("before "), _FIRST, run("it")), paragraph(run("after"))]
    document = _parsed(parser, *body, charts=chart)
    assert [block.text for block in document.blocks if not block.rows] == ["before it", "Sales", "after"]
    assert document.blocks[2].rows == (("", "2024 & on"), ("north", "4.4"), ("south", "12"))


def test_figures_of_a_chart_are_as_it_shows_them(parser: WorkerParser) -> None:
    chart = _chart("Sales", "2024", {"north": "0.182", "0.5": "0.5"}, "0.0%")
    document = _parsed(parser, paragraph(run("x"), _FIRST), charts=chart)
    assert document.blocks[2].rows == (("", "2024"), ("north", "18.2%"), ("0.5", "50.0%"))


def test_a_chart_of_a_newer_kind_is_a_table_with_a_column_for_each_level(parser: WorkerParser) -> None:
    levels = [["Oslo", "Bergen", "Rome"], ["Norway", "Norway", "Italy"]]
    chart = chart_of_2016("Sales", levels, {"2024": ["1", "2", "3"], "2025": ["4", "5"]})
    drawn = _drawn(f'<cx:chart xmlns:cx="{CHART_OF_2016}" r:id="rId8"/>')
    document = _parsed(parser, paragraph(run("Figures"), drawn), charts=chart)
    assert [block.text for block in document.blocks if not block.rows] == ["Figures", "Sales"]
    assert document.blocks[2].rows == (
        ("", "", "2024", "2025"),
        ("Norway", "Oslo", "1", "4"),
        ("Norway", "Bergen", "2", "5"),
        ("Italy", "Rome", "3", ""),
    )


def test_a_chart_that_many_paragraphs_draw_is_written_once(parser: WorkerParser) -> None:
    document = _parsed(parser, *[paragraph(run("x"), _FIRST)] * 3, charts=_chart("Sales", "y", {"north": "1"}))
    assert [block.kind for block in document.blocks].count(BlockKind.TABLE) == 1


def test_a_chart_in_a_hidden_run_is_left_out_and_counted(parser: WorkerParser) -> None:
    hidden = _FIRST.replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    document = _parsed(parser, paragraph(run("seen"), hidden), charts=_chart("Sales", "y", {"north": "1"}))
    assert [block.text for block in document.blocks] == ["seen"]
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}


def test_each_drawing_of_a_hidden_run_is_left_out(parser: WorkerParser) -> None:
    both = "<w:r><w:rPr><w:vanish/></w:rPr><w:drawing><w:x>{}</w:x><w:x>{}</w:x></w:drawing></w:r>"
    charts = (f'<c:chart xmlns:c="{_CHART}" r:id="rId8"/>', f'<d:relIds xmlns:d="{_DIAGRAM}" r:dm="rId9"/>')
    data = f'<d:m xmlns:d="{_DIAGRAM}" xmlns:a="{_DRAWING}"><a:p><a:r><a:t>SECRET</a:t></a:r></a:p></d:m>'
    hidden = both.format(*charts)
    document = _parsed(parser, paragraph(run("seen"), hidden), charts=_chart("Sales", "y", {"a": "1"}), diagrams=data)
    assert [block.text for block in document.blocks] == ["seen"]


def _nested(shape: str) -> Callable[[int], Callable[[], object]]:
    """The reading of a paragraph with this number of drawings, in as many elements around them."""

    def read(number: int) -> Callable[[], object]:
        drawings = "".join(f"<w:x>{_FIRST}</w:x>" for _ in range(number))
        start, end = shape.split("*")
        content = docx(
            paragraph(run("seen"), "<w:sdt>" * number, drawings, "</w:sdt>" * number), start * number, end * number
        )
        return lambda: read_document(content, "docx")

    return read


@pytest.mark.parametrize(
    "shape",
    [
        "<w:x>*</w:x>",
        f"<w:tbl><w:tr><w:tc>{paragraph(run('a'))}*</w:tc></w:tr></w:tbl>",
        f"<w:p><w:r><w:pict><w:txbxContent>{paragraph(run('a'))}*</w:txbxContent></w:pict></w:r></w:p>",
    ],
    ids=["elements", "tables", "boxes"],
)
def test_nested_drawings_tables_and_boxes_are_read_in_linear_time(shape: str) -> None:
    assert growth_of_steps(_nested(shape), 60, 120) < MOST_GROWTH


def test_a_chart_with_few_values_and_large_gaps_is_written_by_value(parser: WorkerParser) -> None:
    point = '<c:ser><c:tx><c:v>s</c:v></c:tx><c:val><c:pt idx="{}"><c:v>{}</c:v></c:pt></c:val></c:ser>'
    series = "".join(point.format(9_000 - number * 10, number) for number in range(500))
    document = _parsed(parser, paragraph(_FIRST), charts=f'<c:chartSpace xmlns:c="{_CHART}">{series}</c:chartSpace>')
    assert sum(len(row) for block in document.blocks for row in block.rows or ()) <= 500 * 3


def test_a_chart_has_a_column_for_each_level_of_its_categories(parser: WorkerParser) -> None:
    levels = f"<c:lvl>{_points('Q1', 'Q2', 'Q1')}</c:lvl><c:lvl><c:pt idx='0'><c:v>2024</c:v></c:pt>"
    levels += "<c:pt idx='2'><c:v>2025</c:v></c:pt></c:lvl>"
    one = _chart("Sales", "total", {"a": "1", "b": "2", "c": "3"})
    nested = f"<c:cat><c:multiLvlStrRef>{levels}</c:multiLvlStrRef></c:cat>"
    chart = one.replace(f"<c:cat>{_points('a', 'b', 'c')}</c:cat>", nested)
    document = _parsed(parser, paragraph(_FIRST), charts=chart)
    assert document.blocks[1].rows == (("", "", "total"), ("2024", "Q1", "1"), ("2024", "Q2", "2"), ("2025", "Q1", "3"))


def test_a_chart_without_its_part_leaves_its_paragraph(parser: WorkerParser) -> None:
    assert [block.text for block in _parsed(parser, paragraph(run("alone"), _FIRST)).blocks] == ["alone"]


def test_a_diagram_is_its_text(parser: WorkerParser) -> None:
    points = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("Plan", "Do"))
    data = f'<d:dataModel xmlns:d="{_DIAGRAM}" xmlns:a="{_DRAWING}"><d:ptLst>{points}</d:ptLst></d:dataModel>'
    document = _parsed(parser, paragraph(run("Steps"), _SECOND), diagrams=data)
    assert [block.text for block in document.blocks] == ["Steps", "Plan", "Do"]


def test_a_text_box_with_a_version_for_old_programs_is_read_once(parser: WorkerParser) -> None:
    box = f"<w:txbxContent>{paragraph(run('boxed'))}</w:txbxContent>"
    shape = (
        f'<w:r><mc:AlternateContent xmlns:mc="{_COMPATIBLE}"><mc:Choice Requires="wps"><w:drawing>{box}</w:drawing>'
        f"</mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    document = _parsed(parser, paragraph(run("around"), shape))
    assert sorted(block.text for block in document.blocks) == ["around", "boxed"]


_GROUP = (
    '<w:r><w:drawing><wpg:wgp xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup">{}</wpg:wgp>'
    "</w:drawing></w:r>"
)
_GROUP_OF_OLD = '<w:r><w:pict><v:group xmlns:v="urn:schemas-microsoft-com:vml">{}</v:group></w:pict></w:r>'


def _boxes(*contents: str) -> str:
    return "".join(f"<w:txbxContent>{content}</w:txbxContent>" for content in contents)


@pytest.mark.parametrize("group", [_GROUP, _GROUP_OF_OLD])
def test_each_text_box_of_a_group_follows_the_paragraph_that_holds_it(parser: WorkerParser, group: str) -> None:
    boxes = _boxes(paragraph(run("one")) + paragraph(run("two")), paragraph(run("three")), paragraph())
    document = _parsed(parser, paragraph(run("around"), group.format(boxes)), paragraph(run("after")))
    assert [block.text for block in document.blocks] == ["around", "one", "two", "three", "after"]


def test_a_table_in_a_text_box_is_a_table_and_a_box_within_a_box_follows_it(parser: WorkerParser) -> None:
    inner = _GROUP.format(_boxes(paragraph(run("inner"))))
    box = _boxes(word_table([["a", "b"], ["1", "2"]]) + paragraph(run("outer"), inner) + paragraph(run("last")))
    document = _parsed(parser, paragraph(run("around"), _GROUP.format(box)))
    assert document.blocks[1].rows == (("a", "b"), ("1", "2"))
    assert [block.text for block in document.blocks if not block.rows] == ["around", "outer", "last", "inner"]


def test_hidden_text_of_a_text_box_is_left_out_and_counted(parser: WorkerParser) -> None:
    boxes = _boxes(paragraph(run("SECRET", "<w:vanish/>"), run("kept")), paragraph(run("SECRET", "<w:vanish/>")))
    document = _parsed(parser, paragraph(run("around"), _GROUP.format(boxes)))
    assert [block.text for block in document.blocks] == ["around", "kept"]
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}


def test_moved_text_is_read_where_it_is_now(parser: WorkerParser) -> None:
    moved = paragraph(f"<w:moveFrom>{run('moved')}</w:moveFrom>", run("left"))
    document = _parsed(parser, moved, paragraph(f"<w:moveTo>{run('moved')}</w:moveTo>"))
    assert [block.text for block in document.blocks] == ["left", "moved"]


def test_formatting_leaves_no_marks_in_cells(parser: WorkerParser) -> None:
    formats = ("<w:b/>", "<w:i/>", '<w:u w:val="single"/>', "<w:caps/>", "<w:b/><w:i/>")
    table = word_table([["CELL"]]).replace(run("CELL"), "".join(run(f"w{n} ", f) for n, f in enumerate(formats)))
    (block,) = _parsed(parser, table).blocks
    assert block.text == "w0 w1 w2 w3 w4"
