"""Images that are on most pages of a document, such as a logo: decoration."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Final

_FEWEST_PAGES: Final = 3


def repeated_on_most_pages(images: Iterable[tuple[int, Hashable]], pages: int) -> frozenset[Hashable]:
    """Return the images that are on more than half of the pages of a document with at least three.

    Args:
        images: page and identity of each image.
        pages: number of all pages.
    """
    found: defaultdict[Hashable, set[int]] = defaultdict(set)
    for page, identity in images:
        found[identity].add(page)
    if pages < _FEWEST_PAGES:
        return frozenset()
    return frozenset(identity for identity, numbers in found.items() if 2 * len(numbers) > pages)
