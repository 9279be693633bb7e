"""Text that style sheets put before and behind elements, or in place of an item's number (CSS Generated Content 3)."""

import re
from collections.abc import Mapping
from typing import Final

from groundwire_readers.readers.html.css.appearance import Declarations, declarations_of, unescaped
from groundwire_readers.readers.html.css.counters import Counters
from groundwire_readers.readers.html.css.runs import gaps_of
from groundwire_readers.readers.html.element_kinds import BLOCK_ELEMENTS, TABLE_FRAMES

PSEUDO_ELEMENT: Final = re.compile(r"::?(before|after|marker)\Z", re.IGNORECASE)
"""End of a selector of generated text."""
_STRING: Final = r"\"(?:[^\"\\\n]|\\.){0,200}+\"|'(?:[^'\\\n]|\\.){0,200}+'"
_CONTENT: Final = re.compile(rf"(?:\A|;)\s*content\s*:((?:{_STRING}|[^;\"']){{1,400}})", re.IGNORECASE)
_PART: Final = re.compile(
    rf"(?P<string>{_STRING})|(?P<quote>open-quote|close-quote)|attr\(\s*(?P<attribute>[\w-]{{1,80}})[^()]{{0,80}}\)"
    r"|(?P<counter>counters?)\(\s*(?P<name>[\w-]{1,80})\s*(?:,\s*[\"'](?P<between>[^\"'\n]{0,20})[\"']\s*)?"
    r"(?:,\s*(?P<style>[a-z][\w-]{0,39})\s*)?\)"
    # Pictures and variables have no text, and what follows a slash is read aloud only.
    rf"|[a-z-]{{1,40}}\((?:{_STRING}|[^()\"']){{0,400}}\)|(?P<end>/)",
    re.IGNORECASE,
)
_PRIVATE_USE: Final = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""Pictures of an icon font."""
_BULLET: Final = re.compile(r"[\s\u00b7•∙‣▪▫◦○●■□|/»\u203a→▸►▶*,\u2013\u2014-]+")
"""Bullets and separators of items, which are left out as those of lists are."""
Attributes = Mapping[str, str | None]
_QUOTES: Final = ("\u201c\u201d", "\u2018\u2019")


def generated_of(declarations: str) -> Declarations:
    """Return what a rule of generated text declares, with the value of `content`."""
    contents = _CONTENT.findall(declarations)
    return declarations_of(declarations) | ({"content": contents[-1].partition("!important")[0]} if contents else {})


def generated_text(tag: str, attributes: Attributes, counters: Counters, style: Declarations) -> str:
    """Return the text of a pseudo-element with this style, for an element with this name and these attributes."""
    if "content" not in style or tag in TABLE_FRAMES:
        return ""
    text = marker_text(style, attributes, counters)
    before, after = gaps_of(style)
    return "" if tag in BLOCK_ELEMENTS and _BULLET.fullmatch(text) else f"{before}{text}{after}"


def marker_text(style: Declarations, attributes: Attributes, counters: Counters) -> str:
    """Return the text of a marker with this style, for an item with these attributes."""
    shown: list[str] = []
    for part in _PART.finditer(style.get("content", "")):
        if part["end"]:
            break
        if part["string"]:
            shown.append(unescaped(part["string"][1:-1]))
        elif part["quote"]:
            shown.append(_quote(counters, is_open=part["quote"].lower().startswith("o")))
        elif part["attribute"]:
            shown.append(attributes.get(part["attribute"].lower()) or "")
        elif part["counter"]:
            is_nested = part["counter"].lower().endswith("s")
            shape, separator = part["style"] or "decimal", part["between"] or ""
            shown.append(counters.text(part["name"], shape, separator, is_nested=is_nested))
    return _PRIVATE_USE.sub("", "".join(shown))


def _quote(counters: Counters, *, is_open: bool) -> str:
    """Return the quotation mark that opens or closes a quotation; inner quotations have single ones."""
    counters.quotations = max(0, counters.quotations + (1 if is_open else -1))
    level = counters.quotations - is_open
    return _QUOTES[level % len(_QUOTES)][not is_open]
