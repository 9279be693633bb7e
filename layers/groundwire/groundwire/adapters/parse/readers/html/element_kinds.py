"""Kinds of HTML elements: void ones, skipped ones, and those that begin a new line."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

VOID_ELEMENTS: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_SKIPPED_ELEMENTS: Final = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "annotation",
        "annotation-xml",
        "canvas",
        "object",
        "iframe",
        "audio",
        "video",
        "select",
        "textarea",
        "head",
    ]
)
BLOCK_ELEMENTS: Final = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "html", "legend", "li", "listing", "main", "menu"),
        *("nav", "noframes", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"),
    ]
)
"""Elements that begin a new line by the default style sheet of HTML; browsers show all others, unknown ones included,
within the line.
"""
_TABLE_SCOPES: Final = ("td", "th", "caption")
_TABLE_PARTS: Final = ("table", "tr", "thead", "tbody", "tfoot", *_TABLE_SCOPES)
_MAX_NESTING: Final = 64
"""Number of open elements among which an end tag finds its own."""


def is_never_text(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Return whether browsers show no text of the element."""
    return tag in _SKIPPED_ELEMENTS or (attributes.get("aria-hidden") or "").lower() == "true"


def ends_element(tag: str, opened: Iterable[str]) -> bool:
    """Return whether an end tag has an element to end: a stray one in a cell ends nothing around the cell.

    Args:
        tag: name of the end tag.
        opened: names of the open elements, the innermost first.
    """
    for each in islice(opened, _MAX_NESTING):
        if each == tag:
            return True
        if each == "table" or (each in _TABLE_SCOPES and tag not in _TABLE_PARTS):
            return False
    return False
