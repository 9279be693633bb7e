"""Styles of a Word file (`styles.xml`): inheritance, list references, and properties that affect visibility."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.readers.visibility import WHITE, Colour
from groundwire_readers.readers.word.appearance import AUTOMATIC, RunAppearance, shade_of
from groundwire_readers.readers.word.word_elements import number_of, word_attribute, word_children, word_value

_MAX_CHAIN: Final = 50
"""Maximum length of a chain of styles that are based on each other."""
_TITLE: Final = "title"
_HEADING: Final = re.compile(r"heading [1-9]")
_HEADING_ID: Final = re.compile(r"[Hh]eading([1-6])")
_MAX_LEVEL: Final = 6
_BODY_LEVEL: Final = 9
"""Outline level of body text."""
_FALSE_VALUES: Final = ("0", "false", "off")


@dataclass(frozen=True, slots=True)
class NumberReference:
    """Reference to a level of a list; `number_id` "0" removes a paragraph from any list.

    Attributes:
        style: id of the style with the reference; empty for a direct reference of a paragraph.
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
    """The styles of a file; `names` has their names by id, in lower case, which are the same in every language."""

    def __init__(self, part: bytes) -> None:
        """Read the XML of the part, which may be empty.

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
        self._resolved: dict[str, RunAppearance] = {}
        self._fills: dict[str, Colour | None] = {}
        self._appearances: dict[tuple[str, str, str], RunAppearance] = {}
        self._defaults = _defaults(root)

    def number_ids(self) -> dict[str, str]:
        """Return the list id of each style with a direct list reference."""
        return {identity: style.number_id for identity, style in self._styles.items() if style.number_id}

    def number_reference(self, identity: str) -> NumberReference | None:
        """Return the list reference of a style, inherited ones included; None without one."""
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
        self, direct: RunAppearance, run_style: str, paragraph_style: str, table_style: str = ""
    ) -> RunAppearance:
        """Return a run's resolved properties: direct ones, then of run, paragraph and table style, then defaults."""
        styles = (run_style, paragraph_style, table_style)
        if styles not in self._appearances:
            below = self._defaults
            for style in reversed(styles):
                below = self._resolved_appearance(style).over(below)
            self._appearances[styles] = below
        return direct.over(self._appearances[styles])

    def without_default_size(self) -> None:
        """Drop the file's default font size, so that text without an explicit size counts as readable."""
        self._appearances.clear()
        self._defaults = replace(self._defaults, points=None, complex_points=None)

    def _resolved_appearance(self, identity: str) -> RunAppearance:
        """Return the properties of a style, inherited ones included; each style is resolved once."""
        path: dict[str, _Style] = {}
        # `path` also ends a cycle of styles that are based on each other.
        while identity not in self._resolved and identity not in path and identity in self._styles:
            path[identity] = self._styles[identity]
            identity = self._styles[identity].based_on
        below = self._resolved.get(identity, RunAppearance())
        for name, style in reversed(path.items()):
            below = self._resolved[name] = style.appearance.over(below)
        return below

    def paragraph_fill(self, identity: str) -> Colour | None:
        """Return the paragraph background of a style, inherited ones included; None without one."""
        if identity not in self._fills:
            fills = (style.paragraph_fill for _, style in self._chain(identity))
            self._fills[identity] = next((fill for fill in fills if fill is not None), None)
        return self._fills[identity]

    def has_shading(self, identity: str) -> bool:
        """Return whether a table style gives any cell a background."""
        return any(style.is_shaded for _, style in self._chain(identity))

    def is_text(self, identity: str) -> bool:
        """Return whether a style is for body text although it is based on a title or heading style.

        Styles based on the title style, such as one for authors, inherit no outline level. Styles based on a heading
        style do, unless a style between them resets it.
        """
        for name, style in self._chain(identity):
            if self.names[name] == _TITLE and name != identity:
                return _TITLE not in self.names[identity].split()
            if style.outline is not None or _HEADING.fullmatch(self.names[name]):
                return style.outline is not None and style.outline >= _BODY_LEVEL
        return False

    def heading_level(self, identity: str) -> int | None:
        """Return the level of the headings of a style, from 1; None for body text."""
        for name, style in self._chain(identity):
            if self.is_text(name):
                break
            if style.outline is not None:
                return min(style.outline + 1, _MAX_LEVEL)
            if self.names[name] == _TITLE:
                return 1
        # Programs that write no outline levels use the ids of Word's own styles.
        if identity.lower() == _TITLE:
            return 1
        found = _HEADING_ID.fullmatch(identity)
        return None if found is None else int(found[1])

    def _chain(self, identity: str) -> Iterator[tuple[str, _Style]]:
        """Yield the style, then the styles that it is based on, in order."""
        for _ in range(_MAX_CHAIN):
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
        word_attribute(element, "type") == "table" and any(_is_shading(descendant) for descendant in element.iter()),
        None if properties is None else number_of(word_value(properties, "outlineLvl")),
    )


def _defaults(root: Element) -> RunAppearance:
    """Return the default run properties of the file."""
    holders = [root]
    for name in ("docDefaults", "rPrDefault", "rPr"):
        holders = [child for holder in holders for child in word_children(holder, name)]
    return _appearance(next(iter(holders), None))


def _appearance(properties: Element | None) -> RunAppearance:
    appearance = RunAppearance()
    for child in properties if properties is not None else ():
        name = child.tag.rpartition(" ")[2]
        appearance = appearance.with_property(f"w:{name}", partial(word_attribute, child))
    return appearance


def _is_shading(element: Element) -> bool:
    """Return whether the element is a shading in a colour other than white."""
    is_shading = element.tag.rpartition(" ")[2] == "shd"
    return is_shading and shade_of(partial(word_attribute, element)) not in (AUTOMATIC, WHITE)


def _is_on(value: str) -> bool:
    return bool(value) and value not in _FALSE_VALUES
