"""Text made safe and regular before anything else sees it: what a person cannot see, an agent must not read."""

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

# PDF readers leave U+FFFE, and word processors a soft hyphen, where a word was hyphenated at the end of a line.
_HYPHENATED: Final = re.compile("(?<=\\w)-?[\ufffe\u00ad]\\s+(?=\\w)")

# Controls, format characters (zero-width, bidi, tags), lone surrogates and noncharacters; besides them the
# marks and fillers that carry hidden text without being formally invisible: variation selectors, the
# grapheme joiner, Hangul and Braille blanks.
_INVISIBLE: Final = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
    + "]"
)

_TARGET: Final = (
    r'\(\s*<?([^()<>\s]{0,4000}(?:\([^()\s]{0,400}\)[^()<>\s]{0,4000})?)>?(?:\s+["\'][^"\']{0,400}["\'])?\s*\)'
)
_IMAGE: Final = re.compile(r"!\[([^\[\]]{0,2000})\]" + _TARGET)
_NAMED_IMAGE: Final = re.compile(r"!\[([^\[\]]{0,2000})\]\[[^\[\]]{0,400}\]")
_IMAGE_TAG: Final = re.compile(r"<img\b[^<>]{0,8000}>", re.IGNORECASE)
_LINK: Final = re.compile(r"\[([^\[\]]{0,2000})\]" + _TARGET)
_REMOTE: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_NESTED_LINKS: Final = 8


def normalise(text: str) -> str:
    """One paragraph: NFC, nothing invisible, single spaces, no live links or remote images.

    Normalising twice changes nothing. A link becomes its text and the host that it leads to.
    """
    return _settled(text, keep_lines=False)


def normalise_code(text: str) -> str:
    """Like `normalise`, but lines and indentation stay; blank lines at both ends go."""
    return _settled(text, keep_lines=True)


def _settled(text: str, *, keep_lines: bool) -> str:
    # Removing one thing can bring two others together (a base letter and its accent), so it is repeated
    # until nothing changes; ordinary text needs the second pass only to find that out.
    while (cleaner := _clean(text, keep_lines=keep_lines)) != text:
        text = cleaner
    return text


def _clean(text: str, *, keep_lines: bool) -> str:
    text = _HYPHENATED.sub("", _BREAKS.sub("\n", text))
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    text = _without_links(text)
    if not keep_lines:
        return " ".join(text.split())
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _without_links(text: str) -> str:
    text = _IMAGE_TAG.sub("", text)
    for _ in range(_NESTED_LINKS):
        if "](" not in text and "![" not in text:
            return text
        text = _LINK.sub(_link_text, _NAMED_IMAGE.sub(r"\1", _IMAGE.sub(_image_text, text)))
    # Deeper nesting is nobody's prose: the brackets are parted, so that no reader takes them for a link.
    return text.replace("](", "] (")


def _image_text(image: re.Match[str]) -> str:
    """Alternative text belongs to the picture: it stays only where the picture is the document's own."""
    return "" if _REMOTE.match(image[2]) else image[1]


def _link_text(link: re.Match[str]) -> str:
    return linked(link[1], link[2])


def linked(text: str, address: str) -> str:
    """The text of a link, with the host it leads to unless the text names it already."""
    host = _host(address)
    return f"{text} ({host})" if host and host not in text.lower() else text


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "") if _REMOTE.match(address) else ""
    except ValueError:  # such as an unclosed IPv6 bracket
        return ""
