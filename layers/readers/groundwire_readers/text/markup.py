"""Removal of active Markdown and HTML: markup that makes a client fetch something becomes plain text.

All patterns take time linear in the text: runs are matched possessively, and each scan ends where the next one could
start.
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
# What a link or an image leaves can be a link again; a fixed number of rounds bounds the time.
_NESTED_LINKS: Final = 8

_HALF_DEFINITION: Final = re.compile(r"\](?=:\s*+<?[a-z0-9+.-]{0,31}+[:/&\\])", re.IGNORECASE)
"""Label that `_DEFINITION` does not match, before a possible address, whose scheme may be spelled with entities."""
_ELEMENTS: Final = (
    "a|applet|area|audio|base|basefont|bgsound|body|button|canvas|datalist|details|dialog|embed|form|frame|frameset"
    "|head|html|iframe|image|img|input|isindex|keygen|link|math|meta|meter|noembed|noframes|noscript|object|picture"
    "|plaintext|portal|progress|rp|script|select|source|style|svg|template|textarea|track|video|xmp"
    # What these do to their text goes on behind it, where no end tag follows.
    "|abbr|acronym|b|bdo|big|blink|center|cite|code|del|dfn|em|font|h1|h2|h3|h4|h5|h6|i|ins|kbd|listing|mark|marquee"
    "|nobr|pre|q|rb|rt|rtc|ruby|s|samp|small|strike|strong|sub|sup|tt|u|var"
)
"""Names of elements that load, hide or draw something, or change how the text behind them looks; others do nothing."""
_ROLES: Final = r"system|assistant|tool[\w-]*|function[\w-]*|think\w*|instructions?|results?|untrusted[\w-]*|doc-[\w-]*"
"""Names that models take for the frame of a message."""
_ACTING: Final = "hidden|inert|popover|contenteditable|autofocus|draggable|autoplay|open"
"""Attributes that act without a value."""
_PLACEHOLDER: Final = (
    rf"(?!(?:{_ELEMENTS}|{_ROLES})[\s/>])[a-z][\w.@+-]{{0,60}}+"
    rf"(?: (?!(?:{_ACTING})[ />])[\w.,@+-]{{1,60}}+){{0,12}}+/?>"
    r"|(?:https?://|mailto:)[^\s<>=|\"'`\\]{1,2000}+>"
)
"""Text between angle brackets that loads nothing: a placeholder such as `<file name>`, or an address.

A browser takes either for an element that does nothing, such as `section` or an unknown one, and its words for
attributes, most of which do nothing without a value. So no equals sign is among them, no attribute that acts alone, and
no bar, behind which some clients show another text.
End tags are no placeholders: they could close an element around the text.
"""
_TAG: Final = re.compile(rf"<(?=[a-z/!?])(?!{_PLACEHOLDER})", re.IGNORECASE)
# Passages of code are sent without a fence, so a client may render them. An element without attributes loads nothing
# (except these two), and readers of code want to copy `vector<int>` or `</div>`.
_LOADING_TAG: Final = re.compile(
    rf"<(?=[a-z!?])(?!(?!(?:script|style)\b)[a-z][a-z0-9_.]{{0,60}}+/?>|{_PLACEHOLDER})", re.IGNORECASE | re.ASCII
)


def strip_active_markup(text: str, *, is_code: bool) -> str:
    """Return the text with links as text and host, without remote images, and without anything that parses as a tag."""
    text = _IMAGE_TAG.sub("", text)
    for _ in range(_NESTED_LINKS):
        if "](" not in text and "![" not in text:
            break
        text = _LINK.sub(_link_text, _NAMED_IMAGE.sub(r"\1", _IMAGE.sub(_image_text, text)))
    return _break_up_markup(_DEFINITION.sub(_link_text, text), _LOADING_TAG if is_code else _TAG)


def _break_up_markup(text: str, tag: re.Pattern[str]) -> str:
    """Insert a space into remaining markup that the patterns did not match, so that no client renders it."""
    text = text.replace("](", "] (").replace("![", "! [")
    return tag.sub("< ", _HALF_DEFINITION.sub("] ", text))


def _image_text(image: re.Match[str]) -> str:
    """Return the alternative text of an embedded image; empty for a remote one, which is removed with its text."""
    return "" if _REMOTE.match(image[2]) else image[1]


def _link_text(link: re.Match[str]) -> str:
    return text_with_host(link[1], link[2])


def text_with_host(text: str, address: str) -> str:
    """Return the text of a link, followed by the host of its address unless the text contains it already."""
    host = _host(address)
    if not host or host in text.lower():
        return text
    words = text.rstrip()
    return f"{words} ({host}){text[len(words) :]}"


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "") if _REMOTE.match(address) else ""
    except ValueError:  # such as an unclosed IPv6 bracket
        return ""
