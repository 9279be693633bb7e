"""Reading of Office charts as the tables of their data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.readers.office.number_formats.built_in import GENERAL
from groundwire_readers.readers.office.number_formats.number_format import shown_number
from groundwire_readers.text.normalisation import normalise

_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_CHART_2016: Final = "http://schemas.microsoft.com/office/drawing/2014/chartex"
"""Namespace of the chart types of Office 2016, such as waterfall, funnel and treemap."""
_TEXT: Final = "http://schemas.openxmlformats.org/drawingml/2006/main t"
_VALUE_ELEMENTS: Final = ("val", "yVal")
_NUMBER_CACHES: Final = ("numCache", "numLit")
_CATEGORY_ELEMENTS: Final = ("cat", "xVal")
_MAX_POINTS: Final = 10_000
"""Maximum index of a data point."""
_MAX_LEVELS: Final = 10
"""Maximum number of category levels."""
_MAX_CELLS: Final = 100_000
_MAX_CELLS_PER_POINT: Final = 50
"""Number of cells, in all and per value, above which a sparse chart is written with one row per value."""
_Points = Mapping[int, str]
"""Texts of data points or categories, by the index of the category."""


def chart_blocks(chart: Element) -> Iterator[Block]:
    """Yield the chart's title, and a table with a row per category and a column per series.

    The numbers of the chart are replaced by the texts that they show.
    """
    is_2016 = chart.tag.startswith(_CHART_2016)
    namespace = _CHART_2016 if is_2016 else _CHART
    title = next(chart.iter(f"{namespace} title"), None)
    text = "" if title is None else normalise("".join(element.text or "" for element in title.iter(_TEXT)))
    if title is not None and is_2016:
        text = text or normalise(next((element.text or "" for element in title.iter(f"{namespace} v")), ""))
    if text:
        yield Block(BlockKind.PARAGRAPH, text)
    _show_numbers(chart, is_2016=is_2016)
    yield from table_blocks(_rows_of_2016(chart) if is_2016 else _rows(chart), None)


def _rows(chart: Element) -> list[list[str]]:
    # The chart part has cached copies of names and values; the workbook behind it may be missing.
    series = list(chart.iter(f"{_CHART} ser"))
    names = [" ".join(text for _, text in sorted(_points(each, ("tx",)).items())) for each in series]
    levels = max((_categories(each) for each in series), key=_count_points, default=list[_Points]())
    return _grid(names, levels, [_points(each, _VALUE_ELEMENTS) for each in series])


def _rows_of_2016(chart: Element) -> list[list[str]]:
    """Return the rows of a chart of 2016, whose series refer to `data` elements by id."""
    data = {element.get("id", ""): element for element in chart.iter(f"{_CHART_2016} data")}
    levels: list[_Points] = []
    names: list[str] = []
    columns: list[_Points] = []
    for series in chart.iter(f"{_CHART_2016} series"):
        identity = next((element.get("val", "") for element in series if element.tag == f"{_CHART_2016} dataId"), "")
        of_series = data.pop(identity, None)
        if of_series is None:
            continue
        texts = (
            element for part in series if part.tag == f"{_CHART_2016} tx" for element in part.iter(f"{_CHART_2016} v")
        )
        names.append(next((element.text or "" for element in texts), ""))
        levels = max(levels, _levels(of_series, "strDim"), key=_count_points)
        columns.append(next(iter(_levels(of_series, "numDim")), dict[int, str]()))
    return _grid(names, levels, columns)


def _grid(names: Sequence[str], levels: Sequence[_Points], columns: Sequence[_Points]) -> list[list[str]]:
    """Return a header and a row per category: its levels from the outermost to the innermost, and a value per series.

    A sparse chart, with far more gaps than values, has a row per value instead, with the name of its series.
    """
    all_columns = [*reversed(levels), *columns]
    indexes = sorted({index for points in all_columns for index in points})
    if len(indexes) * len(all_columns) > max(_MAX_CELLS, _MAX_CELLS_PER_POINT * _count_points(all_columns)):
        outer_first = list(reversed(levels))
        return [
            [*(level.get(index, "") for level in outer_first), name, value]
            for name, points in zip(names, columns, strict=True)
            for index, value in sorted(points.items())
        ]
    return [[*[""] * len(levels), *names], *([points.get(index, "") for points in all_columns] for index in indexes)]


def _count_points(points: Sequence[_Points]) -> int:
    return sum(map(len, points))


def _levels(data: Element, kind: str) -> list[_Points]:
    levels = (level for part in data if part.tag == f"{_CHART_2016} {kind}" for level in part)
    return [
        _indexed((point, point.text or "") for point in level) for level in levels if level.tag == f"{_CHART_2016} lvl"
    ]


def _categories(series: Element) -> list[_Points]:
    """Return the category levels of a series, the innermost first.

    An outer level names a category only at its first index, so the gaps are filled.
    """
    holders = [child for child in series if child.tag in _names(_CATEGORY_ELEMENTS)]
    levels = [level for holder in holders for level in holder.iter(f"{_CHART} lvl")]
    if not levels:
        return [points] if (points := _points(series, _CATEGORY_ELEMENTS)) else []
    innermost, *outer = (_indexed(_texts(level)) for level in levels[:_MAX_LEVELS])
    return [innermost, *(_filled(level, innermost) for level in outer)]


def _filled(level: _Points, innermost: _Points) -> _Points:
    filled: dict[int, str] = {}
    text = ""
    for index in sorted(innermost):
        text = filled[index] = level.get(index, text)
    return filled


def _points(series: Element, names: tuple[str, ...]) -> _Points:
    """Return the cached texts of the children of a series with these names."""
    return _indexed(point for child in series if child.tag in _names(names) for point in _texts(child))


def _names(names: tuple[str, ...]) -> list[str]:
    return [f"{_CHART} {name}" for name in names]


def _texts(holder: Element) -> Iterator[tuple[Element, str]]:
    """Yield the cached data points of an element, with their texts."""
    for point in holder.iter(f"{_CHART} pt"):
        yield point, next((child.text or "" for child in point if child.tag == f"{_CHART} v"), "")


def _indexed(points: Iterable[tuple[Element, str]]) -> _Points:
    texts: dict[int, str] = {}
    for point, value in points:
        index = point.get("idx", "")
        if index.isdecimal() and len(index) < 6 and int(index) < _MAX_POINTS:  # noqa: PLR2004
            texts.setdefault(int(index), value)
    return texts


def _show_numbers(chart: Element, *, is_2016: bool) -> None:
    """Replace the numbers of the chart by the texts that they show; each cache has a format, and a point may have."""
    days = next(chart.iter(f"{_CHART} date1904"), None)
    is_1904 = days is not None and days.get("val", "1") in ("1", "true")
    if is_2016:
        levels = (level for data in chart.iter(f"{_CHART_2016} numDim") for level in data)
        shown = ((point, level.get("formatCode", GENERAL)) for level in levels for point in level)
    else:
        shown = (
            (value, point.get("formatCode", code))
            for cache, code in _number_caches(chart)
            for point in cache
            for value in point
        )
    for element, code in shown:
        element.text = shown_number(element.text or "", code, is_1904=is_1904)


def _number_caches(chart: Element) -> Iterator[tuple[Element, str]]:
    for element in chart.iter():
        if element.tag in _names(_NUMBER_CACHES):
            codes = (child.text or GENERAL for child in element if child.tag == f"{_CHART} formatCode")
            yield element, next(codes, GENERAL)
