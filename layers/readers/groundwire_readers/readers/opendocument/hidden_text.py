"""Removal of hidden text from an OpenDocument tree: by colour, size or style."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.opendocument.styles import (
    DRAW,
    FORMATTING,
    STYLE,
    TABLE,
    TEXT,
    StyleChains,
    is_unreadable_size,
)
from groundwire_readers.readers.visibility import WHITE, Colour, colour_of, look_same

_SVG: Final = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
_MIN_COVERING_AREA: Final = 40.0
"""Minimum area of an image behind the text, in square centimetres, that may be its background."""
_LENGTH: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt)")
_CENTIMETRES: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72}
_STYLE_KINDS: Final = {
    f"{TEXT} p": "paragraph",
    f"{TEXT} h": "paragraph",
    f"{TEXT} span": "text",
    f"{TEXT} a": "text",
    f"{TABLE} table": "table",
    f"{TABLE} table-row": "table-row",
    f"{TABLE} table-cell": "table-cell",
}
"""Style family of the elements with text; the family of shapes is "graphic"."""
_TEXTS: Final = (f"{TEXT} p", f"{TEXT} h", f"{TEXT} span", f"{TEXT} a")


@dataclass(frozen=True, slots=True)
class _InheritedFormat:
    """Colours and visibility that text takes from its ancestors; a colour is None if it is unknown."""

    colour: Colour | None
    background: Colour | None
    is_hidden: bool = False

    @property
    def is_visible(self) -> bool:
        if self.is_hidden:
            return False
        return self.colour is None or self.background is None or not look_same(self.colour, self.background)


class Looks:
    """Resolved text formats of the styles of a file."""

    def __init__(self, trees: list[Element]) -> None:
        """Take the XML trees that define styles."""
        self._styles = StyleChains(trees)
        self._properties: dict[tuple[str, str], Mapping[str, str]] = {}
        layouts = [layout for tree in trees for layout in tree.iter(f"{STYLE} page-layout-properties")]
        self._has_white_pages = all(_fill(layout.attrib, WHITE) == WHITE for layout in layouts)

    def remove_hidden_text(self, page: Element, *, is_slide: bool = False) -> bool:
        """Remove the hidden text of a page in place, and return whether there was any.

        The background of a slide depends on its master page, which is not read, so its colour hides nothing.
        """
        is_known = not is_slide and self._has_white_pages and not self._has_image_behind_text(page)
        return self._remove_hidden(page, _InheritedFormat(None, WHITE if is_known else None))

    def _remove_hidden(self, element: Element, outer: _InheritedFormat, *, is_text: bool = False) -> bool:
        inherited = self._within(element, outer)
        if inherited.is_hidden:
            return bool("".join(element.itertext()).strip())
        is_removed = False
        # Fields, bookmarks and notes within a paragraph contain text, too.
        is_text = is_text or element.tag in _TEXTS
        if is_text and not inherited.is_visible and (element.text or "").strip():
            element.text, is_removed = "", True
        for child in element:
            is_removed |= self._remove_hidden(child, inherited, is_text=is_text)
            if is_text and not inherited.is_visible and (child.tail or "").strip():
                child.tail, is_removed = "", True
        return is_removed

    def _within(self, element: Element, outer: _InheritedFormat) -> _InheritedFormat:
        names = [element.get(f"{space} style-name") for space in (TEXT, TABLE, DRAW)]
        name = next((style_name for style_name in names if style_name is not None), None)
        kind = _STYLE_KINDS.get(element.tag, "graphic" if element.tag.startswith(DRAW) else "")
        if name is None or not kind:
            return outer
        properties = self._resolved(kind, name)
        is_shape = kind == "graphic" and element.tag != f"{DRAW} frame" and f"{DRAW} fill" not in properties
        colour = properties.get(f"{FORMATTING} color")
        is_automatic = properties.get(f"{STYLE} use-window-font-color") == "true"
        own_colour = None if is_automatic else (outer.colour if colour is None else colour_of(colour))
        is_tiny = is_unreadable_size(properties.get(f"{FORMATTING} font-size", ""))
        return _InheritedFormat(
            own_colour,
            # A shape without an explicit fill has the default fill of the program, which is unknown.
            _fill(properties, None if is_shape else outer.background),
            is_tiny or properties.get(f"{TEXT} display") == "none",
        )

    def _resolved(self, kind: str, name: str) -> Mapping[str, str]:
        """Return the properties of a style, inherited ones included."""
        if (kind, name) not in self._properties:
            resolved: dict[str, str] = {}
            for style in self._styles.chain(kind, name):
                for properties in style:
                    # The chain starts with the style itself, which overrides its parents.
                    resolved = {**properties.attrib, **resolved}
            self._properties[kind, name] = resolved
        return self._properties[kind, name]

    def _has_image_behind_text(self, page: Element) -> bool:
        return any(
            self._resolved("graphic", frame.get(f"{DRAW} style-name", "")).get(f"{STYLE} run-through") == "background"
            and _centimetres(frame, "width") * _centimetres(frame, "height") >= _MIN_COVERING_AREA
            for frame in page.iter()
            if frame.tag.startswith(f"{DRAW} ")
        )


def _fill(properties: Mapping[str, str], below: Colour | None) -> Colour | None:
    """Return the background with these properties; None if it is no single colour."""
    kind = properties.get(f"{DRAW} fill", "")
    if kind not in ("", "none"):
        return colour_of(properties.get(f"{DRAW} fill-color", "")) if kind == "solid" else None
    colour = properties.get(f"{FORMATTING} background-color", "transparent")
    return below if colour == "transparent" else colour_of(colour)


def _centimetres(element: Element, name: str) -> float:
    match = _LENGTH.fullmatch(element.get(f"{_SVG} {name}", ""))
    return 0.0 if match is None else float(match[1]) * _CENTIMETRES[match[2]]
