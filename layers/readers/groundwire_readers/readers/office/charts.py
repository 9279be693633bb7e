"""Reader of charts as the tables that they were made from."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.text.normalisation import normalise

_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_NEW_CHART: Final = "http://schemas.microsoft.com/office/drawing/2014/chartex"
"""Namespace of the kinds of 2016, such as waterfall, funnel and treemap."""
_TEXT: Final = "http://schemas.openxmlformats.org/drawingml/2006/main t"
_VALUES: Final = ("val", "yVal")
_CATEGORIES: Final = ("cat", "xVal")
_POINTS_MAX: Final = 10_000
_LEVELS_MAX: Final = 10
_GRID_PLACES: Final = 100_000
_PLACES_PER_POINT: Final = 50
"""Places of a chart's grid, in all and per value, above which it has a row per value."""
_Points = Mapping[int, str]
"""Texts by the index of their category."""
_EXACT_NUMBER: Final = re.compile(r"-?\d{1,17}\.\d{14,20}(?:E-?\d{1,3})?", re.ASCII)
"""Number that is stored with more digits than Office shows of any number, which are 15."""


def chart_blocks(chart: Element) -> Iterator[Block]:
    """Yield the chart's title, and a table with a row per category and a column per series."""
    is_new = chart.tag.startswith(_NEW_CHART)
    space = _NEW_CHART if is_new else _CHART
    title = next(chart.iter(f"{space} title"), None)
    text = "" if title is None else normalise("".join(one.text or "" for one in title.iter(_TEXT)))
    if title is not None and is_new:
        text = text or normalise(next((one.text or "" for one in title.iter(f"{space} v")), ""))
    if text:
        yield Block(BlockKind.PARAGRAPH, text)
    yield from table_blocks(_new_rows(chart) if is_new else _rows(chart), None)


def _rows(chart: Element) -> list[list[str]]:
    # Names and values are copies in the chart's own part; the workbook behind it may be missing.
    series = list(chart.iter(f"{_CHART} ser"))
    names = [" ".join(text for _, text in sorted(_points(one, ("tx",)).items())) for one in series]
    levels = max((_categories(one) for one in series), key=_size, default=list[_Points]())
    return _grid(names, levels, [_points(one, _VALUES) for one in series])


def _new_rows(chart: Element) -> list[list[str]]:
    """Return the rows of a chart whose series refer to data, each to its own."""
    data = {one.get("id", ""): one for one in chart.iter(f"{_NEW_CHART} data")}
    levels: list[_Points] = []
    names: list[str] = []
    columns: list[_Points] = []
    for series in chart.iter(f"{_NEW_CHART} series"):
        identity = next((one.get("val", "") for one in series if one.tag == f"{_NEW_CHART} dataId"), "")
        found = data.pop(identity, None)
        if found is None:
            continue
        texts = (one for part in series if part.tag == f"{_NEW_CHART} tx" for one in part.iter(f"{_NEW_CHART} v"))
        names.append(next((one.text or "" for one in texts), ""))
        levels = max(levels, _levels(found, "strDim"), key=_size)
        columns.append(next(iter(_levels(found, "numDim")), dict[int, str]()))
    return _grid(names, levels, columns)


def _grid(names: Sequence[str], levels: Sequence[_Points], columns: Sequence[_Points]) -> list[list[str]]:
    """Return a row per category, with its levels from the widest to the narrowest, and a value per series.

    A chart with far more gaps than values has a row per value, with its series.
    """
    known = [*reversed(levels), *columns]
    indexes = sorted({index for points in known for index in points})
    if len(indexes) * len(known) > max(_GRID_PLACES, _PLACES_PER_POINT * _size(known)):
        wide = list(reversed(levels))
        return [
            [*(level.get(index, "") for level in wide), name, value]
            for name, points in zip(names, columns, strict=True)
            for index, value in sorted(points.items())
        ]
    return [[*[""] * len(levels), *names], *([points.get(index, "") for points in known] for index in indexes)]


def _size(points: Sequence[_Points]) -> int:
    return sum(map(len, points))


def _levels(data: Element, kind: str) -> list[_Points]:
    levels = (level for part in data if part.tag == f"{_NEW_CHART} {kind}" for level in part)
    return [
        _indexed((point, point.text or "") for point in level) for level in levels if level.tag == f"{_NEW_CHART} lvl"
    ]


def _categories(series: Element) -> list[_Points]:
    """Return the levels of a series' categories, the narrowest first; a wider one is stated where it starts alone."""
    holders = [one for one in series if one.tag in _names(_CATEGORIES)]
    levels = [level for holder in holders for level in holder.iter(f"{_CHART} lvl")]
    if not levels:
        return [points] if (points := _points(series, _CATEGORIES)) else []
    narrow, *wide = (_indexed(_texts(level)) for level in levels[:_LEVELS_MAX])
    return [narrow, *(_filled(level, narrow) for level in wide)]


def _filled(level: _Points, narrow: _Points) -> _Points:
    found: dict[int, str] = {}
    text = ""
    for index in sorted(narrow):
        text = found[index] = level.get(index, text)
    return found


def _points(series: Element, names: tuple[str, ...]) -> _Points:
    """Return the cached texts of a part of a series by their index."""
    return _indexed(point for one in series if one.tag in _names(names) for point in _texts(one))


def _names(names: tuple[str, ...]) -> list[str]:
    return [f"{_CHART} {name}" for name in names]


def _texts(holder: Element) -> Iterator[tuple[Element, str]]:
    """Yield the points of an old chart and their values."""
    for point in holder.iter(f"{_CHART} pt"):
        yield point, next((one.text or "" for one in point if one.tag == f"{_CHART} v"), "")


def _indexed(points: Iterable[tuple[Element, str]]) -> _Points:
    texts: dict[int, str] = {}
    for point, value in points:
        index = point.get("idx", "")
        if index.isdecimal() and len(index) < 6 and int(index) < _POINTS_MAX:  # noqa: PLR2004
            texts.setdefault(int(index), _shown_number(value))
    return texts


def _shown_number(text: str) -> str:
    """Return a number with the digits that Office shows; any other text as it is."""
    return f"{float(text):.15g}" if _EXACT_NUMBER.fullmatch(text) else text
