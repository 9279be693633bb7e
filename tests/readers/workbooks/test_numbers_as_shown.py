"""A passage of a workbook holds the figures that the program shows."""

import ast
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_readers import WorkerParser
from groundwire_readers.readers.office.number_formats.number_format import NumberFormat
from tests.readers.workbooks.libreoffice import TABLE
from tests.readers.workbooks.sheets import Cell, workbook


def _shown(parser: WorkerParser, cells: Sequence[Cell], *, is_1904: bool = False) -> list[str]:
    """The text of each cell."""
    rows = [[Cell("x"), cell] for cell in cells]
    (table,) = [block for block in parser.parse(workbook(rows, is_1904=is_1904), "xlsx").blocks if block.rows]
    return [(*row, "")[1] for row in table.rows]


def test_figures_are_those_that_libreoffice_shows(parser: WorkerParser) -> None:
    listed = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    shown = _shown(parser, [Cell(ast.literal_eval(value), code) for code, value, _ in listed])
    differing = [
        (code, value, text, expected)
        for (code, value, expected), text in zip(listed, shown, strict=True)
        # Blanks are only as wide as a character that is left out.
        if "".join(text.split()) != "".join(expected.split())
    ]
    assert len(listed) > 1_000
    assert differing == []


_EXAMPLES: dict[str, tuple[float, str | int, str]] = {
    "a percentage that a program knows by number": (0.182, 10, "18.20%"),
    "thousands by number": (-1250, 38, "(1,250)"),
    "money by number": (1234.5, 44, "$1,234.50"),
    "a short date by number": (46096, 14, "2026-03-15"),
    "a date and time by number": (46096.604166666664, 22, "2026-03-15 14:30"),
    "a duration by number": (1.13541666666667, 46, "27:15:00"),
    "a number without meaning": (0.5, 99, "0.5"),
    "no more than 11 characters": (1 / 3, "General", "0.333333333"),
    "a sum of decimals": (0.1 + 0.2, 0, "0.3"),
    "all digits of a whole number": (4006381333931, "General", "4006381333931"),
    "a small number": (0.0000123456789, "General", "1.23457E-05"),
    "a large number": (1.5e20, "General", "1.5E+20"),
    "a number in the format of texts": (0.1823, "@", "0.1823"),
    "a unit after General": (2.5, 'General" kg"', "2.5 kg"),
    "letters that are no date": (37.5, "0.0 mm", "37.5 mm"),
    "capitals that are no date": (37.5, "0.00 CHF", "37.50 CHF"),
    "capitals of a date": (45325, "D MMM YYYY", "3 Feb 2024"),
    "room between a word and a number": (5, '"Total"* 0', "Total 5"),
    "room between a sign and a number": (5, '"$"* 0', "$5"),
    "a fraction below zero": (-0.5, "# ?/?", "-1/2"),
    "the sign of a number that a condition excludes": (-1250, '[>=1000]#,##0.0,"k";0', "-1250"),
    "no condition that is met": (5, "[<1]0.0;[>100]0.00", "5"),
    "permille by two signs": (0.5, "0%%", "5000%%"),
    "a format of too many sections": (0.5, "0;0;0;0;0", "0.5"),
    "a format that is too long": (0.5, "0" * 256, "0.5"),
    "a day before the first one": (-3, "yyyy-mm-dd", "-3"),
    "a time below zero": (-0.5, "[h]:mm", "-12:00"),
    "the first day": (1, "yyyy-mm-dd", "1900-01-01"),
    "the day that only Excel has": (60, "d mmm yyyy", "29 Feb 1900"),
}


def test_figures_of_other_formats_are_as_documented(parser: WorkerParser) -> None:
    cells = [Cell(value, code) for value, code, _ in _EXAMPLES.values()]
    shown = dict(zip(_EXAMPLES, _shown(parser, cells), strict=True))
    assert shown == {name: text for name, (_, _, text) in _EXAMPLES.items()}


_OPEN_DATES = {
    "m/d/yy": "2024-02-03",
    "m/d/yyyy": "2024-02-03",
    "dd.mm.yyyy": "2024-02-03",
    "mmm-yy": "2024-02-03",
    "d-mmm": "2024-02-03",
    "dddd": "2024-02-03",
    "mmmmm yyyy": "2024-02-03",
    "[$-F800]dddd, mmmm dd, yyyy": "2024-02-03",
    "[$-407]d. mmmm yyyy": "2024-02-03",
    "[$-411]ggge": "2024-02-03",
    "m/d/yy h:mm AM/PM": "2024-02-03 2:30 PM",
    '"due "d/m/yy" at noon"': "due 2024-02-03 at noon",
    "[$-F400]h:mm:ss AM/PM": "2:30:00 PM",
    "d mmm yyyy": "3 Feb 2024",
}


def test_a_date_that_leaves_day_month_or_century_open_is_iso(parser: WorkerParser) -> None:
    cells = [Cell(45325.604166666664, code) for code in _OPEN_DATES]
    assert dict(zip(_OPEN_DATES, _shown(parser, cells), strict=True)) == _OPEN_DATES


def test_days_count_from_1904_where_the_workbook_declares_it(parser: WorkerParser) -> None:
    assert _shown(parser, [Cell(0, "yyyy-mm-dd"), Cell(43863, 14)], is_1904=True) == ["1904-01-01", "2024-02-03"]


_PIECES = st.sampled_from(
    [
        *('"', "\\", "_", "*", "[", "]", "[Red]", "[>=1]", "[<0]", "[$€-407]", "[h]", "[mm]", ";", "@", "General", "é"),
        *(
            "0",
            "#",
            "?",
            ".",
            ",",
            "%",
            "/",
            "E+",
            "E-",
            "y",
            "m",
            "d",
            "h",
            "s",
            "AM/PM",
            "A/P",
            " ",
            "-",
            "8",
            "b",
            "g",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    code=st.lists(_PIECES, max_size=40).map("".join),
    value=st.floats(allow_nan=False, allow_infinity=False)
    | st.integers(-(10**6), 10**6).map(lambda number: number / 100),
    is_1904=st.booleans(),
)
def test_any_format_shows_any_number(code: str, value: float, is_1904: bool) -> None:  # noqa: FBT001
    shown = NumberFormat(code, is_1904=is_1904)
    assert len(shown.number_text(value)) < 4 * (400 + len(code))
    assert len(shown.text_text("text")) <= 4 * len(code) + 4


@pytest.mark.parametrize("places", [0, 1, 2, 5])
@given(value=st.floats(min_value=-1e12, max_value=1e12))
@settings(max_examples=100, deadline=None)
def test_numbers_are_rounded_to_their_places(places: int, value: float) -> None:
    text = NumberFormat(f"#,##0.{'0' * places}" if places else "#,##0").number_text(value)
    assert abs(float(text.replace(",", "")) - value) <= 0.5000001 * 10**-places + abs(value) * 1e-14
    assert len(text.partition(".")[2]) == places
