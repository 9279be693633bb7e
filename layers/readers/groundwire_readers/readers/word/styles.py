"""Styles of a Word file, as far as they number text or affect whether it can be seen."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.readers.visibility import WHITE, Colour
from groundwire_readers.readers.word.appearance import AUTOMATIC, RunAppearance, shade_of
from groundwire_readers.readers.word.word_elements import (
    number_of,
    word_attribute,
    word_children,
    word_value,
)

_CHAIN_MAX: Final = 50
"""Maximum number of styles that a style is based on, one upon the other."""
_TITLE: Final = "title"
_HEADING: Final = re.compile(r"heading [1-9]")
_BODY: Final = 9
"""Outline level of text that is no heading."""
_OFF: Final = ("0", "false", "off")


@dataclass(frozen=True, slots=True)
class NumberReference:
    """Reference to a level of a list; `number_id` "0" takes a paragraph out of any list.

    Attributes:
        style: id of the style that refers to the list; empty for a paragraph's own reference.
    """

    number_id: str
    level: int | None
    style: str = ""


@dataclass(frozen=True, slots=True)
class _Style:
    based_on: str
    number_id: str
    level: int | None
    appearance: RunAppearance
    paragraph_fill: Colour | None
    is_shaded: bool
    outline: int | None


class WordStyles:
    """The styles of the part `styles.xml`; `names` are their names by id, in lower case, which no language changes."""

    def __init__(self, part: bytes) -> None:
        """Take the XML, which may be empty.

        Raises:
            UnreadableDocument: damaged.
        """
        self._styles: dict[str, _Style] = {}
        self.names: dict[str, str] = {}
        self.default_paragraph_style = ""
        root = parse_xml(part) if part else Element("styles")
        for element in word_children(root, "style"):
            identity = word_attribute(element, "styleId")
            self._styles[identity] = _style(element)
            self.names[identity] = word_value(element, "name").lower()
            if word_attribute(element, "type") == "paragraph" and _is_on(word_attribute(element, "default")):
                self.default_paragraph_style = identity
        self._references: dict[str, NumberReference | None] = {}
        self._whole: dict[str, RunAppearance] = {}
        self._fills: dict[str, Colour | None] = {}
        self._appearances: dict[tuple[str, str, str], RunAppearance] = {}
        self._defaults = _defaults(root)

    def number_ids(self) -> dict[str, str]:
        """Return the list of each style that refers to one itself."""
        return {identity: style.number_id for identity, style in self._styles.items() if style.number_id}

    def number_reference(self, identity: str) -> NumberReference | None:
        """Return the list that a style gives to its paragraphs; None when it gives none."""
        if identity not in self._references:
            self._references[identity] = self._find_reference(identity)
        return self._references[identity]

    def _find_reference(self, identity: str) -> NumberReference | None:
        level: int | None = None
        for name, style in self._chain(identity):
            level = style.level if level is None else level
            if style.number_id:
                return NumberReference(style.number_id, level, name)
        return None

    def appearance(
        self, own: RunAppearance, run_style: str, paragraph_style: str, table_style: str = ""
    ) -> RunAppearance:
        """Return a run's own properties, with those of its styles, its table's and the file's defaults below."""
        styles = (run_style, paragraph_style, table_style)
        if styles not in self._appearances:
            below = self._defaults
            for style in reversed(styles):
                below = self._whole_appearance(style).over(below)
            self._appearances[styles] = below
        return own.over(self._appearances[styles])

    def without_default_size(self) -> None:
        """Take the file's default font size away, so that text without another one counts as readable."""
        self._appearances.clear()
        self._defaults = replace(self._defaults, points=None, complex_points=None)

    def _whole_appearance(self, identity: str) -> RunAppearance:
        """Return the properties of a style with those of the styles that it is based on, each resolved once."""
        path: dict[str, _Style] = {}
        # `path` also ends a circle of styles that are based on each other.
        while identity not in self._whole and identity not in path and identity in self._styles:
            path[identity] = self._styles[identity]
            identity = self._styles[identity].based_on
        below = self._whole.get(identity, RunAppearance())
        for name, style in reversed(path.items()):
            below = self._whole[name] = style.appearance.over(below)
        return below

    def paragraph_fill(self, identity: str) -> Colour | None:
        """Return the background that a style gives to its paragraphs; None without one."""
        if identity not in self._fills:
            fills = (style.paragraph_fill for _, style in self._chain(identity))
            self._fills[identity] = next((fill for fill in fills if fill is not None), None)
        return self._fills[identity]

    def has_shading(self, identity: str) -> bool:
        """Return whether a table's style gives a background to any of its cells."""
        return any(style.is_shaded for _, style in self._chain(identity))

    def is_text(self, identity: str) -> bool:
        """Return whether paragraphs of a style are text, although the style is based on that of a title or a heading.

        The style of a title gives no outline level to styles based on it, such as one for authors. That of a heading
        does, unless one between them takes the level away.
        """
        for name, style in self._chain(identity):
            if self.names[name] == _TITLE and name != identity:
                return _TITLE not in self.names[identity].split()
            if style.outline is not None or _HEADING.fullmatch(self.names[name]):
                return style.outline is not None and style.outline >= _BODY
        return False

    def _chain(self, identity: str) -> Iterator[tuple[str, _Style]]:
        """Yield the style, then the one that it is based on, and so on."""
        for _ in range(_CHAIN_MAX):
            style = self._styles.get(identity)
            if style is None:
                return
            yield identity, style
            identity = style.based_on


def _style(element: Element) -> _Style:
    properties = next(word_children(element, "pPr"), None)
    numbering = None if properties is None else next(word_children(properties, "numPr"), None)
    shading = None if properties is None else next(word_children(properties, "shd"), None)
    return _Style(
        word_value(element, "basedOn"),
        "" if numbering is None else word_value(numbering, "numId"),
        None if numbering is None else number_of(word_value(numbering, "ilvl")),
        _appearance(next(word_children(element, "rPr"), None)),
        None if shading is None else shade_of(partial(word_attribute, shading)),
        word_attribute(element, "type") == "table" and any(_is_shading(one) for one in element.iter()),
        None if properties is None else number_of(word_value(properties, "outlineLvl")),
    )


def _defaults(root: Element) -> RunAppearance:
    """Return the properties of runs without a style."""
    holders = [root]
    for name in ("docDefaults", "rPrDefault", "rPr"):
        holders = [child for holder in holders for child in word_children(holder, name)]
    return _appearance(next(iter(holders), None))


def _appearance(properties: Element | None) -> RunAppearance:
    found = RunAppearance()
    for child in properties if properties is not None else ():
        name = child.tag.rpartition(" ")[2]
        found = found.with_property(f"w:{name}", partial(word_attribute, child))
    return found


def _is_shading(element: Element) -> bool:
    """Return whether the element is the shading of a cell in a colour other than white."""
    is_shading = element.tag.rpartition(" ")[2] == "shd"
    return is_shading and shade_of(partial(word_attribute, element)) not in (AUTOMATIC, WHITE)


def _is_on(value: str) -> bool:
    return bool(value) and value not in _OFF
