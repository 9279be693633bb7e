"""Search for images of documents by a text that describes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.domain.filters.expression import Filter
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import CollectionGrant


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """One search for images; each field narrows what the caller may read.

    Attributes:
        query: description of the image.
        collections: names, or `ALL_COLLECTIONS` for every collection that the caller's key allows.
        where: filter over the fields of the images' documents; None: no filter.
        top_n: maximum number of images.
    """

    query: str
    collections: "CollectionGrant"
    where: "Filter | None"
    top_n: int


@dataclass(frozen=True, slots=True)
class FoundImage:
    """Image of a document that the caller may read.

    Attributes:
        document: record of the document, whose rights the image has.
        number: position among the document's images, from 0.
        text: caption or recognised text; empty where there is neither.
        page: page of the image; None where the format has none.
        score: 0 to 1, for the order of an answer whose relevance cannot be told.
        relevance: chance, 0 to 1, that the image shows what is described; None where it cannot be told.
    """

    document: "Document"
    number: int
    text: str
    page: int | None
    score: float
    relevance: float | None


class ImageSearchFunction(Protocol):
    """The call signature of a search for images."""

    def __call__(self, caller: "Caller", requests: Sequence[ImageRequest], /) -> list[list[FoundImage]]:
        """Return the images of each request, best first, at most `top_n`."""
        ...


def search_no_images(_caller: "Caller", requests: Sequence[ImageRequest], /) -> list[list[FoundImage]]:
    """Return an empty list for each request: no collection holds images."""
    return [[] for _ in requests]
