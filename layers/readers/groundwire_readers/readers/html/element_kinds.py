"""Kinds of HTML elements: void ones, skipped ones, and those that begin a new line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
        "datalist",
        "noembed",
        "progress",
        "meter",
        "rp",
        "head",
    ]
)
LAYOUT_PREFIX: Final = "layout-"
"""Beginning of the names of parts of a table that only places the parts of a page."""
LAYOUT_PARTS: Final = ("table", "tbody", "tfoot", "tr", "td")
BLOCK_ELEMENTS: Final = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "html", "legend", "li", "listing", "main", "menu"),
        *("nav", "noframes", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"),
        *(LAYOUT_PREFIX + part for part in LAYOUT_PARTS),
    ]
)
"""Elements that begin a new line by the default style sheet of HTML; browsers show all others, unknown ones included,
within the line.
"""
_TABLE_SCOPES: Final = ("td", "th", "caption")
TABLE_PARTS: Final = ("table", "tr", "thead", "tbody", "tfoot", *_TABLE_SCOPES)
_MAX_NESTING: Final = 64
"""Number of open elements among which an end tag finds its own."""


@dataclass(frozen=True, slots=True)
class ImpliedEnd:
    """End of an element by a start tag.

    Attributes:
        ended: names of the elements of which the innermost one ends.
        bounds: names of those around which none ends.
        is_passing: elements that have no implied end are no bounds: browsers open some of them anew, with their styles.
    """

    ended: frozenset[str]
    bounds: frozenset[str]
    is_passing: bool = False


_ENDED_WITHOUT_TAG: Final = frozenset({"p", "li", "dt", "dd", "option", "optgroup"})
_BOUNDS: Final = frozenset({*_TABLE_SCOPES, "table", "button", "object", "template"})
_PARAGRAPH: Final = ImpliedEnd(frozenset({"p"}), _BOUNDS)
# HTML, 13.1.2.4: start tags before which an author may leave out the end of a paragraph.
_ENDS_PARAGRAPH: Final = (
    BLOCK_ELEMENTS
    - {"body", "caption", "html", "legend", "noframes", "optgroup", "option", "title", "frameset"}
    - {"tbody", "td", "tfoot", "th", "thead", "tr"}
) | {"hr"}
_CELL: Final = ImpliedEnd(frozenset({"td", "th"}), frozenset({"tr", "table"}), is_passing=True)
_ROW: Final = ImpliedEnd(frozenset({"tr"}), frozenset({"table"}), is_passing=True)
_ROWS: Final = ImpliedEnd(frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"}), is_passing=True)
_ITEM: Final = ImpliedEnd(frozenset({"li"}), _BOUNDS | {"ul", "ol", "menu", "dir"})
_TERM: Final = ImpliedEnd(frozenset({"dt", "dd"}), _BOUNDS | {"dl"})
_IMPLIED_ENDS: Final[Mapping[str, Sequence[ImpliedEnd]]] = {
    **dict.fromkeys(_ENDS_PARAGRAPH, (_PARAGRAPH,)),
    **dict.fromkeys(("dt", "dd"), (_TERM, _PARAGRAPH)),
    **dict.fromkeys(("td", "th"), (_CELL,)),
    **dict.fromkeys(("thead", "tbody", "tfoot"), (_ROWS,)),
    "li": (_ITEM, _PARAGRAPH),
    "tr": (_ROW,),
}
HEAD_ELEMENTS: Final = frozenset({"title", "meta", "link", "base", "script", "style", "template", "noscript"})
"""Elements of a page's head; any other ends it."""


def implied_ends(tag: str) -> Sequence[ImpliedEnd]:
    """Return what a start tag ends: HTML lets authors leave out end tags, such as that of an item before the next."""
    return _IMPLIED_ENDS.get(tag, ())


def ended_name(implied: ImpliedEnd, opened: Iterable[str]) -> str | None:
    """Return the name of the open element that a start tag ends; None where it ends none.

    Args:
        implied: one of `implied_ends`.
        opened: names of the open elements, the innermost first.
    """
    for each in islice(opened, _MAX_NESTING):
        if each in implied.ended:
            return each
        if each in implied.bounds or not (implied.is_passing or each in _ENDED_WITHOUT_TAG):
            return None
    return None


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
        if each == "table" or (each in _TABLE_SCOPES and tag not in TABLE_PARTS):
            return False
    return False
