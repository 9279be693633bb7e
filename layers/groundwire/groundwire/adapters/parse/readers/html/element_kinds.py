"""Kinds of HTML elements: void, skipped and inline ones."""

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
INLINE_ELEMENTS: Final = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "math",
        "q",
        "ruby",
        "rb",
        "rp",
        "rt",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
    ]
)
