"""Detection of titles and headings that an OpenDocument text marks only by paragraph styles."""

import re
from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.opendocument.styles import STYLE, TEXT, StyleChains, has_text

_PARAGRAPH: Final = f"{TEXT} p"
_HEADING: Final = f"{TEXT} h"
_TITLE_LEVEL: Final = 0
"""Marker level of title styles: the first such paragraph becomes a heading of level 1, the next ones do not."""
_HEADING_NAME: Final = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_BELOW_TITLES: Final = frozenset(
    {"author", "authors", "byline", "date", "subtitle", "abstract", "affiliation", "email", "autor", "autorin"}
    | {"auteur", "autore", "verfasser", "datum", "fecha", "untertitel"}
)
"""Words in the names of styles for lines below a title, which are often derived from the title style."""


class StyledHeadings:
    """Converter of styled paragraphs to headings in one file."""

    def __init__(self, trees: Iterable[Element]) -> None:
        """Take the XML trees that define styles."""
        self._styles = StyleChains(trees)
        self._levels: dict[str, int | None] = {}

    def write(self, elements: Iterable[Element]) -> None:
        """Convert paragraphs with a heading style within these elements to heading elements.

        Of adjacent paragraphs with a title style, only the first is a title: authors and dates follow it.
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
        """Return the heading level of a style; None for other styles."""
        if name not in self._levels:
            self._levels[name] = self._find_level(name)
        return self._levels[name]

    def _find_level(self, name: str) -> int | None:
        for style in self._styles.chain("paragraph", name):
            level = style.get(f"{STYLE} default-outline-level")
            if level is not None:
                return int(level) if level.isascii() and level.isdecimal() and len(level) == 1 else None
            # Internal names of styles encode a space by its hexadecimal code.
            display_name = style.get(f"{STYLE} display-name") or style.get(f"{STYLE} name", "").replace("_20_", " ")
            if display_name.lower() == "title":
                return _TITLE_LEVEL
            if (match := _HEADING_NAME.fullmatch(display_name)) is not None:
                return int(match[1])
            if not _BELOW_TITLES.isdisjoint(_WORD.findall(display_name.lower())):
                return None
        return None
