"""Passages and images as members of an answer, and answers with as many of them as have room."""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Final, NamedTuple

from groundwire.dialects.foundry.strictness import is_admitted
from groundwire.dialects.shared.answer_size import largest_fitting
from groundwire.domain.documents.indexed_fields import file_path
from groundwire.domain.limits import MAX_PASSAGES_PER_CALL
from groundwire.domain.sources.source import is_source_document
from groundwire.services.documents.images.search import FoundImage
from groundwire.services.search.results import Passage
from groundwire.services.sources.joins.joined_passages import within_share

_SCORE_DIGITS: Final = 6


class ListedItem(NamedTuple):
    """Passage or image of an answer.

    Attributes:
        member: as the answer has it.
        relevance: None where there is none.
        found: the passage or image itself, for the audit.
    """

    member: Mapping[str, object]
    relevance: float | None
    found: Passage | FoundImage

    @property
    def has_neighbours(self) -> bool:
        """Return whether the passage is quoted with the text around it."""
        return isinstance(self.found, Passage) and bool(self.found.context)

    def without_text(self) -> "ListedItem":
        """Return the item with an empty text in place of a passage's, whose tokens are counted already."""
        return self._replace(member={**self.member, "content": ""}) if isinstance(self.found, Passage) else self


class RankedList(NamedTuple):
    """List of one collection, best first.

    Attributes:
        thresholds: least relevance by step of strictness.
    """

    items: Sequence[ListedItem]
    strictness: int
    thresholds: Sequence[float]

    def first(self, count: int) -> "RankedList":
        """Return the list with its best items alone."""
        return self._replace(items=self.items[:count])

    def admitted(self) -> "RankedList":
        """Return the list without the items that the strictness leaves out."""
        admitted = [each for each in self.items if is_admitted(each.relevance, self.strictness, self.thresholds)]
        return self._replace(items=within_share(admitted, lambda each: is_source_document(each.found.document.doc_id)))


def passage_items(passages: Sequence[Passage], vector_type: str) -> list[ListedItem]:
    """Return the passages as items, each with the least relevance so far as its score."""
    scores = falling_scores([(each.relevance, each.score) for each in passages])
    return [
        ListedItem(_passage_member(passage, score, vector_type), passage.relevance, passage)
        for passage, score in zip(passages, scores, strict=True)
    ]


def image_items(images: Sequence[FoundImage]) -> list[ListedItem]:
    """Return the images as items, scored as passages are."""
    scores = falling_scores([(each.relevance, each.score) for each in images])
    return [
        ListedItem(_image_member(image, score), image.relevance, image)
        for image, score in zip(images, scores, strict=True)
    ]


def falling_scores(ranked: Sequence[tuple[float | None, float]]) -> list[float]:
    """Return a score from 0 to 1 for each item, none above the one before.

    Args:
        ranked: relevance and fused score of each item, best first; the fused score counts where there is no relevance.
    """
    # The reference has scores from 0 to 1 that fall from result to result.
    own = (score if relevance is None else relevance for relevance, score in ranked)
    return [round(max(0.0, score), _SCORE_DIGITS) for score in accumulate(own, min, initial=1.0)][1:]


def fill_by_turns(
    lists: Sequence[RankedList], tokens: Callable[[Sequence[RankedList]], int], max_tokens: int
) -> list[RankedList]:
    """Return the best items of each list that have room together: the first of each, then the second of each, ….

    Args:
        lists: lists of the call.
        tokens: tokens of the answer with these lists.
        max_tokens: tokens that the answer may have; a single item may have more.
    """
    rows = zip_longest(*([number] * len(each.items) for number, each in enumerate(lists)))
    turns = [number for row in rows for number in row if number is not None][:MAX_PASSAGES_PER_CALL]

    def cut(count: int) -> list[RankedList]:
        return [each.first(turns[:count].count(number)) for number, each in enumerate(lists)]

    return largest_fitting(len(turns), cut, tokens, max_tokens)


def _passage_member(passage: Passage, score: float, vector_type: str) -> dict[str, object]:
    first, last = passage.pages
    return {
        "content": passage.text,
        "file_path": file_path(passage.document),
        # The reference has the position as text.
        "chunk_id": str(passage.segment.ordinal),
        "score": score,
        "page_numbers": [] if first is None else list(range(first, (first if last is None else last) + 1)),
        "vector_type": vector_type,
    }


def _image_member(image: FoundImage, score: float) -> dict[str, object]:
    return {
        # The reference leaves this empty for images, so that an agent would see nothing but ids.
        "content": image.text,
        "file_path": file_path(image.document),
        "chunk_id": f"img-{image.number}",
        "image_id": image.uid,
        "score": score,
        "page_numbers": [] if image.page is None else [image.page],
        "vector_type": "image",
    }
