"""Picture of a page as JSON and bytes; the worker's output is checked, since it may be hostile."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from groundwire_readers.contents.json_values import is_list
from groundwire_readers.contents.limits import (
    MAX_IMAGE_BYTES,
    MAX_PAGE_PICTURE_SIDE,
    MAX_PAGE_WORD_CHARACTERS,
    MAX_PAGE_WORDS,
)
from groundwire_readers.contents.parsed import PAGE_PARTS, PagePicture, WordBox
from groundwire_readers.sandbox.image_wire import checked_header
from groundwire_readers.sandbox.wire import InvalidReply
from groundwire_readers.text.normalisation import normalise

_MEMBERS: Final = 5
"""Members of a word: its text, and four places."""


def picture_to_json(picture: PagePicture) -> dict[str, object]:
    """Return the words of a picture, whose content follows; `picture_from_json` reverses it."""
    return {"page_words": [member for word in picture.words for member in word]}


def picture_from_json(message: Mapping[str, object], content: bytes) -> PagePicture:
    """Return the picture with this content.

    Raises:
        InvalidReply: not a picture, larger than one may be, or with numbers out of bounds.
    """
    members = message.get("page_words")
    if not is_list(members) or len(members) % _MEMBERS or len(members) > _MEMBERS * MAX_PAGE_WORDS:
        raise InvalidReply("not the words of a page")
    if len(content) > MAX_IMAGE_BYTES:
        raise InvalidReply("larger than a picture may be")
    header = checked_header(content)
    if max(header.width, header.height) > MAX_PAGE_PICTURE_SIDE:
        raise InvalidReply("larger than a picture may be")
    return PagePicture(content, header.media_type, header.width, header.height, tuple(_words(members)))


def _words(members: Sequence[object]) -> Iterator[WordBox]:
    for start in range(0, len(members), _MEMBERS):
        text, *places = members[start : start + _MEMBERS]
        if not isinstance(text, str) or len(text) > MAX_PAGE_WORD_CHARACTERS:
            raise InvalidReply("not a word")
        yield WordBox(normalise(text), *map(_place, places))


def _place(value: object) -> int:
    # JSON's true is a Python int.
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= PAGE_PARTS:
        raise InvalidReply("a place out of bounds")
    return value
