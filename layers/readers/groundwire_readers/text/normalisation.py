"""Normalisation of text before all other processing: an agent must not read what a person cannot see."""

import re
import unicodedata
from typing import Final

from groundwire_readers.text.markup import strip_active_markup
from groundwire_readers.text.runs import rendered

_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

# PDF readers leave U+FFFE, and word processors a soft hyphen, where a word was hyphenated at the end of a line.
_HYPHENATED: Final = re.compile("(?<=\\w)-?[\ufffe\u00ad]\\s++(?=\\w)")

# Controls, format characters (zero-width, bidi, tags), lone surrogates and noncharacters. Also marks and fillers
# that can encode hidden text although Unicode does not class them as invisible: variation selectors, the
# grapheme joiner, Hangul and Braille spaces.
_INVISIBLE: Final = re.compile(
    "["
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(1, 17))
    + "]"
)

# Canonical ordering takes time quadratic in a run of marks; Unicode's stream-safe format limits it to this length.
_MAX_CONSECUTIVE_MARKS: Final = 30
_MARKS: Final = re.compile(rf"[^\w\s\x00-\u02ff]{{{_MAX_CONSECUTIVE_MARKS + 1},}}")


def normalise(text: str) -> str:
    """Normalise to one paragraph: NFC, nothing invisible, single spaces, marked runs in their written form, no
    active links, images or tags.

    Normalising twice changes nothing. A link becomes its text and host. Remaining text that could be read as an image
    or a tag gets a space inside (`! [`, `< img`); a placeholder such as `<name>` stays.
    """
    return _clean_until_stable(rendered(text), keep_lines=False)


def normalise_code(text: str) -> str:
    """Normalise like `normalise`, but keep lines, indentation and tags that load nothing.

    Blank lines at both ends are removed.
    """
    return _clean_until_stable(rendered(text), keep_lines=True)


def _clean_until_stable(text: str, *, keep_lines: bool) -> str:
    # A removal can make two characters adjacent (a base letter and its accent), so cleaning is repeated until
    # nothing changes; ordinary text needs the second pass only to detect that.
    while (cleaner := _clean(text, keep_lines=keep_lines)) != text:
        text = cleaner
    return text


def _clean(text: str, *, keep_lines: bool) -> str:
    text = _HYPHENATED.sub("", _BREAKS.sub("\n", text))
    text = _MARKS.sub(_limit_combining_marks, _INVISIBLE.sub("", text))
    text = strip_active_markup(unicodedata.normalize("NFC", text), is_code=keep_lines)
    if not keep_lines:
        return " ".join(text.split())
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines).strip("\n")


def _limit_combining_marks(run: re.Match[str]) -> str:
    """Drop the marks beyond `_MAX_CONSECUTIVE_MARKS` on one letter, which nobody can distinguish."""
    characters: list[str] = []
    marks = 0
    for character in run[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _MAX_CONSECUTIVE_MARKS:
            characters.append(character)
    return "".join(characters)
