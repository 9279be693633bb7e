"""The five search tools: one list, or two, for each collection that a call names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from groundwire.dialects.foundry.arguments import FoundryArguments, read_search_arguments
from groundwire.dialects.foundry.kinds import SearchKind
from groundwire.dialects.foundry.pictures import IncludedPictures, include_pictures, possible_pictures
from groundwire.dialects.foundry.results import ListedItem, RankedList, fill_by_turns, image_items, passage_items
from groundwire.dialects.foundry.strictness import IMAGE_THRESHOLDS, TEXT_THRESHOLDS
from groundwire.dialects.openai.results import json_result
from groundwire.dialects.shared.answer_size import answer_tokens, json_tokens, quoted_sums
from groundwire.dialects.shared.quotations import audit_name
from groundwire.dialects.shared.tool_errors import tool_error
from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.domain.limits import MAX_TOP_N_PER_COLLECTION, SEARCH_SECONDS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, SearchRequest
from groundwire.ports.deadline import time_limit
from groundwire.services.call_context import CallContext
from groundwire.services.documents.images.search import (
    FoundImage,
    ImageRequest,
    ImageSearchFunction,
    ImageSearchResult,
)
from groundwire.services.search import Passage, SearchResult, audited_documents
from groundwire_mcp.definitions.tool_context import ToolContext
from groundwire_mcp.definitions.tools import ToolResult

if TYPE_CHECKING:
    from groundwire.dialects.foundry.requested_collections import RequestedCollections
    from groundwire.domain.filters.expression import Filter
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import CollectionGrant
    from groundwire.services.documents.images.reader import ImageReader
    from groundwire.services.documents.images.store import Picture
    from groundwire.services.search.per_collection import PerCollectionSearchFunction

_NOTHING_SEARCHED: Final = SearchResult(())
_WITHOUT_FLOOR: Final = 0.0
IMAGES_NOT_SEARCHED: Final = "The image model does not answer, so this answer has no images. Search again later."


class CollectionsSearch:
    """Handler of one search tool.

    Args:
        kind: what the tool searches.
        requested: resolution of names and filters.
        search, image_search, image_reader: use cases, behind functions, since few calls need all.
    """

    def __init__(
        self,
        kind: SearchKind,
        requested: "RequestedCollections",
        search: "Callable[[], PerCollectionSearchFunction]",
        image_search: Callable[[], ImageSearchFunction],
        image_reader: "Callable[[], ImageReader]",
    ) -> None:
        self._kind = kind
        self._requested = requested
        self._search = search
        self._image_search = image_search
        self._image_reader = image_reader

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the results of each collection, keyed by the name that the call has for it."""
        wanted = read_search_arguments(self._kind, arguments)
        try:
            grants = self._requested.grants(call.caller, wanted.names)
            where = self._requested.read_filter(call.caller, wanted.filters, grants)
            with time_limit(SEARCH_SECONDS):
                found = self._find_passages(call.caller, wanted, grants, where)
                found_images = self._find_images(call, wanted, grants, where)
        except DomainError as problem:
            raise tool_error(call, "Search failed", problem) from problem
        images = [each.images for each in found_images]
        found = _with_degradation(found, found_images)
        lists = self._fitting_lists(wanted, found, images, answer_tokens(call.caller))
        call.audit_fields.update(_audit_fields(found, [item for each in lists for item in each.items]))
        if not wanted.include_images:
            return json_result(self._answer(wanted.names, found, lists, None))
        pictures = include_pictures(lists, partial(self._read_picture, call))
        call.audit_fields["pictures"] = len(pictures.blocks)
        result = json_result(self._answer(wanted.names, found, lists, pictures))
        return result._replace(content=(*result.content, *pictures.blocks))

    def _find_passages(
        self,
        caller: "Caller",
        wanted: FoundryArguments,
        grants: "Sequence[CollectionGrant]",
        where: "Filter | None",
    ) -> list[SearchResult]:
        mode = self._kind.mode
        if mode is None:
            return [_NOTHING_SEARCHED for _ in grants]
        return self._search()(caller, [_search_request(caller, wanted, grant, where, mode) for grant in grants])

    def _find_images(
        self,
        call: CallContext,
        wanted: FoundryArguments,
        grants: "Sequence[CollectionGrant]",
        where: "Filter | None",
    ) -> list[ImageSearchResult]:
        """Return the images; a tool that finds passages as well answers with those where images cannot be searched."""
        if not self._kind.has_images:
            return []
        requests = [ImageRequest(wanted.query, each, where, wanted.top_n) for each in grants]
        try:
            return self._image_search()(call.caller, requests)
        except DomainError as problem:
            if not self._kind.is_multimodal:
                raise
            call.audit_fields["problem"] = audit_text(problem)
            return [ImageSearchResult((), IMAGES_NOT_SEARCHED, 0) for _ in requests]

    def _fitting_lists(
        self,
        wanted: FoundryArguments,
        found: Sequence[SearchResult],
        images: Sequence[Sequence[FoundImage]],
        max_tokens: int,
    ) -> list[RankedList]:
        """Return the lists of passages, then those of images, with the items that have room and are relevant enough.

        Strictness comes last, so that a stricter call returns a part of what a laxer one does.
        """

        def tokens(lists: Sequence[RankedList]) -> int:
            forms = possible_pictures(lists) if wanted.include_images else (None,)
            bare = [each._replace(items=[item.without_text() for item in each.items]) for each in lists]
            texts = [
                quoted_sums(item.found) for each in lists for item in each.items if isinstance(item.found, Passage)
            ]
            return max(json_tokens(self._answer(wanted.names, found, bare, form), texts) for form in forms)

        lists = fill_by_turns(self._lists(wanted, found, images), tokens, max_tokens)
        kept = [item for each in lists for item in each.items]
        if len(kept) == 1 and kept[0].has_neighbours and tokens(lists) > max_tokens:
            # A single passage is answered without its neighbours where it has no room with them.
            alone = [replace(each, passages=[replace(one, context=()) for one in each.passages]) for each in found]
            lists = fill_by_turns(self._lists(wanted, alone, images), tokens, max_tokens)
        return [each.admitted() for each in lists]

    def _lists(
        self, wanted: FoundryArguments, found: Sequence[SearchResult], images: Sequence[Sequence[FoundImage]]
    ) -> list[RankedList]:
        mode = self._kind.mode
        texts = [] if mode is None else [passage_items(each.passages, self._vector_type(each)) for each in found]
        thresholds = () if mode is None else TEXT_THRESHOLDS[mode]
        return [
            *(RankedList(items, wanted.text_strictness, thresholds) for items in texts),
            *(RankedList(image_items(each), wanted.image_strictness, IMAGE_THRESHOLDS) for each in images),
        ]

    def _vector_type(self, result: SearchResult) -> str:
        """Return the tool's kind of vector; a search whose embedder does not answer compared words alone."""
        compared = any(each.similarity is not None for each in result.passages)
        return self._kind.vector_type if compared or not result.passages else "sparse"

    def _read_picture(self, call: CallContext, image: FoundImage) -> "Picture | None":
        """Return the picture; None where it is not stored, or where the store does not answer."""
        try:
            return self._image_reader().picture(call.caller, image)
        except Unavailable as error:
            call.audit_fields["problem"] = audit_text(error)
            return None

    def _answer(
        self,
        names: Sequence[str],
        found: Sequence[SearchResult],
        lists: Sequence[RankedList],
        pictures: IncludedPictures | None,
    ) -> dict[str, object]:
        members = ("text_chunks", "image_chunks") if self._kind.is_multimodal else ("results",)
        answer: dict[str, object] = {}
        for number, (name, result) in enumerate(zip(names, found, strict=True)):
            # The lists of passages come first, then those of images, each in the order of the names.
            own = lists[number :: len(names)]
            metadata = {
                "results_number": sum(len(each.items) for each in own),
                "search_type": self._kind.search_type,
                "collection": name,
                **_notice_member(result, own, pictures),
            }
            chunks = {
                member: [_item_member(item, pictures) for item in each.items]
                for member, each in zip(members, own, strict=True)
            }
            # The reference keys an answer by the names that the call has.
            answer[name] = {**chunks, "metadata": metadata}
        return answer


