"""Styles of a page's elements: from its own style sheets, its attributes, and unknown where another file has them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.html.css.appearance import (
    Appearance,
    Declarations,
    declarations_of,
    declare,
    unescaped,
    without_comments,
)
from groundwire_readers.readers.html.css.selectors import CombinedRules, Features, features_of
from groundwire_readers.readers.html.element_kinds import LAYOUT_PREFIX

HtmlAttributes = list[tuple[str, str | None]]

# A sheet for print alone does not hide anything on a screen.
_STYLE: Final = re.compile(r"<style\b(?![^<>]{0,200}\bmedia\s?=\s?[\"']?print)", re.IGNORECASE)
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_LINKED: Final = re.compile(r"<link\b[^<>]{0,400}\bstylesheet\b|@import\b", re.IGNORECASE)
_SCREEN: Final = re.compile(
    r"(?:only )?(?:screen|all)?(?: and )?(?:\(\s*min-width\s*:\s*\d{1,3}(?:\.\d{1,3})?(?:px|r?em)\s*\))?"
)
_GROUPS: Final = ("@layer", "@scope", "@container", "@supports", "@document")
_STATE: Final = re.compile(r"(?<!\\):")
_DIVISION: Final = re.compile(r"([{};])")
_PRELUDE_CHARACTERS: Final = 4000
_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n])"
_NAME: Final = rf"-{{0,2}}(?:[^\W\d]|{_ESCAPE})(?:[\w-]|{_ESCAPE})*+"
_SELECTOR: Final = re.compile(rf"[.#]?{_NAME}")
_NAMES: Final = re.compile(rf"[.#]?{_NAME}|\*")
_SELECTOR_CHARACTERS: Final = 400
_BARE_COLOUR: Final = re.compile(r"\A([0-9a-f]{6})\Z")
_PAIRS_MAX: Final = 64
_PAGE: Final = ("html", "body")


@dataclass(frozen=True, slots=True)
class PageStyles:
    """Styles that the sheets of a page give.

    Attributes:
        rules: declarations by simple selector (`.name`, `#name`, `name`); rules under a condition are not counted.
        combined: rules of selectors with several parts.
        coloured: parts of other selectors, each of which can give an element a background.
        has_linked_sheets: whether sheets in other files, which are not read, can give any named element a background.
    """

    rules: Mapping[str, Declarations]
    combined: CombinedRules
    coloured: frozenset[str] = frozenset()
    has_linked_sheets: bool = False

    def style_of(self, tag: str, attributes: Mapping[str, str | None], around: Sequence[Features]) -> Declarations:
        """Return the declarations of an element: those of its name, its classes, its id, then its own.

        Args:
            tag: its name.
            attributes: its attributes.
            around: features of the elements around it, the outermost first.
        """
        style: dict[str, str] = {}
        for selector in _selectors(tag, attributes) if self.rules else ():
            declare(style, self.rules.get(selector, {}))
        declare(style, self.combined.style_of(features_of(tag, attributes), around))
        # The attributes of HTML take colours without their number sign, too.
        if attributes.get("bgcolor"):
            style.setdefault("background", _BARE_COLOUR.sub(r"#\1", (attributes["bgcolor"] or "").strip().lower()))
        if tag == "font" and attributes.get("color"):
            style["color"] = _BARE_COLOUR.sub(r"#\1", (attributes["color"] or "").strip().lower())
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
    combined = CombinedRules()
    coloured: set[str] = set()
    for sheet in _style_sheets(page):
        for selectors, text in _rules(without_comments(sheet)):
            style = declarations_of(text)
            has_background = any(name.startswith("background") for name in style)
            for selector in dict.fromkeys(map(str.strip, selectors.split(","))):
                if _SELECTOR.fullmatch(selector):
                    name = unescaped(selector) if selector[0] in ".#" else unescaped(selector).lower()
                    declare(rules.setdefault(name, {}), style)
                    continue
                combined.add(selector, style)
                if has_background:
                    coloured.update(_last_names(selector))
    return PageStyles(rules, combined, frozenset(coloured), _LINKED.search(page) is not None)


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


@dataclass(slots=True)
class _OpenRule:
    """A rule of a style sheet that has not ended.

    Attributes:
        counts: whether it and those around it hold on a screen.
    """

    selectors: str
    counts: bool
    declarations: list[str]


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that holds on a screen, those within others included."""
    opened = [_OpenRule("", counts=True, declarations=[])]
    before = ""
    # CSS Syntax 3: the end of a sheet closes the rules that are open.
    for part in [*_DIVISION.split(sheet), *"}"]:
        innermost = opened[-1]
        match part:
            case ";":
                innermost.declarations.append(before)
            case "{":
                opened.append(_opened(before, innermost))
            case "}":
                if before.strip():
                    innermost.declarations.append(before)
                if innermost.counts and innermost.selectors and innermost.declarations:
                    yield innermost.selectors, ";".join(innermost.declarations)
                if len(opened) > 1:
                    opened.pop()
            case _:
                before = part
                continue
        before = ""
    yield from (
        (rule.selectors, ";".join(rule.declarations))
        for rule in opened
        if rule.counts and rule.selectors and rule.declarations
    )


def _opened(prelude: str, around: _OpenRule) -> _OpenRule:
    words = " ".join(prelude[:_PRELUDE_CHARACTERS].lower().split()) if prelude.lstrip()[:1] == "@" else ""
    if words:
        return _OpenRule(around.selectors, counts=around.counts and _holds(words), declarations=[])
    # CSS Syntax 3: the marks of HTML's comments mean nothing in a sheet.
    selectors = prelude.replace("<!--", "").replace("-->", "").strip()
    if around.selectors and max(len(around.selectors), len(selectors)) <= _SELECTOR_CHARACTERS:
        outer = around.selectors.split(",", _PAIRS_MAX)
        pairs = [(out.strip(), one.strip()) for out in outer for one in selectors.split(",", _PAIRS_MAX)]
        if len(pairs) <= _PAIRS_MAX:  # else the inner ones count alone
            selectors = ",".join(one.replace("&", out, 1) if "&" in one else f"{out} {one}" for out, one in pairs)
    return _OpenRule(selectors, counts=around.counts, declarations=[])


def _holds(words: str) -> bool:
    """Return whether a condition holds on a screen of common width."""
    name, _, condition = words.partition(" ")
    if name == "@media":
        return any(_SCREEN.fullmatch(each.strip()) for each in condition.split(","))
    return name.startswith(_GROUPS) and "not" not in condition.split() and "not(" not in condition


def _selectors(tag: str, attributes: Mapping[str, str | None]) -> Sequence[str]:
    identity = attributes.get("id")
    names = (attributes.get("class") or "").split()
    return [tag.removeprefix(LAYOUT_PREFIX), *(f".{name}" for name in names), *([f"#{identity}"] if identity else [])]
