"""Removal of text that a person does not see from an OpenDocument tree: by its colour, its size or its style."""

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
_COVERING_CENTIMETRES: Final = 40.0
"""Least area of a picture behind the text, in square centimetres, that text may lie upon."""
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
"""Families of the styles that these elements refer to; those of shapes are "graphic"."""
_TEXTS: Final = (f"{TEXT} p", f"{TEXT} h", f"{TEXT} span", f"{TEXT} a")


@dataclass(frozen=True, slots=True)
class _Look:
    """Format of text at one place; a colour is None where it depends on something else."""

    colour: Colour | None
    background: Colour | None
    is_hidden: bool = False

    @property
    def is_seen(self) -> bool:
        if self.is_hidden:
            return False
        return self.colour is None or self.background is None or not look_same(self.colour, self.background)


class Looks:
    """The formats that the styles of a file give to text."""

    def __init__(self, trees: list[Element]) -> None:
        """Take the parts that define styles."""
        self._styles = StyleChains(trees)
        self._properties: dict[tuple[str, str], Mapping[str, str]] = {}
        layouts = [one for tree in trees for one in tree.iter(f"{STYLE} page-layout-properties")]
        self._has_white_pages = all(_fill(one.attrib, WHITE) == WHITE for one in layouts)

    def remove_hidden_text(self, page: Element, *, is_slide: bool = False) -> bool:
        """Remove the text that a person does not see, and return whether there was any.

        The ground of a slide depends on its master, so that text on it counts as seen.
        """
        is_known = not is_slide and self._has_white_pages and not self._has_picture_behind_text(page)
        return self._prune(page, _Look(None, WHITE if is_known else None))

    def _prune(self, element: Element, outer: _Look, *, is_text: bool = False) -> bool:
        look = self._within(element, outer)
        if look.is_hidden:
            return bool("".join(element.itertext()).strip())
        found = False
        # Fields, marks and notes within a paragraph have text of their own.
        is_text = is_text or element.tag in _TEXTS
        if is_text and not look.is_seen and (element.text or "").strip():
            element.text, found = "", True
        for child in element:
            found |= self._prune(child, look, is_text=is_text)
            if is_text and not look.is_seen and (child.tail or "").strip():
                child.tail, found = "", True
        return found

    def _within(self, element: Element, outer: _Look) -> _Look:
        names = [element.get(f"{space} style-name") for space in (TEXT, TABLE, DRAW)]
        name = next((one for one in names if one is not None), None)
        kind = _STYLE_KINDS.get(element.tag, "graphic" if element.tag.startswith(DRAW) else "")
        if name is None or not kind:
            return outer
        properties = self._resolved(kind, name)
        is_shape = kind == "graphic" and element.tag != f"{DRAW} frame" and f"{DRAW} fill" not in properties
        colour = properties.get(f"{FORMATTING} color")
        is_automatic = properties.get(f"{STYLE} use-window-font-color") == "true"
        own = None if is_automatic else (outer.colour if colour is None else colour_of(colour))
        is_tiny = is_unreadable_size(properties.get(f"{FORMATTING} font-size", ""))
        return _Look(
            own,
            # A shape without a fill of its own has the one of its program's defaults.
            _fill(properties, None if is_shape else outer.background),
            is_tiny or properties.get(f"{TEXT} display") == "none",
        )

    def _resolved(self, kind: str, name: str) -> Mapping[str, str]:
        """Return the properties of a style, with those of the styles that it is derived from."""
        if (kind, name) not in self._properties:
            found: dict[str, str] = {}
            for style in self._styles.chain(kind, name):
                for properties in style:
                    # The chain begins with the style itself, which overrides those that follow.
                    found = {**properties.attrib, **found}
            self._properties[kind, name] = found
        return self._properties[kind, name]

    def _has_picture_behind_text(self, page: Element) -> bool:
        return any(
            self._resolved("graphic", frame.get(f"{DRAW} style-name", "")).get(f"{STYLE} run-through") == "background"
            and _centimetres(frame, "width") * _centimetres(frame, "height") >= _COVERING_CENTIMETRES
            for frame in page.iter()
            if frame.tag.startswith(f"{DRAW} ")
        )


def _fill(properties: Mapping[str, str], below: Colour | None) -> Colour | None:
    """Return the background with these properties; None for one that is no plain colour."""
    kind = properties.get(f"{DRAW} fill", "")
    if kind not in ("", "none"):
        return colour_of(properties.get(f"{DRAW} fill-color", "")) if kind == "solid" else None
    colour = properties.get(f"{FORMATTING} background-color", "transparent")
    return below if colour == "transparent" else colour_of(colour)


def _centimetres(element: Element, name: str) -> float:
    found = _LENGTH.fullmatch(element.get(f"{_SVG} {name}", ""))
    return 0.0 if found is None else float(found[1]) * _CENTIMETRES[found[2]]