def _item_member(item: ListedItem, pictures: IncludedPictures | None) -> Mapping[str, object]:
    if pictures is None or not isinstance(item.found, FoundImage):
        return item.member
    return {**item.member, "picture": pictures.numbers.get(item.found.uid)}


def _notice_member(
    result: SearchResult, lists: Sequence[RankedList], pictures: IncludedPictures | None
) -> Mapping[str, object]:
    notices = (result.notice, None if pictures is None else pictures.notice(lists))
    text = " ".join(filter(None, notices))
    return {"notice": text} if text else {}


def _search_request(
    caller: "Caller", wanted: FoundryArguments, grant: "CollectionGrant", where: "Filter | None", mode: SearchMode
) -> SearchRequest:
    """Return the request for one name; strictness decides about its passages, and no floor but the key's."""
    request = SearchRequest.for_caller(
        caller,
        [wanted.query],
        collections=grant,
        documents=ALL_DOCUMENTS,
        where=where,
        top_n=wanted.top_n,
        max_top_n=MAX_TOP_N_PER_COLLECTION,
        mode=mode,
    )
    return replace(request, min_relevance=_WITHOUT_FLOOR)


def _with_degradation(found: Sequence[SearchResult], images: Sequence[ImageSearchResult]) -> Sequence[SearchResult]:
    """Return the results with what the search for images did not do, where the search for passages did all."""
    if not images:
        return found
    return [
        replace(
            each,
            degradation=each.degradation or of_images.degradation,
            acl_mismatches=each.acl_mismatches + of_images.acl_mismatches,
        )
        for each, of_images in zip(found, images, strict=True)
    ]


def _audit_fields(found: Sequence[SearchResult], shown: Sequence[ListedItem]) -> AuditFacts:
    passages = [each.found for each in shown if isinstance(each.found, Passage)]
    images = [each.found for each in shown if isinstance(each.found, FoundImage)]
    fields = AuditFacts()
    for result in found:
        fields.update(result.audit_fields(()))
    mismatches = sum(result.acl_mismatches for result in found)
    documents = {*audited_documents(passages), *(audit_name(each.document) for each in images)}
    fields.update(documents=sorted(documents), segments=len(passages), collections=len(found))
    if mismatches:
        fields["acl_mismatch"] = mismatches
    return fields
