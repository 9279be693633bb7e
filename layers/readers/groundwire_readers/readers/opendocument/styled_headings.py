"""Titles and headings that an OpenDocument text marks by the styles of paragraphs alone."""

import re
from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.opendocument.styles import STYLE, TEXT, StyleChains, has_text

_PARAGRAPH: Final = f"{TEXT} p"
_HEADING: Final = f"{TEXT} h"
_TITLE_LEVEL: Final = 0
"""Level of the style of titles: such a paragraph is a heading of the first level, but not the one after it."""
_HEADING_NAME: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_BELOW_TITLES: Final = frozenset(
    {"author", "authors", "byline", "date", "subtitle", "abstract", "affiliation", "email", "autor", "autorin"}
    | {"auteur", "autore", "verfasser", "datum", "fecha", "untertitel"}
)
"""Words in the names of styles that can be derived from that of titles, for the lines below a title."""


class StyledHeadings:
    """Maker of headings of one file."""

    def __init__(self, trees: Iterable[Element]) -> None:
        """Take the parts that define styles."""
        self._styles = StyleChains(trees)
        self._levels: dict[str, int | None] = {}

    def write(self, elements: Iterable[Element]) -> None:
        """Make heading elements of the paragraphs within these elements that have the style of a heading.

        Of adjacent paragraphs with the style of titles only the first is one: authors and dates follow it.
        """
        is_below_title = False
        for element in elements:
            if element.tag == _PARAGRAPH and has_text(element):
                level = self._level_of(element.get(f"{TEXT} style-name", ""))
                if level is not None and not (is_below_title and level == _TITLE_LEVEL):
                    element.tag = _HEADING
                    element.set(f"{TEXT} outline-level", str(max(1, level)))
                is_below_title = level == _TITLE_LEVEL
            self.write(element)

    def _level_of(self, name: str) -> int | None:
        """Return the level of the headings with a style; None for other paragraphs."""
        if name not in self._levels:
            self._levels[name] = self._find_level(name)
        return self._levels[name]

    def _find_level(self, name: str) -> int | None:
        for style in self._styles.chain("paragraph", name):
            level = style.get(f"{STYLE} default-outline-level")
            if level is not None:
                return int(level) if level.isascii() and level.isdecimal() and len(level) == 1 else None
            # Internal names of styles encode a space by its hexadecimal code.
            shown = style.get(f"{STYLE} display-name") or style.get(f"{STYLE} name", "").replace("_20_", " ")
            if shown.lower() == "title":
                return _TITLE_LEVEL
            if (found := _HEADING_NAME.fullmatch(shown)) is not None:
                return int(found[1])
            if not _BELOW_TITLES.isdisjoint(_WORD.findall(shown.lower())):
                return None
        return None
