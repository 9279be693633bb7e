"""Styles of a page's elements, from its `style` elements and attributes; external style sheets count as unknown."""

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
from groundwire_readers.readers.html.css.counter_styles import AT_RULE, CounterStyle, defined_styles
from groundwire_readers.readers.html.css.generated_text import PSEUDO_ELEMENT, generated_of
from groundwire_readers.readers.html.css.selectors import ComplexRules, Features, features_of
from groundwire_readers.readers.html.element_kinds import LAYOUT_PREFIX

HtmlAttributes = list[tuple[str, str | None]]

# A style sheet for print does not hide anything on a screen.
_STYLE: Final = re.compile(r"<style\b(?![^<>]{0,200}\bmedia\s?=\s?[\"']?print)", re.IGNORECASE)
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_LINKED: Final = re.compile(r"<link\b[^<>]{0,400}\bstylesheet\b|@import\b", re.IGNORECASE)
_SCREEN: Final = re.compile(
    r"(?:only )?(?:screen|all)?(?: and )?(?:\(\s*min-width\s*:\s*\d{1,3}(?:\.\d{1,3})?(?:px|r?em)\s*\))?"
)
_GROUPING_RULES: Final = ("@layer", "@scope", "@container", "@supports", "@document")
_STATE: Final = re.compile(r"(?<!\\):")
_DIVISION: Final = re.compile(
    r"""(?:\\.|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|[^{};\\"']++|[\\"'])++|[{};]""", re.DOTALL
)
"""Text up to a brace or a semicolon, those in strings included, or one of these."""
_PRELUDE_CHARACTERS: Final = 4000
_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n])"
_NAME: Final = rf"-{{0,2}}(?:[^\W\d]|{_ESCAPE})(?:[\w-]|{_ESCAPE})*+"
_SELECTOR: Final = re.compile(rf"[.#]?{_NAME}")
_NAMES: Final = re.compile(rf"[.#]?{_NAME}|\*")
_SELECTOR_CHARACTERS: Final = 400
_BARE_COLOUR: Final = re.compile(r"\A([0-9a-f]{6})\Z")
_MAX_NESTED_PAIRS: Final = 64
_PAGE: Final = ("html", "body")


@dataclass(frozen=True, slots=True)
class PageStyles:
    """Styles that the internal style sheets of a page define.

    Attributes:
        rules: declarations by simple selector (`.name`, `#name`, `name`); rules under a condition are ignored.
        combined: rules with complex selectors.
        generated: rules of text that is put before and behind elements, by the name of the pseudo-element.
        counters: counter styles that the page defines, by name.
        coloured: last names of complex selectors that set a background.
        has_linked_sheets: whether external style sheets, which are not read, may set backgrounds.
    """

    rules: Mapping[str, Declarations]
    combined: ComplexRules
    generated: Mapping[str, ComplexRules]
    counters: Mapping[str, CounterStyle]
    coloured: frozenset[str] = frozenset()
    has_linked_sheets: bool = False

    def style_of(self, tag: str, attributes: Mapping[str, str | None], around: Sequence[Features]) -> Declarations:
        """Return the declarations of an element: by its name, classes and id, then its `style` attribute.

        Args:
            tag: name of the element.
            attributes: attributes of the element.
            around: features of its ancestors, the outermost first.
        """
        style: dict[str, str] = {}
        for selector in _selectors(tag, attributes) if self.rules else ():
            declare(style, self.rules.get(selector, {}))
        declare(style, self.combined.style_of(features_of(tag, attributes), around))
        # Presentational attributes of HTML accept colours without the number sign.
        if attributes.get("bgcolor"):
            style.setdefault("background", _BARE_COLOUR.sub(r"#\1", (attributes["bgcolor"] or "").strip().lower()))
        if tag == "font" and attributes.get("color"):
            style["color"] = _BARE_COLOUR.sub(r"#\1", (attributes["color"] or "").strip().lower())
        if own := attributes.get("style"):
            declare(style, declarations_of(own))
        return style

    def appearance_of(
        self, tag: str, attributes: Mapping[str, str | None], style: Declarations, parent: Appearance
    ) -> Appearance:
        """Return the appearance of an element's text, inherited from its parent's (`parent`)."""
        can_be_coloured = bool(self.coloured) and not self.coloured.isdisjoint(["*", *_selectors(tag, attributes)])
        if self.has_linked_sheets and tag not in _PAGE and (attributes.get("class") or attributes.get("id")):
            can_be_coloured = True
        inherited = replace(parent, background=None) if can_be_coloured and parent.background is not None else parent
        return inherited.inherited_with(style) if style else inherited


