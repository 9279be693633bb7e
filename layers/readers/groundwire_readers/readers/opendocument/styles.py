"""Styles of an OpenDocument file: inheritance chains, and styles that hide text, tables or slides."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.visibility import UNREADABLE_POINTS
from groundwire_readers.text.runs import GAP, Mark

_NAMES: Final = "urn:oasis:names:tc:opendocument:xmlns"
STYLE: Final = f"{_NAMES}:style:1.0"
TEXT: Final = f"{_NAMES}:text:1.0"
TABLE: Final = f"{_NAMES}:table:1.0"
DRAW: Final = f"{_NAMES}:drawing:1.0"
OFFICE: Final = f"{_NAMES}:office:1.0"
PRESENTATION: Final = f"{_NAMES}:presentation:1.0"
FORMATTING: Final = f"{_NAMES}:xsl-fo-compatible:1.0"
_RUN_KINDS: Final = ("text", "paragraph")
_MAX_CHAIN: Final = 30
"""Maximum length of an inheritance chain."""
_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(pt|cm|mm|in|px|%)")
_POINTS: Final = {"pt": 1.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "px": 0.75, "%": 0.12}
"""Points per unit of a font size; a percentage is relative to 12 points."""
_FACE_NUMBER: Final = re.compile(r"(?<=[a-z])\d{1,4}\Z")
"""Number of one of several faces of a font: `Wingdings1`, unlike the font `Wingdings 2`."""
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
        marks: marks of the runs with a style, by its family and name.
        fonts: names of the fonts of text with a style, by the name of the style.
    """

    hidden_styles: frozenset[str]
    marks: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    fonts: Mapping[str, str] = field(default_factory=dict[str, str])

    def hides(self, element: Element) -> bool:
        """Return whether the element's style hides it."""
        names = (element.get(f"{space} style-name", "") for space in (TEXT, TABLE, DRAW))
        return any(name in self.hidden_styles for name in names)


def read_styles(trees: Iterable[Element]) -> Styles:
    """Return the names of the hiding styles that these XML trees define."""
    defining = list(trees)
    hidden: set[str] = set()
    marks: dict[tuple[str, str], str] = {}
    fonts: dict[str, str] = {}
    chains = StyleChains(defining)
    for style in (style for tree in defining for style in tree.iter(f"{STYLE} style")):
        name, kind = style.get(f"{STYLE} name", ""), style.get(f"{STYLE} family", "")
        if _hides(style):
            hidden.add(name)
        declared = _declared(chains.chain(kind, name)) if kind in _RUN_KINDS else {}
        if mark := _mark_of(declared):
            marks[kind, name] = mark
        if kind == "text" and (font := declared.get(f"{STYLE} font-name", declared.get(f"{FORMATTING} font-family"))):
            fonts[name] = _FACE_NUMBER.sub("", font)
    return Styles(frozenset(hidden), marks, fonts)


def _declared(chain: Iterable[Element]) -> dict[str, str]:
    """Return the properties of a style; the nearest style that declares one decides."""
    declared: dict[str, str] = {}
    for style in chain:
        for properties in style:
            declared = {**properties.attrib, **declared}
    return declared


def _mark_of(declared: Mapping[str, str]) -> str:
    """Return the mark of the runs with these properties."""
    if any(declared.get(f"{STYLE} text-line-through-{part}", "none") != "none" for part in ("style", "type")):
        return GAP
    # The value is a word or a percentage, and perhaps the size of the letters behind it.
    position = declared.get(f"{STYLE} text-position", "0").split()
    if not position or not position[0].strip("-0%"):
        return ""
    return Mark.LOWERED if position[0].startswith(("sub", "-")) else Mark.RAISED


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
