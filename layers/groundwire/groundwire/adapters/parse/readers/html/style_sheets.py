"""Styles of a page's elements: from its own style sheets, its attributes, and unknown where another file has them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.adapters.parse.readers.html.appearance import (
    Appearance,
    Declarations,
    declarations_of,
    declare,
    unescaped,
    without_comments,
)
from groundwire.adapters.parse.readers.html.element_kinds import LAYOUT_PREFIX

HtmlAttributes = list[tuple[str, str | None]]

_STYLE: Final = re.compile(r"<style\b", re.IGNORECASE)
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_LINKED: Final = re.compile(r"<link\b[^<>]{0,400}\bstylesheet\b|@import\b", re.IGNORECASE)
_CONDITIONAL: Final = re.compile(r"@[^{};@]{0,400}+\{(?:[^{}]{0,4000}+\{[^{}]{0,4000}+\})*+[^{}]{0,4000}+\}")
_STATE: Final = re.compile(r"(?<!\\):")
_BRACE: Final = re.compile(r"([{}])")
_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n])"
_NAME: Final = rf"-{{0,2}}(?:[^\W\d]|{_ESCAPE})(?:[\w-]|{_ESCAPE})*+"
_SELECTOR: Final = re.compile(rf"[.#]?{_NAME}")
_NAMES: Final = re.compile(rf"[.#]?{_NAME}|\*")
_SELECTOR_CHARACTERS: Final = 400
_PAGE: Final = ("html", "body")


@dataclass(frozen=True, slots=True)
class PageStyles:
    """Styles that the sheets of a page give.

    Attributes:
        rules: declarations by simple selector (`.name`, `#name`, `name`); rules under a condition are not counted.
        coloured: parts of other selectors, each of which can give an element a background.
        has_linked_sheets: whether sheets in other files, which are not read, can give any named element a background.
    """

    rules: Mapping[str, Declarations]
    coloured: frozenset[str] = frozenset()
    has_linked_sheets: bool = False

    def style_of(self, tag: str, attributes: Mapping[str, str | None]) -> Declarations:
        """Return the declarations of an element: those of its name, its classes, its id, then its own."""
        style: dict[str, str] = {}
        for selector in _selectors(tag, attributes) if self.rules else ():
            declare(style, self.rules.get(selector, {}))
        if attributes.get("bgcolor"):
            style.setdefault("background", (attributes["bgcolor"] or "").strip().lower())
        if tag == "font" and attributes.get("color"):
            style["color"] = (attributes["color"] or "").strip().lower()
        if own := attributes.get("style"):
            declare(style, declarations_of(own))
        return style

    def appearance_of(
        self, tag: str, attributes: Mapping[str, str | None], style: Declarations, around: Appearance
    ) -> Appearance:
        """Return the appearance of the text in an element within another one."""
        can_be_coloured = bool(self.coloured) and not self.coloured.isdisjoint(["*", *_selectors(tag, attributes)])
        if self.has_linked_sheets and tag not in _PAGE and (attributes.get("class") or attributes.get("id")):
            can_be_coloured = True
        found = replace(around, background=None) if can_be_coloured and around.background is not None else around
        return found.within(style) if style else found


def page_styles(page: str) -> PageStyles:
    """Return the styles of a page's own sheets."""
    rules: dict[str, dict[str, str]] = {}
    coloured: set[str] = set()
    for sheet in _style_sheets(page):
        for selectors, text in _rules(_CONDITIONAL.sub("", without_comments(sheet))):
            style = declarations_of(text)
            has_background = any(name.startswith("background") for name in style)
            for selector in map(str.strip, selectors.split(",")):
                if _SELECTOR.fullmatch(selector):
                    name = unescaped(selector) if selector[0] in ".#" else unescaped(selector).lower()
                    declare(rules.setdefault(name, {}), style)
                elif has_background:
                    coloured.update(_last_names(selector))
    return PageStyles(rules, frozenset(coloured), _LINKED.search(page) is not None)


def _last_names(selector: str) -> list[str]:
    """Return the names in the last part of a selector, which the element itself has."""
    parts = selector[-_SELECTOR_CHARACTERS:].replace(">", " ").replace("+", " ").replace("~", " ").split()
    return [unescaped(name) for name in _NAMES.findall(_STATE.split(parts[-1])[0])] or ["*"] if parts else []


def _style_sheets(page: str) -> Iterator[str]:
    """Yield the contents of the `style` elements up to the first that does not end, in linear time."""
    position = 0
    while (begin := _STYLE.search(page, position)) is not None:
        start = page.find(">", begin.end()) + 1
        end = _STYLE_END.search(page, start) if start else None
        if end is None:
            return
        yield page[start : end.start()]
        position = end.end()


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that holds no other rule."""
    parts = _BRACE.split(sheet)
    for index in range(1, len(parts) - 2, 2):
        if parts[index] == "{" and parts[index + 2] == "}":
            yield parts[index - 1], parts[index + 1]


def _selectors(tag: str, attributes: Mapping[str, str | None]) -> Sequence[str]:
    identity = attributes.get("id")
    names = (attributes.get("class") or "").split()
    return [tag.removeprefix(LAYOUT_PREFIX), *(f".{name}" for name in names), *([f"#{identity}"] if identity else [])]