def page_styles(page: str) -> PageStyles:
    """Return the styles of a page's internal style sheets."""
    rules: dict[str, dict[str, str]] = {}
    combined = ComplexRules()
    generated: dict[str, ComplexRules] = {}
    coloured: set[str] = set()
    counters: dict[str, str] = {}
    for sheet in _style_sheets(page):
        for selectors, text in _rules(without_comments(sheet)):
            if selectors.startswith(AT_RULE):
                counters[selectors.removeprefix(AT_RULE)] = text
                continue
            style = declarations_of(text)
            has_background = any(name.startswith("background") for name in style)
            for selector in dict.fromkeys(map(str.strip, selectors.split(","))):
                if (pseudo := PSEUDO_ELEMENT.search(selector)) is not None:
                    rules_of_text = generated.setdefault(pseudo[1].lower(), ComplexRules())
                    rules_of_text.add(selector[: pseudo.start()] or "*", generated_of(text))
                elif _SELECTOR.fullmatch(selector):
                    name = unescaped(selector) if selector[0] in ".#" else unescaped(selector).lower()
                    declare(rules.setdefault(name, {}), style)
                else:
                    combined.add(selector, style)
                    coloured.update(_last_names(selector) if has_background else ())
    has_linked_sheets = _LINKED.search(page) is not None
    return PageStyles(rules, combined, generated, defined_styles(counters), frozenset(coloured), has_linked_sheets)


def _last_names(selector: str) -> list[str]:
    """Return the names in the last compound selector, which the element itself must match."""
    parts = selector[-_SELECTOR_CHARACTERS:].replace(">", " ").replace("+", " ").replace("~", " ").split()
    return [unescaped(name) for name in _NAMES.findall(_STATE.split(parts[-1])[0])] or ["*"] if parts else []


def _style_sheets(page: str) -> Iterator[str]:
    """Yield the contents of the `style` elements, up to the first without an end tag; takes linear time."""
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
    """Block whose closing brace has not been read.

    Attributes:
        counts: whether it and its enclosing rules apply on a screen.
    """

    selectors: str
    applies: bool
    declarations: list[str]


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and declarations of each rule that applies on a screen, nested rules included."""
    open_rules = [_OpenRule("", applies=True, declarations=[])]
    pending_text = ""
    # CSS Syntax 3: the end of a style sheet closes open rules.
    for part in [*_DIVISION.findall(sheet), "}"]:
        innermost = open_rules[-1]
        match part:
            case ";":
                innermost.declarations.append(pending_text)
            case "{":
                open_rules.append(_open_rule(pending_text, innermost))
            case "}":
                if pending_text.strip():
                    innermost.declarations.append(pending_text)
                if innermost.applies and innermost.selectors and innermost.declarations:
                    yield innermost.selectors, ";".join(innermost.declarations)
                if len(open_rules) > 1:
                    open_rules.pop()
            case _:
                pending_text = part
                continue
        pending_text = ""
    yield from (
        (rule.selectors, ";".join(rule.declarations))
        for rule in open_rules
        if rule.applies and rule.selectors and rule.declarations
    )


def _open_rule(prelude: str, parent: _OpenRule) -> _OpenRule:
    words = " ".join(prelude[:_PRELUDE_CHARACTERS].lower().split()) if prelude.lstrip()[:1] == "@" else ""
    if words.startswith(AT_RULE):
        return _OpenRule(words, applies=parent.applies, declarations=[])
    if words:
        return _OpenRule(parent.selectors, applies=parent.applies and _applies(words), declarations=[])
    # CSS Syntax 3: HTML comment delimiters are ignored in a style sheet.
    selectors = prelude.replace("<!--", "").replace("-->", "").strip()
    if parent.selectors and max(len(parent.selectors), len(selectors)) <= _SELECTOR_CHARACTERS:
        outer = parent.selectors.split(",", _MAX_NESTED_PAIRS)
        pairs = [
            (outer_selector.strip(), inner_selector.strip())
            for outer_selector in outer
            for inner_selector in selectors.split(",", _MAX_NESTED_PAIRS)
        ]
        if len(pairs) <= _MAX_NESTED_PAIRS:  # else the inner ones count alone
            selectors = ",".join(
                inner_selector.replace("&", outer_selector, 1)
                if "&" in inner_selector
                else f"{outer_selector} {inner_selector}"
                for outer_selector, inner_selector in pairs
            )
    return _OpenRule(selectors, applies=parent.applies, declarations=[])


def _applies(words: str) -> bool:
    """Return whether a conditional at-rule applies on a screen of common width."""
    name, _, condition = words.partition(" ")
    if name == "@media":
        return any(_SCREEN.fullmatch(query.strip()) for query in condition.split(","))
    return name.startswith(_GROUPING_RULES) and "not" not in condition.split() and "not(" not in condition


def _selectors(tag: str, attributes: Mapping[str, str | None]) -> Sequence[str]:
    identity = attributes.get("id")
    names = (attributes.get("class") or "").split()
    return [tag.removeprefix(LAYOUT_PREFIX), *(f".{name}" for name in names), *([f"#{identity}"] if identity else [])]
