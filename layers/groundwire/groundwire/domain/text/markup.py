"""Markdown and HTML that would make a reader's program fetch something, turned into plain text.

Every pattern takes time in step with the text: runs are taken whole (possessive), and each scan ends where the
next one could begin.
"""

import re
from typing import Final
from urllib.parse import urlsplit

_TARGET: Final = (
    r"\(\s*+<?([^()<>\s]{0,4000}+(?:\([^()\s]{0,400}+\)[^()<>\s]{0,4000}+)?+)>?"
    r"""(?:\s++["'][^"']{0,400}+["'])?+\s*+\)"""
)
_IMAGE: Final = re.compile(r"!\[([^\[\]]{0,2000}+)\]" + _TARGET)
_NAMED_IMAGE: Final = re.compile(r"!\[([^\[\]]{0,2000}+)\]\[[^\[\]]{0,400}+\]")
_IMAGE_TAG: Final = re.compile(r"<img\b[^<>]{0,8000}+>", re.IGNORECASE)
_LINK: Final = re.compile(r"\[([^\[\]]{0,2000}+)\]" + _TARGET)
_DEFINITION: Final = re.compile(
    r"\[([^\[\]]{1,1000}+)\]:\s*+<?((?:[a-z][a-z0-9+.-]{0,30}+://|//|data:|javascript:)[^\s<>]{0,4000}+)>?",
    re.IGNORECASE,
)
_REMOTE: Final = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}+:|//)", re.IGNORECASE)
_NESTED_LINKS: Final = 8

_HALF_DEFINITION: Final = re.compile(r"\](?=:\s*+<?[a-z0-9+.-]{0,31}+[:/&\\])", re.IGNORECASE)
"""A label too odd for `_DEFINITION` before what could be an address, its scheme perhaps spelled with entities."""
_TAG: Final = re.compile(r"<(?=[a-z/!?])", re.IGNORECASE)
# Passages of code leave without a fence, so a client may render them. An element without attributes loads nothing
# (but for these two), and `vector<int>` or `</div>` is what a reader of code wants to copy.
_LOADING_TAG: Final = re.compile(
    r"<(?=[a-z!?])(?!(?!(?:script|style)\b)[a-z][a-z0-9_.]{0,60}+/?>)", re.IGNORECASE | re.ASCII
)


def strip_active_markup(text: str, *, is_code: bool) -> str:
    """The text with links as their words and hosts, without remote images, and nothing left that reads as a tag."""
    text = _IMAGE_TAG.sub("", text)
    for _ in range(_NESTED_LINKS):
        if "](" not in text and "![" not in text:
            break
        text = _LINK.sub(_link_text, _NAMED_IMAGE.sub(r"\1", _IMAGE.sub(_image_text, text)))
    return _break_up_markup(_DEFINITION.sub(_link_text, text), _LOADING_TAG if is_code else _TAG)


def _break_up_markup(text: str, tag: re.Pattern[str]) -> str:
    """With a space inside whatever the rules above did not know, so that no reader takes it for markup."""
    text = text.replace("](", "] (").replace("![", "! [")
    return tag.sub("< ", _HALF_DEFINITION.sub("] ", text))


def _image_text(image: re.Match[str]) -> str:
    """Alternative text belongs to the picture: it stays only where the picture is the document's own."""
    return "" if _REMOTE.match(image[2]) else image[1]


def _link_text(link: re.Match[str]) -> str:
    return text_with_host(link[1], link[2])


def text_with_host(text: str, address: str) -> str:
    """The text of a link, with the host it leads to unless the text names it already."""
    host = _host(address)
    return f"{text} ({host})" if host and host not in text.lower() else text


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "") if _REMOTE.match(address) else ""
    except ValueError:  # such as an unclosed IPv6 bracket
        return ""
