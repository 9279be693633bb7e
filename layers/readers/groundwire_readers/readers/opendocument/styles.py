"""Styles of an OpenDocument file: inheritance chains, and styles that hide text, tables or slides."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.visibility import UNREADABLE_POINTS

_NAMES: Final = "urn:oasis:names:tc:opendocument:xmlns"
STYLE: Final = f"{_NAMES}:style:1.0"
TEXT: Final = f"{_NAMES}:text:1.0"
TABLE: Final = f"{_NAMES}:table:1.0"
DRAW: Final = f"{_NAMES}:drawing:1.0"
OFFICE: Final = f"{_NAMES}:office:1.0"
PRESENTATION: Final = f"{_NAMES}:presentation:1.0"
FORMATTING: Final = f"{_NAMES}:xsl-fo-compatible:1.0"
_MAX_CHAIN: Final = 30
"""Maximum length of an inheritance chain."""
_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(pt|cm|mm|in|px|%)")
_POINTS: Final = {"pt": 1.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "px": 0.75, "%": 0.12}
"""Points per unit of a font size; a percentage is relative to 12 points."""
_HIDING_PROPERTIES: Final = (
    (f"{TEXT} display", ("none",)),
    (f"{TABLE} display", ("false",)),
    (f"{PRESENTATION} visibility", ("hidden",)),
)


class StyleChains:
    """The styles of a file with their inheritance."""

    def __init__(self, trees: Iterable[Element]) -> None:
        """Take the XML trees that define styles."""
        self._styles: dict[tuple[str, str], Element] = {}
        for tree in trees:
            for style in tree.iter(f"{STYLE} style"):
                self._styles[style.get(f"{STYLE} family", ""), style.get(f"{STYLE} name", "")] = style

    def chain(self, kind: str, name: str) -> Iterator[Element]:
        """Yield the style of this family and name, then its parent styles in order."""
        for _ in range(_MAX_CHAIN):
            style = self._styles.get((kind, name))
            if style is None:
                return
            yield style
            name = style.get(f"{STYLE} parent-style-name", "")


@dataclass(frozen=True, slots=True)
class Styles:
    """Names of the relevant styles.

    Attributes:
        hidden_styles: styles of text, tables and slides that are hidden.
    """

    hidden_styles: frozenset[str]

    def hides(self, element: Element) -> bool:
        """Return whether the element's style hides it."""
        names = (element.get(f"{space} style-name", "") for space in (TEXT, TABLE, DRAW))
        return any(name in self.hidden_styles for name in names)


def read_styles(trees: Iterable[Element]) -> Styles:
    """Return the names of the hiding styles that these XML trees define."""
    hidden: set[str] = set()
    for tree in trees:
        hidden |= {style.get(f"{STYLE} name", "") for style in tree.iter(f"{STYLE} style") if _hides(style)}
    return Styles(frozenset(hidden))


def _hides(style: Element) -> bool:
    return any(
        is_unreadable_size(properties.get(f"{FORMATTING} font-size", ""))
        or any(properties.get(name) in values for name, values in _HIDING_PROPERTIES)
        for properties in style
    )


def is_unreadable_size(text: str) -> bool:
    """Return whether a font size, such as "12pt" or ".5mm", cannot be read."""
    found = _SIZE.fullmatch(text)
    return found is not None and float(found[1]) * _POINTS[found[2]] < UNREADABLE_POINTS


def has_text(element: Element) -> bool:
    """Return whether the element contains any text besides whitespace."""
    return any(map(str.strip, element.itertext()))
