"""Classification of HTML elements: void, skipped and block elements, and elements with optional end tags."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

VOID_ELEMENTS: Final = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_SKIPPED_ELEMENTS: Final = frozenset(
    [
        *("script", "style", "template", "noscript", "svg", "annotation", "annotation-xml", "canvas", "object"),
        *(
            "iframe",
            "audio",
            "video",
            "datalist",
            "noembed",
            "progress",
            "meter",
            "rp",
            "mphantom",
            "mphantom",
            "head",
        ),
    ]
)
LAYOUT_PREFIX: Final = "layout-"
"""Prefix that renames the parts of a layout table, which only positions parts of the page."""
LAYOUT_PARTS: Final = ("table", "tbody", "tfoot", "tr", "td")
BLOCK_ELEMENTS: Final = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "html", "legend", "li", "listing", "main", "menu"),
        *("nav", "noframes", "ol", "p", "plaintext", "pre", "search", "section", "summary"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul", "xmp"),
        *(LAYOUT_PREFIX + part for part in LAYOUT_PARTS),
    ]
)
"""Elements that start a new line by the default style sheet of HTML; all others, unknown ones included, are inline."""
_TABLE_SCOPES: Final = ("td", "th", "caption")
TABLE_FRAMES: Final = ("table", "tr", "thead", "tbody", "tfoot")
"""Parts of a table without text of their own."""
TABLE_PARTS: Final = (*TABLE_FRAMES, *_TABLE_SCOPES)
_MAX_SEARCHED: Final = 64
"""Number of open elements that are searched for the element that a tag ends."""


@dataclass(frozen=True, slots=True)
class ImpliedEnd:
    """Rule by which a start tag implies the end tag of an open element.

    Attributes:
        ended: names of elements of which the innermost open one ends.
        bounds: names of elements at which the search stops.
        is_passing: whether the search passes other elements, which browsers would close and reopen.
    """

    ended: frozenset[str]
    bounds: frozenset[str]
    is_passing: bool = False


_ENDED_WITHOUT_TAG: Final = frozenset({"p", "li", "dt", "dd", "option", "optgroup"})
_SCOPE_BOUNDS: Final = frozenset({*_TABLE_SCOPES, "table", "button", "object", "template"})
_PARAGRAPH_END: Final = ImpliedEnd(frozenset({"p"}), _SCOPE_BOUNDS)
# HTML, 13.1.2.4: start tags before which the end tag of a paragraph may be omitted.
_ENDS_PARAGRAPH: Final = (
    BLOCK_ELEMENTS
    - {"body", "caption", "html", "legend", "noframes", "title", "frameset"}
    - {"tbody", "td", "tfoot", "th", "thead", "tr"}
) | {"hr"}
_CELL_END: Final = ImpliedEnd(frozenset({"td", "th"}), frozenset({"tr", "table"}), is_passing=True)
_ROW_END: Final = ImpliedEnd(frozenset({"tr"}), frozenset({"table"}), is_passing=True)
_ROW_GROUP_END: Final = ImpliedEnd(
    frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"}), is_passing=True
)
_ITEM_END: Final = ImpliedEnd(frozenset({"li"}), _SCOPE_BOUNDS | {"ul", "ol", "menu", "dir"})
_OPTION_END: Final = ImpliedEnd(frozenset({"option"}), frozenset({"select", "datalist"}))
_TERM_END: Final = ImpliedEnd(frozenset({"dt", "dd"}), _SCOPE_BOUNDS | {"dl"})
_IMPLIED_ENDS: Final[Mapping[str, Sequence[ImpliedEnd]]] = {
    **dict.fromkeys(_ENDS_PARAGRAPH, (_PARAGRAPH_END,)),
    **dict.fromkeys(("dt", "dd"), (_TERM_END, _PARAGRAPH_END)),
    **dict.fromkeys(("td", "th"), (_CELL_END,)),
    **dict.fromkeys(("thead", "tbody", "tfoot"), (_ROW_GROUP_END,)),
    "li": (_ITEM_END, _PARAGRAPH_END),
    "tr": (_ROW_END,),
    **dict.fromkeys(("option", "optgroup"), (_OPTION_END,)),
}
HEAD_ELEMENTS: Final = frozenset({"title", "meta", "link", "base", "script", "style", "template", "noscript"})
"""Elements of a page's head; any other start tag ends the head."""


