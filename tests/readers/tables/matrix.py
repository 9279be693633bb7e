"""Classes of tables, their shapes, and the formats that cannot express them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.readers.tables.writers import WRITERS, Grid, Span

_NO_SPANS = "no spans"
_NO_SPANS_OF_ROWS = {"csv": _NO_SPANS, "md": _NO_SPANS}
_SITES = ("Kiel", "Aarau", "Lyon", "Turin", "Ghent", "Porto")


@dataclass(frozen=True)
class TableClass:
    """Tables of one class.

    Attributes:
        shapes: a table of each shape.
        header_rows: number of rows that each passage repeats.
        labels: whether the cells that span are labels of the rows below.
        cannot: formats that cannot express the class, with the reason.
    """

    shapes: Sequence[Grid]
    header_rows: int
    labels: Sequence[Sequence[tuple[int, int, int]]]
    cannot: Mapping[str, str]


def _row(*texts: str) -> list[Span]:
    return [Span(text) for text in texts]


def _figures(columns: int, count: int) -> list[list[Span]]:
    return [
        _row(site, *(f"{12 + place}.{number}" for number in range(columns)))
        for place, site in enumerate(_SITES[:count])
    ]


def _one_header(columns: int, count: int) -> Grid:
    return Grid([_row("Site", *(f"Pump {chr(65 + number)}" for number in range(columns))), *_figures(columns, count)])


def _two_headers(columns: int, count: int) -> Grid:
    above = [Span(""), Span("First half", columns), Span("Second half", columns)]
    names = _row("Site", *(("Planned", "Actual", "Change")[number % columns] for number in range(2 * columns)))
    return Grid([above, names, *_figures(2 * columns, count)], 2)


def _high_header(columns: int, count: int) -> Grid:
    above = [Span("Site", 1, 2), Span("Pumps", columns)]
    return Grid([above, _row(*(f"Size {chr(65 + number)}" for number in range(columns))), *_figures(columns, count)], 2)


def _label_over_rows(columns: int, count: int) -> Grid:
    names = _row("Depot", "Site", *(f"Pump {chr(65 + number)}" for number in range(columns)))
    first, *others = _figures(columns, count)
    return Grid([names, [Span("North", 1, count), *first], *others])


def _label_over_columns(columns: int, count: int) -> Grid:
    names = _row("Site", *(f"Pump {chr(65 + number)}" for number in range(columns)))
    rows = _figures(columns, count)
    return Grid([names, [Span("Region north", columns + 1)], *rows, [Span("Region south", columns + 1)], *rows])


_SIZES = [(2, 3), (3, 3), (2, 5), (4, 6)]


CLASSES: Mapping[str, TableClass] = {
    "one header row": TableClass([_one_header(*size) for size in _SIZES], 1, [()] * 4, {}),
    "two header rows": TableClass(
        [_two_headers(*size) for size in [(2, 3), (3, 3), (2, 5), (3, 6)]], 2, [()] * 4, {"md": "one header row"}
    ),
    "header cell over two rows": TableClass(
        [_high_header(*size) for size in _SIZES], 2, [[(0, 0, 2)]] * 4, _NO_SPANS_OF_ROWS
    ),
    "label over rows": TableClass(
        [_label_over_rows(*size) for size in _SIZES], 1, [[(1, 0, 1 + count)] for _, count in _SIZES], _NO_SPANS_OF_ROWS
    ),
    "first row is data": TableClass(
        [Grid(_figures(*size), 0) for size in _SIZES], 0, [()] * 4, {"md": "always a header"}
    ),
    "label over columns": TableClass(
        [_label_over_columns(*size) for size in _SIZES],
        1,
        [[(1, 0, 2 + count), (2 + count, 0, 3 + 2 * count)] for _, count in _SIZES],
        _NO_SPANS_OF_ROWS,
    ),
}


def documented_matrix() -> str:
    """Return the table of the page on formats: what each format can express, and why not."""
    head = f"| table | {' | '.join(WRITERS)} |\n|---|{'---|' * len(WRITERS)}\n"
    rows = (
        f"| {name} | {' | '.join(each.cannot.get(file_type, 'right') for file_type in WRITERS)} |\n"
        for name, each in CLASSES.items()
    )
    return head + "".join(rows)
