"""Reader of charts as the tables that they were made from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.tables import table_blocks
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.normalisation import normalise

_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_NEW_CHART: Final = "http://schemas.microsoft.com/office/drawing/2014/chartex"
"""Namespace of the kinds of 2016, such as waterfall, funnel and treemap."""
_TEXT: Final = "http://schemas.openxmlformats.org/drawingml/2006/main t"
_VALUES: Final = ("val", "yVal")
_CATEGORIES: Final = ("cat", "xVal")
_POINTS_MAX: Final = 10_000
_SERIES_MAX: Final = 255
"""Maximum number of series of a chart in Excel; each may refer to the same data."""
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


def _rows(chart: Element) -> list[Sequence[str]]:
    series = list(chart.iter(f"{_CHART} ser"))
    names = [" ".join(_points(one, ("tx",))) for one in series]
    categories = max((_points(one, _CATEGORIES) for one in series), key=len, default=list[str]())
    columns = [_points(one, _VALUES) for one in series]
    return [["", *names], *zip_longest(categories, *columns, fillvalue="")]


def _new_rows(chart: Element) -> list[Sequence[str]]:
    """Return the rows of a chart whose series refer to data; a column per level of categories, the widest first."""
    data = {one.get("id", ""): one for one in chart.iter(f"{_NEW_CHART} data")}
    levels: list[list[str]] = []
    names: list[str] = []
    columns: list[list[str]] = []
    for series in chart.iter(f"{_NEW_CHART} series"):
        identity = next((one.get("val", "") for one in series if one.tag == f"{_NEW_CHART} dataId"), "")
        found = data.get(identity)
        if found is None or len(columns) == _SERIES_MAX:
            continue
        texts = (one for part in series if part.tag == f"{_NEW_CHART} tx" for one in part.iter(f"{_NEW_CHART} v"))
        names.append(next((one.text or "" for one in texts), ""))
        levels = max(levels, _levels(found, "strDim"), key=len)
        columns.append(next(iter(_levels(found, "numDim")), list[str]()))
    return [[*[""] * len(levels), *names], *zip_longest(*reversed(levels), *columns, fillvalue="")]


def _levels(data: Element, kind: str) -> list[list[str]]:
    levels = (level for part in data if part.tag == f"{_NEW_CHART} {kind}" for level in part)
    return [_new_points(level) for level in levels if level.tag == f"{_NEW_CHART} lvl"]


def _new_points(level: Element) -> list[str]:
    texts: dict[int, str] = {}
    for point in level:
        _add_point(point, point.text or "", texts)
    return _by_index(texts)


def _points(series: Element, names: tuple[str, ...]) -> list[str]:
    """Return the cached texts of a part of a series, ordered by index, with empty texts for gaps."""
    texts: dict[int, str] = {}
    for holder in (one for one in series if one.tag in [f"{_CHART} {name}" for name in names]):
        for point in holder.iter(f"{_CHART} pt"):
            _add_point(point, next((one.text or "" for one in point if one.tag == f"{_CHART} v"), ""), texts)
    return _by_index(texts)


def _add_point(point: Element, value: str, texts: dict[int, str]) -> None:
    index = point.get("idx", "")
    if index.isdecimal() and len(index) < 6 and int(index) < _POINTS_MAX:  # noqa: PLR2004
        texts.setdefault(int(index), _shown_number(value))


def _by_index(texts: Mapping[int, str]) -> list[str]:
    return [texts.get(index, "") for index in range(max(texts, default=-1) + 1)]


def _shown_number(text: str) -> str:
    """Return a number with the digits that Office shows; any other text as it is."""
    return f"{float(text):.15g}" if _EXACT_NUMBER.fullmatch(text) else text