def implied_ends(tag: str) -> Sequence[ImpliedEnd]:
    """Return the implied ends of a start tag: HTML lets authors omit end tags, such as `</li>` before `<li>`."""
    return _IMPLIED_ENDS.get(tag, ())


def ended_name(implied: ImpliedEnd, opened: Iterable[str]) -> str | None:
    """Return the name of the open element that a start tag ends; None if it ends no element.

    Args:
        implied: one of `implied_ends`.
        opened: names of the open elements, the innermost first.
    """
    for name in islice(opened, _MAX_SEARCHED):
        if name in implied.ended:
            return name
        if name in implied.bounds or not (implied.is_passing or name in _ENDED_WITHOUT_TAG):
            return None
    return None


def is_never_text(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Return whether browsers or screen readers do not present the element's text; of a list they show the choice."""
    if tag == "option" and "selected" not in attributes:
        return True
    return tag in _SKIPPED_ELEMENTS or (attributes.get("aria-hidden") or "").lower() == "true"


def ends_element(tag: str, opened: Iterable[str]) -> bool:
    """Return whether an end tag has an open element to end; a stray tag in a cell does not end elements around it.

    Args:
        tag: name of the end tag.
        opened: names of the open elements, the innermost first.
    """
    for name in islice(opened, _MAX_SEARCHED):
        if name == tag:
            return True
        if name == "table" or (name in _TABLE_SCOPES and tag not in TABLE_PARTS):
            return False
    return False


TABLE_CELLS: Final = ("td", "th")
TABLE_SECTIONS: Final = ("thead", "tbody", "tfoot")
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_DEFAULT_LEVEL: Final = 2
"""Level of a heading by its role, without a level (ARIA 1.2)."""
_META_PROPERTIES: Final = {
    "author": "author",
    "description": "description",
    "keywords": "keywords",
    "date": "date",
    "article:published_time": "date",
    "dcterms.date": "date",
}
"""Names of `meta` elements, and of the fields that they become."""


def meta_properties(meta: Mapping[str, str | None]) -> dict[str, str]:
    """Return the property in a `meta` element; none if it has another name or no content."""
    name = _META_PROPERTIES.get((meta.get("name") or meta.get("property") or "").lower())
    text = (meta.get("content") or "").strip()
    return {name: text} if name is not None and text else {}


_SHOWN_FIELDS: Final = frozenset(
    ("text", "number", "date", "time", "month", "week", "datetime-local", "email", "tel", "url", "search")
)
"""Types of fields whose value browsers show."""


def field_text(field: Mapping[str, str | None]) -> str:
    """Return what a field of a form shows: its tick before its label, or the text in it."""
    kind = (field.get("type") or "text").strip().lower()
    if kind in ("checkbox", "radio"):
        return " [x] " if "checked" in field else " [ ] "
    return f" {field.get('value') or ''} " if kind in _SHOWN_FIELDS else ""


def heading_level(tag: str, attributes: Mapping[str, str | None]) -> int:
    """Return the level of a heading, by its element or its role; 0 for other elements."""
    if tag not in BLOCK_ELEMENTS or (attributes.get("role") or "").strip().lower() != "heading":
        return HEADINGS.get(tag, 0)
    level = attributes.get("aria-level") or ""
    return int(level) if level in {*map(str, HEADINGS.values())} else HEADINGS.get(tag, _DEFAULT_LEVEL)
