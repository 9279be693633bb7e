"""Detection of HTML elements that a browser hides, and of navigation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

HtmlAttributes = list[tuple[str, str | None]]

_NAVIGATION: Final = ("navigation", "doc-toc", "doc-index", "menu", "menubar")
_CONTENTS: Final = ("toc", "table-of-contents")
_STYLE: Final = re.compile(r"<style\b", re.IGNORECASE)
_STYLE_END: Final = re.compile(r"</style", re.IGNORECASE)
_CONDITIONAL: Final = re.compile(r"@[^{};@]{0,400}+\{(?:[^{}]{0,4000}+\{[^{}]{0,4000}+\})*+[^{}]{0,4000}+\}")
_BRACE: Final = re.compile(r"([{}])")
_SELECTOR: Final = re.compile(r"[.#]?[a-z][\w-]*", re.IGNORECASE)
_INVISIBLE: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|font-size\s*:\s*+(?:(?:0++(?:\.0++)?+|\.0++)(?:px|pt|em|rem|%)?|1(?:px|pt)|[01]?\.\d{1,9}(?:px|pt))"
    r"\s*+(?:;|!|$)"
    r"|opacity\s*:\s*+0*+(?:\.0++)?+\s*+(?:;|!|$)|(?<![-\w])(?:left|top|right|text-indent)\s*:\s*-\d{3,}"
    r"|margin-left\s*:\s*-\d{4,}"
    r"|(?<![-\w])(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:;|!|$)|clip\s*:\s*rect\(\s*0"
    r"|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?<![-\w])color\s*:\s*transparent",
    re.IGNORECASE,
)


def hidden_selectors(page: str) -> frozenset[str]:
    """Return the simple selectors (`.name`, `#name`, `name`) that the page's own style sheets make invisible.

    Rules under a condition, such as those for print, are not counted.
    """
    found: set[str] = set()
    for sheet in _style_sheets(page):
        for selectors, declarations in _rules(_CONDITIONAL.sub("", sheet)):
            if _INVISIBLE.search(declarations):
                names = (selector.strip() for selector in selectors.split(","))
                found |= {name for name in names if _SELECTOR.fullmatch(name)}
    return frozenset(found)


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


def is_hidden(tag: str, attributes: HtmlAttributes, selectors: frozenset[str]) -> bool:
    """Return whether the element and all within it is invisible, or navigation."""
    values = dict(attributes)
    if _is_navigation(values):
        return True
    if "hidden" in values or (values.get("aria-hidden") or "").lower() == "true":
        return True
    if _INVISIBLE.search(values.get("style") or ""):
        return True
    return bool(selectors) and not selectors.isdisjoint(_selectors(tag, values.get("class"), values.get("id")))


def _is_navigation(values: Mapping[str, str | None]) -> bool:
    """Return whether the element is a table of contents, a menu or a link to the page in another language."""
    names = {*(values.get("class") or "").split(), values.get("id")}
    return values.get("role") in _NAVIGATION or not names.isdisjoint(_CONTENTS) or "hreflang" in values


def _selectors(tag: str, classes: str | None, identity: str | None) -> Sequence[str]:
    return [tag, *(f".{name}" for name in (classes or "").split()), *([f"#{identity}"] if identity else [])]
