"""Pictures of the best images of an answer, as content blocks after its text.

They are bounded in number and in bytes; the tokens of an answer count text.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.foundry.results import RankedList
from groundwire.dialects.shared.images import picture_block
from groundwire.domain.limits import MAX_PICTURE_BYTES_PER_CALL, MAX_PICTURES_PER_CALL
from groundwire.services.documents.images.search import FoundImage

if TYPE_CHECKING:
    from groundwire.services.documents.images.store import Picture
    from groundwire_mcp.definitions.content import MediaContent

LEFT_OUT_NOTICE: Final = (
    "The picture of at least one of the best images is missing: it is not stored, or too large for this answer."
)


class IncludedPictures(NamedTuple):
    """Pictures of an answer.

    Attributes:
        numbers: position of each picture among the blocks, from 1, by the image's id.
        left_out: ids of the best images whose picture is missing or does not fit.
    """

    blocks: tuple["MediaContent", ...]
    numbers: Mapping[str, int]
    left_out: frozenset[str]

    def notice(self, lists: Sequence[RankedList]) -> str | None:
        """Return the sentence about pictures of these lists that are left out; None without any."""
        return LEFT_OUT_NOTICE if any(image.uid in self.left_out for image in _by_turns(lists)) else None


def possible_pictures(lists: Sequence[RankedList]) -> "tuple[IncludedPictures, IncludedPictures]":
    """Return what an answer may have at most: no picture and the notice beside every image, or a number for each.

    The estimate of tokens depends on the kind of a text, so neither form is always the larger one.
    """
    uids = dict.fromkeys(image.uid for image in _by_turns(lists))
    numbers = dict(zip(uids, range(1, MAX_PICTURES_PER_CALL + 1), strict=False))
    return IncludedPictures((), {}, frozenset(uids)), IncludedPictures((), numbers, frozenset())


def include_pictures(lists: Sequence[RankedList], read: "Callable[[FoundImage], Picture | None]") -> IncludedPictures:
    """Return the pictures of the best images: the first of each list, then the second of each, …, each once.

    Args:
        lists: lists of the answer; passages in them are ignored.
        read: picture of an image; None where there is none.
    """
    best = list({image.uid: image for image in _by_turns(lists)}.values())[:MAX_PICTURES_PER_CALL]
    blocks: list[MediaContent] = []
    numbers: dict[str, int] = {}
    room = MAX_PICTURE_BYTES_PER_CALL
    for image in best:
        picture = read(image)
        if picture is None or len(picture.content) > room:
            continue
        room -= len(picture.content)
        blocks.append(picture_block(image, picture))
        numbers[image.uid] = len(blocks)
    return IncludedPictures(tuple(blocks), numbers, frozenset(each.uid for each in best) - set(numbers))


def _by_turns(lists: Sequence[RankedList]) -> list[FoundImage]:
    ranked = ([each.found for each in one.items if isinstance(each.found, FoundImage)] for one in lists)
    return [each for each in chain.from_iterable(zip_longest(*ranked)) if each is not None]
