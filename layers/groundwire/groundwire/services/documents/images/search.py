"""Search for images of documents by a text that describes them.

It is the search for passages over the index of images: the same access rule, filters, relevance and check of the
records. Only pictures that are equal are near-duplicates, since many different pictures have the same caption.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from groundwire.domain.limits import MAX_TOP_N_PER_COLLECTION
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, SearchRequest
from groundwire.services.search.results import Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.domain.filters.expression import Filter
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import CollectionGrant
    from groundwire.services.search.per_collection import PerCollectionSearchFunction

_WITHOUT_FLOOR: Final = 0.0
_RANK_OFFSET: Final = 60
"""Constant of reciprocal rank fusion, as its authors chose it."""

_SCORE_DIGITS: Final = 6

PICTURES_NOT_COMPARED: Final = (
    "Images were found by their texts only, because the image model does not answer. Search again later."
)


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
        uid: `<doc_id>.<hash>`, in the form of a passage's uid.
        number: position among the document's images, from 0.
        text: caption, alternative text and recognised text; empty where there is none.
        page: page of the image; None where the format has none.
        score: 0 to 1, for the order of an answer whose relevance cannot be told.
        relevance: chance, 0 to 1, that the image shows what is described; None where it cannot be told.
        digest: SHA-256 of the picture, hexadecimal.
    """

    document: "Document"
    uid: str
    number: int
    text: str
    page: int | None
    score: float
    relevance: float | None
    digest: str


@dataclass(frozen=True, slots=True)
class ImageSearchResult:
    """Result of one search for images.

    Attributes:
        images: images, best first.
        degradation: what a configured part did not do; None where the search was as good as configured.
        acl_mismatches: as in `SearchResult`.
    """

    images: Sequence[FoundImage]
    degradation: str | None
    acl_mismatches: int


class ImageSearchFunction(Protocol):
    """The call signature of a search for images."""

    def __call__(self, caller: "Caller", requests: Sequence[ImageRequest], /) -> list[ImageSearchResult]:
        """Return the result of each request, in order, with at most `top_n` images each."""
        ...


class ImageSearch:
    """Search of the images of the collections that a key allows.

    Args:
        search: search over the index of images, by their texts.
        picture_search: the same by their pictures, for a tenant; None where its index has no vectors of them.
        has_index: whether a tenant has an index of images; without one nothing is embedded.
    """

    def __init__(
        self,
        search: "PerCollectionSearchFunction",
        picture_search: "Callable[[str], PerCollectionSearchFunction | None]",
        has_index: Callable[[str], bool],
    ) -> None:
        self._search = search
        self._picture_search = picture_search
        self._has_index = has_index

    def __call__(self, caller: "Caller", requests: Sequence[ImageRequest], /) -> list[ImageSearchResult]:
        """Return the result of each request, in order, with at most `top_n` images each."""
        if not self._has_index(caller.principal.tenant):
            return [ImageSearchResult((), None, 0) for _ in requests]
        # An image has no neighbours.
        alone = caller.without_expansion()
        by_text = self._search(alone, [_search_request(alone, request, SearchMode.HYBRID) for request in requests])
        search_pictures = self._picture_search(caller.principal.tenant)
        if search_pictures is None:
            return [_image_result(each) for each in by_text]
        wanted = [_search_request(alone, request, SearchMode.SEMANTIC) for request in requests]
        by_picture = search_pictures(alone, wanted)
        return [
            _fused(text, picture, request.top_n)
            for text, picture, request in zip(by_text, by_picture, requests, strict=True)
        ]


def collapse_equal_images(found: Sequence[Passage]) -> list[Passage]:
    """Return the images in their order, each repetition of a picture moved into `also_in` of the best one."""
    groups: dict[bytes, list[Passage]] = {}
    for each in found:
        groups.setdefault(each.segment.sketch, []).append(each)
    return [replace(best, also_in=tuple(others)) for best, *others in groups.values()]


def found_image(found: Passage) -> FoundImage:
    """Return the image of a row."""
    segment = found.segment
    return FoundImage(
        document=found.document,
        uid=segment.uid,
        number=segment.ordinal,
        text=segment.text,
        page=segment.page_first,
        score=found.score,
        relevance=found.relevance,
        digest=segment.sketch.hex(),
    )


def _fused(by_text: SearchResult, by_picture: SearchResult, top_n: int) -> ImageSearchResult:
    """Return the images of both results by reciprocal ranks (Cormack, Clarke, Büttcher 2009).

    How far the similarity of a picture answers is not known, so the images that it found have no relevance.
    """
    if by_picture.degradation is not None:
        # The image model did not answer, so that search compared words.
        return replace(_image_result(by_text), degradation=by_text.degradation or PICTURES_NOT_COMPARED)
    # By their content: of equal pictures, each search may have found another as the best.
    scores: defaultdict[bytes, float] = defaultdict(float)
    for result in (by_text, by_picture):
        for each, rank in zip(result.passages, _ranks(result.passages), strict=True):
            scores[each.segment.sketch] += 1 / (_RANK_OFFSET + rank)
    # An image that both searches have first has this score, which becomes 1.
    best_score = 2 / (_RANK_OFFSET + 1)
    texts, pictures = (
        {each.segment.sketch: found_image(each) for each in one.passages} for one in (by_text, by_picture)
    )
    unjudged = {sketch: replace(texts.get(sketch, image), relevance=None) for sketch, image in pictures.items()}
    images = [
        replace((texts | unjudged)[sketch], score=score / best_score)
        for sketch, score in sorted(scores.items(), key=lambda item: -item[1])[:top_n]
    ]
    return ImageSearchResult(images, by_text.degradation, by_text.acl_mismatches + by_picture.acl_mismatches)


def _ranks(found: Sequence[Passage]) -> list[int]:
    """Return the rank of each image from 1; equal scores have equal ranks, so that no order is made up."""
    ranks: list[int] = []
    before: float | None = None
    for place, each in enumerate(found, start=1):
        score = round(each.score, _SCORE_DIGITS)
        ranks.append(ranks[-1] if score == before else place)
        before = score
    return ranks


def _search_request(caller: "Caller", request: ImageRequest, mode: SearchMode) -> SearchRequest:
    made = SearchRequest.for_caller(
        caller,
        [request.query],
        collections=request.collections,
        documents=ALL_DOCUMENTS,
        where=request.where,
        top_n=request.top_n,
        max_top_n=MAX_TOP_N_PER_COLLECTION,
        mode=mode,
    )
    return replace(made, min_relevance=_WITHOUT_FLOOR)


def _image_result(result: SearchResult) -> ImageSearchResult:
    images = [found_image(each) for each in result.passages]
    return ImageSearchResult(images, result.degradation, result.acl_mismatches)
