"""Session tags and user ids: parsing, the reserved prefix, and the `max_tags` that limit which tags a key may assert.

Tags are opaque and compared exactly after NFC. Names with invisible or damaged characters are refused, not repaired,
because a repaired name might belong to somebody else. In a call's header such a tag gives no right. Tags that begin
with `sys:`, or look as if they did, are reserved for the server and are never asserted.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from groundwire.domain import limits
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_list, is_text_list

RESERVED_PREFIX: Final = "sys:"

_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS: Final = "\u200c\u200d"
"""Zero-width joiners, which Persian, several Indian scripts and many emoji need."""
_REPLACEMENT_CHARACTER: Final = "\ufffd"
_IGNORED_CATEGORIES: Final = frozenset({"Cf", "Mn", "Zs"})
_LOOK_ALIKES: Final = str.maketrans(
    "\u0455\ua731\u0443\u04af\u028f\u03b3\u0263\u2236\ua789\u0589\u05c3\u02d0\u02f8\u0703\u0704",
    "ssyyyyy::::::::",
)
"""Letters and colons of other scripts that look like s, y and `:` but that Unicode's folding does not map to them."""


def parse_tag(text: str) -> str:
    """Return the tag in NFC, the form that is compared.

    Raises:
        InvalidInput: the tag is empty, too long or reserved, or has invisible or damaged characters.
    """
    tag = _parse_name(text, "A tag", limits.MAX_TAG_CHARACTERS)
    if is_reserved(tag):
        raise InvalidInput(
            f"The tag {_for_message(tag)} looks like a tag with the reserved prefix `{RESERVED_PREFIX}`."
        )
    return tag


def parse_user(text: str) -> str:
    """Return the user id in NFC, the form that is compared.

    Raises:
        InvalidInput: the id is empty or too long, has invisible or damaged characters, or begins or ends with a space.
    """
    user = _parse_name(text, "A user id", limits.MAX_USER_CHARACTERS)
    if user != user.strip():
        raise InvalidInput("A user id must not start or end with a space.")
    return user


def parse_max_tag(text: str) -> str:
    """Return one entry of a key's `max_tags`: a tag, or a prefix that ends in `*`; `*` alone covers all tags.

    Raises:
        InvalidInput: the text is neither a valid tag nor the beginning of one.
    """
    if text == "*":
        return text
    return parse_tag(text.removesuffix("*")) + ("*" if text.endswith("*") else "")


def is_tag_covered(max_tags: Iterable[str], tag: str) -> bool:
    """Return whether a key with these `max_tags` may assert `tag`; reserved tags are never covered."""
    if is_reserved(tag):
        return False
    # A generator would cost each tag of a call two frames more.
    for entry in max_tags:  # noqa: SIM110 - see above
        if tag.startswith(entry[:-1]) if entry.endswith("*") else tag == entry:
            return True
    return False


def is_reserved(text: str) -> bool:
    """Return whether a person would read `text` as beginning with the reserved prefix."""
    if text.isascii():
        # A fast path with the result of the general rule: nearly all tags are ASCII.
        return text.replace(" ", "").lower().startswith(RESERVED_PREFIX)
    # NFKD maps full-width forms to ASCII and splits accents off, which the next line drops.
    plain = unicodedata.normalize("NFKD", text).casefold()
    seen = "".join(letter for letter in plain if unicodedata.category(letter) not in _IGNORED_CATEGORIES)
    return seen.translate(_LOOK_ALIKES).startswith(RESERVED_PREFIX)


def read_tags_header(header: str) -> list[str]:
    """Return the texts of a JSON array of strings, as they were sent.

    Raises:
        InvalidInput: the header is too long, or is no such array; the message does not name the header.
    """
    if len(header.encode("utf-8", "surrogatepass")) > limits.MAX_TAGS_HEADER_BYTES:
        raise InvalidInput(f"More than {limits.MAX_TAGS_HEADER_BYTES} bytes.")
    return _strings(header)


def usable_tags(given: Iterable[str]) -> list[str]:
    """Return the texts that are tags, each once and in NFC, in the order in which they were sent.

    A tag only ever gives rights, so that a call with fewer of them never reads more.
    """
    tags: dict[str, None] = {}
    for text in given:
        try:
            tags[parse_tag(text)] = None
        except InvalidInput:
            continue
    return list(tags)


def exact_tags(given: Sequence[str]) -> list[str]:
    """Return the tags in NFC.

    Raises:
        InvalidInput: there are too many, one is repeated, or one is no tag.
    """
    if len(given) > limits.MAX_TAGS_PER_CALL:
        raise InvalidInput(f"{len(given)} tags; a call can have at most {limits.MAX_TAGS_PER_CALL}.")
    tags = list(map(parse_tag, given))
    # Two spellings of one tag are equal in NFC.
    if len(frozenset(tags)) < len(given):
        raise InvalidInput("The same tag occurs twice.")
    return tags


def _strings(header: str) -> list[str]:
    try:
        value: object = json.loads(header)
    # Brackets within the size limit are enough to exhaust the decoder's stack.
    except (ValueError, RecursionError):
        raise InvalidInput("Not JSON, or sent more than once: it must be one JSON array of strings.") from None
    if not is_list(value):
        raise InvalidInput("It must be a JSON array of strings.")
    if not is_text_list(value):
        raise InvalidInput("It must be a JSON array of strings only.")
    return value


def _parse_name(text: str, label: str, max_characters: int) -> str:
    # Before the limit of length, since NFC can lengthen a text as well as shorten it.
    name = unicodedata.normalize("NFC", text)
    if not name.strip():
        raise InvalidInput(f"{label} must not be empty.")
    if len(name) > max_characters:
        raise InvalidInput(f"{label} can have at most {max_characters} characters; one has {len(name)}.")
    # Nearly all names are ASCII; for these one check of the whole name replaces one per character.
    if not (name.isascii() and name.isprintable()) and not all(map(_is_allowed_character, name)):
        raise InvalidInput(
            f"{label} must not contain control, invisible or undecodable characters: {_for_message(name)}."
        )
    return name


def _is_allowed_character(letter: str) -> bool:
    if letter.isascii():
        return letter.isprintable()
    return letter in _JOINERS or (
        letter != _REPLACEMENT_CHARACTER and unicodedata.category(letter) not in _INVISIBLE_CATEGORIES
    )


def _for_message(text: str) -> str:
    return ascii(text if len(text) <= 48 else text[:48] + "...")  # noqa: PLR2004
