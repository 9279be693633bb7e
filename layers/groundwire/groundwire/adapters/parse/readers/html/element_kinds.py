"""Kinds of HTML elements: void ones, skipped ones, and those that begin a new line."""

from typing import Final

VOID_ELEMENTS: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
SKIPPED_ELEMENTS: Final = frozenset(
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
