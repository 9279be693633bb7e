"""Reader of charts as the tables that they were made from."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.adapters.parse.tables import table_blocks
from groundwire.domain.documents.parsed import Block, BlockKind
from groundwire.domain.text.normalisation import normalise

_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_TEXT: Final = "http://schemas.openxmlformats.org/drawingml/2006/main t"
_VALUES: Final = ("val", "yVal")
_CATEGORIES: Final = ("cat", "xVal")
_POINTS_MAX: Final = 10_000
_EXACT_NUMBER: Final = re.compile(r"-?\d{1,17}\.\d{14,20}(?:E-?\d{1,3})?", re.ASCII)
"""Number that is stored with more digits than Office shows of any number, which are 15."""


def chart_blocks(chart: Element) -> Iterator[Block]:
    """Yield the chart's title, and a table with a row per category and a column per series."""
    title = next(chart.iter(f"{_CHART} title"), None)
    text = "" if title is None else normalise("".join(one.text or "" for one in title.iter(_TEXT)))
    if text:
        yield Block(BlockKind.PARAGRAPH, text)
    series = list(chart.iter(f"{_CHART} ser"))
    names = [" ".join(_points(one, ("tx",))) for one in series]
    categories = max((_points(one, _CATEGORIES) for one in series), key=len, default=list[str]())
    columns = [_points(one, _VALUES) for one in series]
    yield from table_blocks([["", *names], *zip_longest(categories, *columns, fillvalue="")], None)


def _points(series: Element, names: tuple[str, ...]) -> list[str]:
    """Return the cached texts of a part of a series, ordered by index, with empty texts for gaps."""
    texts: dict[int, str] = {}
    for holder in (one for one in series if one.tag in [f"{_CHART} {name}" for name in names]):
        for point in holder.iter(f"{_CHART} pt"):
            index = point.get("idx", "")
            value = next((one.text or "" for one in point if one.tag == f"{_CHART} v"), "")
            if index.isdecimal() and len(index) < 6 and int(index) < _POINTS_MAX:  # noqa: PLR2004
                texts.setdefault(int(index), _shown_number(value))
    return [texts.get(index, "") for index in range(max(texts, default=-1) + 1)]


def _shown_number(text: str) -> str:
    """Return a number with the digits that Office shows; any other text as it is."""
    return f"{float(text):.15g}" if _EXACT_NUMBER.fullmatch(text) else text
