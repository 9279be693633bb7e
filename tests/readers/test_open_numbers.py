"""Numbers of headings and list items of OpenDocument texts, as their program shows them."""

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import BlockKind
from tests.readers.open_files import open_file


def _level(level: int, form: str, more: str = "", suffix: str = ".", kind: str = "list-level-style-number") -> str:
    return f'<text:{kind} text:level="{level}" style:num-format="{form}" style:num-suffix="{suffix}" {more}/>'


_BOTH = 'text:display-levels="2"'
_FROM_FOUR = 'text:start-value="4" style:num-prefix="("'
_NAMED = 'xml:id="one"'
_LEVELS = _level(1, "1") + _level(2, "1", _BOTH) + _level(3, "a", "", ")")
_NUMBERS = f'<text:list-style style:name="L">{_LEVELS}</text:list-style>'
_BULLETS = (
    '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/>'
    "</text:list-style>"
)
_ROMAN = f'<text:list-style style:name="R">{_level(1, "I", _FROM_FOUR, ")")}</text:list-style>'
_OUTLINE = (
    f'<text:outline-style style:name="Outline">{_level(1, "1", "", "", "outline-level-style")}'
    f"{_level(2, '1', _BOTH, '', 'outline-level-style')}</text:outline-style>"
)


def _list(*items: str, style: str = "L", more: str = "") -> str:
    name = f'text:style-name="{style}"' if style else ""
    return (
        f"<text:list {name} {more}>{''.join(f'<text:list-item>{item}</text:list-item>' for item in items)}</text:list>"
    )


def _p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def _h(level: int, text: str, more: str = "") -> str:
    return f'<text:h text:outline-level="{level}" {more}>{text}</text:h>'


def _texts(parser: WorkerParser, body: str, styles: str = _NUMBERS + _BULLETS + _ROMAN) -> list[str]:
    return [block.text for block in parser.parse(open_file("text", body, styles), "odt").blocks]


def test_items_of_nested_lists_have_the_numbers_of_their_levels(parser: WorkerParser) -> None:
    nested = _list(_p("b"), _p("c") + _list(_p("d"), style=""), style="")
    body = _list(_p("a") + nested, _p("e") + _list(_p("f"), style=""))
    assert _texts(parser, body) == ["1. a", "1.1. b", "1.2. c", "a) d", "2. e", "2.1. f"]


def test_a_list_starts_anew_unless_it_continues_another(parser: WorkerParser) -> None:
    named = _list(_p("a"), _p("b"), more=_NAMED) + _p("between") + _list(_p("c"))
    body = (
        named + _list(_p("d"), more='text:continue-numbering="true"') + _list(_p("e"), more='text:continue-list="one"')
    )
    assert _texts(parser, body) == ["1. a", "2. b", "between", "1. c", "2. d", "3. e"]


def test_a_wrapper_of_a_deeper_level_is_no_item(parser: WorkerParser) -> None:
    body = _list(_p("a") + _list(_p("b"), style=""), more=_NAMED) + _p("between")
    body += _list(_list(_p("c"), style=""), _p("d"), more='text:continue-list="one"')
    assert _texts(parser, body) == ["1. a", "1.1. b", "between", "1.2. c", "2. d"]


def test_numbers_have_the_format_and_the_start_of_their_style(parser: WorkerParser) -> None:
    assert _texts(parser, _list(_p("a"), _p("b"), style="R")) == ["(IV) a", "(V) b"]


def test_bullets_are_items_without_a_number(parser: WorkerParser) -> None:
    (block,) = parser.parse(open_file("text", _list(_p("a"), style="B"), _BULLETS), "odt").blocks
    assert (block.kind, block.text) == (BlockKind.LIST_ITEM, "a")


def test_headings_have_the_numbers_of_the_outline(parser: WorkerParser) -> None:
    body = _h(1, "Scope") + _h(2, "Terms") + _h(2, "Signs") + _h(1, "Preface", 'text:is-list-header="true"')
    body += _h(1, "Rules") + _h(2, "Annex", 'text:style-name="Plain"')
    plain = '<style:style style:name="Plain" style:family="paragraph" style:list-style-name=""/>'
    texts = _texts(parser, body, _OUTLINE + plain)
    assert texts == ["1 Scope", "1.1 Terms", "1.2 Signs", "Preface", "2 Rules", "Annex"]


def test_deleted_items_do_not_count(parser: WorkerParser) -> None:
    deleted_ids = _list(_p("gone"), more=_NAMED)
    deleted = f"<text:tracked-changes><text:changed-region>{deleted_ids}</text:changed-region></text:tracked-changes>"
    assert _texts(parser, deleted + _list(_p("a"), more='text:continue-list="one"')) == ["1. a"]
