"""Numbers of headings and list items of Word files, as Word shows them."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from tests.readers.office import docx_parts, heading, package, paragraph, run, word_table

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _level(index: int, text: str, number_format: str = "decimal", more: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def _list(identity: int, *levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="{identity}">{more}{"".join(levels)}</w:abstractNum>'


def _number(identity: int, abstract: int, overrides: str = "") -> str:
    return f'<w:num w:numId="{identity}"><w:abstractNumId w:val="{abstract}"/>{overrides}</w:num>'


def _item(text: str, number: int = 1, level: int = 0, style: str = "Normal") -> str:
    own = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return paragraph(run(text), style=style).replace("</w:pPr>", f"{own}</w:pPr>")


def _file(numbering: str, *body: str, styles: str = "") -> bytes:
    parts = docx_parts(*body)
    parts["word/numbering.xml"] = f'<w:numbering xmlns:w="{_WORD}">{numbering}</w:numbering>'
    parts["word/styles.xml"] = str(parts["word/styles.xml"]).replace("</w:styles>", f"{styles}</w:styles>")
    return package(parts)


def _texts(parser: WorkerParser, content: bytes) -> list[str]:
    return [block.text for block in parser.parse(content, "docx").blocks]


_NESTED = _list(0, _level(0, "%1."), _level(1, "%1.%2"), _level(2, "%1.%2.%3"))


def test_headings_numbered_by_their_styles_keep_their_numbers(parser: WorkerParser) -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/><w:pPr><w:numPr>'
        f'<w:ilvl w:val="{level - 1}"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        "</w:style>"
        for level in (1, 2)
    )
    derived = '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Heading2"/></w:style>'
    body = [heading(1, "Scope"), heading(1, "Terms"), heading(2, "Words"), paragraph(run("Signs"), style="Own")]
    blocks = parser.parse(_file(_NESTED + _number(1, 0), *body, styles=styles + derived), "docx").blocks
    assert [block.text for block in blocks] == ["1. Scope", "2. Terms", "2.1 Words", "2.2 Signs"]
    assert {block.kind for block in blocks} == {BlockKind.HEADING}


def test_the_level_of_a_style_is_the_one_that_names_the_style(parser: WorkerParser) -> None:
    numbering = _list(0, _level(0, "%1"), _level(1, "%1.%2", more='<w:pStyle w:val="Clause"/>')) + _number(1, 0)
    style = (
        '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:pPr><w:numPr><w:numId w:val="1"/>'
        "</w:numPr></w:pPr></w:style>"
    )
    body = [_item("Rent"), paragraph(run("Due monthly"), style="Clause"), paragraph(run("In cash"), style="Clause")]
    assert _texts(parser, _file(numbering, *body, styles=style)) == ["1 Rent", "1.1 Due monthly", "1.2 In cash"]


def test_items_count_on_behind_other_paragraphs_and_restart_below_a_higher_level(parser: WorkerParser) -> None:
    body = [_item("a"), _item("b", level=1), _item("c", level=1), paragraph(run("between"))]
    body += [_item("d", level=2), _item("e"), _item("f", level=1)]
    texts = _texts(parser, _file(_NESTED + _number(1, 0), *body))
    assert texts == ["1. a", "1.1 b", "1.2 c", "between", "1.2.1 d", "2. e", "2.1 f"]


def test_a_level_without_an_item_counts_as_its_first_one(parser: WorkerParser) -> None:
    body = [_item("a"), _item("b", level=2), _item("c", level=1)]
    assert _texts(parser, _file(_NESTED + _number(1, 0), *body)) == ["1. a", "1.1.1 b", "1.2 c"]


def test_a_second_list_of_the_same_kind_counts_on_unless_it_restarts(parser: WorkerParser) -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    numbering = _list(0, _level(0, "%1)")) + _number(1, 0) + _number(2, 0) + _number(3, 0, restart)
    body = [_item("a"), _item("b", 2), _item("c", 3), _item("d", 3), _item("e", 1)]
    assert _texts(parser, _file(numbering, *body)) == ["1) a", "2) b", "5) c", "6) d", "7) e"]


def test_a_level_restarts_only_where_it_states_it(parser: WorkerParser) -> None:
    never = _list(0, _level(0, "%1"), _level(1, "(%2)", more='<w:lvlRestart w:val="0"/>'))
    body = [_item("a"), _item("b", level=1), _item("c"), _item("d", level=1)]
    assert _texts(parser, _file(never + _number(1, 0), *body)) == ["1 a", "(1) b", "2 c", "(2) d"]


def test_a_list_may_be_defined_by_a_style(parser: WorkerParser) -> None:
    style = (
        '<w:style w:type="numbering" w:styleId="Articles"><w:name w:val="Articles"/><w:pPr><w:numPr><w:numId '
        'w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    linked = _list(1, more='<w:numStyleLink w:val="Articles"/>')
    numbering = _list(0, _level(0, "Article %1:", "upperRoman")) + linked + _number(1, 1) + _number(2, 0)
    assert _texts(parser, _file(numbering, _item("Aims"), _item("Means", 2), styles=style)) == [
        "Article I: Aims",
        "Article II: Means",
    ]


@pytest.mark.parametrize(
    ("number_format", "start", "shown"),
    [
        ("decimal", 9, ["9", "10"]),
        ("decimalZero", 9, ["09", "10"]),
        ("cardinalText", 20, ["Twenty", "Twenty-one"]),
        ("cardinalText", 99, ["Ninety-nine", "100"]),
        ("ordinalText", 1, ["First", "Second"]),
        ("ordinalText", 12, ["Twelfth", "Thirteenth"]),
        ("ordinalText", 20, ["Twentieth", "Twenty-first"]),
        ("ordinalText", 99, ["Ninety-ninth", "100th"]),
        ("chicago", 4, ["§", "**"]),
        ("lowerLetter", 26, ["z", "aa"]),
        ("upperLetter", 1, ["A", "B"]),
        ("lowerRoman", 3, ["iii", "iv"]),
        ("upperRoman", 1999, ["MCMXCIX", "MM"]),
        ("ordinal", 11, ["11th", "12th"]),
        ("ordinal", 22, ["22nd", "23rd"]),
        ("chineseCounting", 10, ["十", "十一"]),
        ("chineseCountingThousand", 105, ["一百零五", "一百零六"]),
        ("ideographDigital", 10, ["一〇", "一一"]),
        ("decimalEnclosedCircle", 20, ["⑳", "21"]),
        ("russianLower", 1, ["а", "б"]),
        ("somethingNew", 7, ["7", "8"]),
    ],
)
def test_numbers_have_the_format_of_their_list(
    parser: WorkerParser, number_format: str, start: int, shown: list[str]
) -> None:
    numbering = _list(0, _level(0, "%1:", number_format, start=start)) + _number(1, 0)
    texts = _texts(parser, _file(numbering, _item("first"), _item("second")))
    assert texts == [f"{number}: {word}" for number, word in zip(shown, ("first", "second"), strict=True)]


def test_a_legal_level_has_decimal_numbers_alone(parser: WorkerParser) -> None:
    numbering = _list(0, _level(0, "%1", "upperRoman"), _level(1, "%1.%2", more="<w:isLgl/>")) + _number(1, 0)
    assert _texts(parser, _file(numbering, _item("a"), _item("b", level=1))) == ["I a", "1.1 b"]


def test_bullets_are_items_without_a_number_and_have_a_mark_in_cells(parser: WorkerParser) -> None:
    numbering = _list(0, _level(0, "\uf0b7", "bullet")) + _number(1, 0)
    cell = word_table([["Name", "CELL"]]).replace(paragraph(run("CELL")), _item("red") + _item("blue"))
    blocks = parser.parse(_file(numbering, _item("alone"), cell), "docx").blocks
    assert (blocks[0].kind, blocks[0].text) == (BlockKind.LIST_ITEM, "alone")
    assert blocks[1].rows == (("Name", "- red - blue"),)


def test_empty_items_count_and_deleted_ones_do_not(parser: WorkerParser) -> None:
    deleted = _item("gone").replace("</w:pPr>", "<w:rPr><w:del/></w:rPr></w:pPr>")
    deleted = deleted.replace("<w:r>", "<w:del><w:r>").replace("</w:r>", "</w:r></w:del>")
    body = [_item("a"), _item(""), deleted, _item("b")]
    assert _texts(parser, _file(_NESTED + _number(1, 0), *body)) == ["1. a", "3. b"]


def test_hidden_items_do_not_count(parser: WorkerParser) -> None:
    hidden = _item("unseen").replace("</w:pPr>", "<w:rPr><w:vanish/></w:rPr></w:pPr>")
    hidden = hidden.replace("<w:rPr></w:rPr>", "<w:rPr><w:vanish/></w:rPr>")
    body = [_item("a"), hidden, _item("b")]
    assert _texts(parser, _file(_NESTED + _number(1, 0), *body)) == ["1. a", "2. b"]


def test_a_paragraph_taken_out_of_the_list_of_its_style_has_no_number(parser: WorkerParser) -> None:
    style = (
        '<w:style w:type="paragraph" w:styleId="Step"><w:name w:val="Step"/><w:pPr><w:numPr><w:numId w:val="1"/>'
        "</w:numPr></w:pPr></w:style>"
    )
    body = [paragraph(run("one"), style="Step"), _item("none", 0, style="Step"), paragraph(run("two"), style="Step")]
    blocks = parser.parse(_file(_NESTED + _number(1, 0), *body, styles=style), "docx").blocks
    assert [block.text for block in blocks] == ["1. one", "none", "2. two"]
    assert [block.kind for block in blocks] == [BlockKind.LIST_ITEM, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM]


def test_former_numbers_of_a_changed_paragraph_do_not_count(parser: WorkerParser) -> None:
    former = (
        '<w:pPrChange w:id="1"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="9"/></w:numPr></w:pPr></w:pPrChange>'
    )
    body = [_item("a").replace("</w:pPr>", f"{former}</w:pPr>"), _item("b")]
    assert _texts(parser, _file(_NESTED + _number(1, 0), *body)) == ["1. a", "2. b"]


def test_styles_and_lists_that_refer_to_each_other_in_a_circle_end(parser: WorkerParser) -> None:
    circle = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:basedOn w:val="{other}"/></w:style>'
        for name, other in (("A", "B"), ("B", "A"))
    )
    linked = (
        '<w:style w:type="numbering" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    numbering = _list(0, more='<w:numStyleLink w:val="L"/>') + _number(1, 0)
    body = [paragraph(run("plain"), style="A"), _item("item"), _item("other", 77)]
    assert _texts(parser, _file(numbering, *body, styles=circle + linked)) == ["plain", "item", "other"]
