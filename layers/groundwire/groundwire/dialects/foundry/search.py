"""The five search tools: one list, or two, for each collection that a call names."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from groundwire.dialects.answers.answer_size import answer_tokens
from groundwire.dialects.answers.notices import notice_member
from groundwire.dialects.answers.quotations import audit_name
from groundwire.dialects.answers.tool_errors import tool_error
from groundwire.dialects.foundry.arguments import FoundryArguments, read_search_arguments
from groundwire.dialects.foundry.kinds import SearchKind
from groundwire.dialects.foundry.results import ListedItem, RankedList, fill_by_turns, image_items, passage_items
from groundwire.dialects.foundry.strictness import IMAGE_THRESHOLDS, TEXT_THRESHOLDS
from groundwire.dialects.openai.results import json_result
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_TOP_N_PER_COLLECTION
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, SearchRequest
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.protocol.definitions.tool_context import ToolContext
from groundwire.protocol.definitions.tools import ToolResult
from groundwire.services.call_context import CallContext
from groundwire.services.search import Passage, SearchResult, audited_documents
from groundwire.services.search.image_search import FoundImage, ImageRequest, ImageSearchFunction
from groundwire.services.search.results import LEXICAL_ONLY

if TYPE_CHECKING:
    from groundwire.dialects.foundry.requested_collections import RequestedCollections
    from groundwire.domain.filters.expression import Filter
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.grants import CollectionGrant
    from groundwire.services.search.per_collection import PerCollectionSearchFunction

_NOTHING_SEARCHED: Final = SearchResult(())
_WITHOUT_FLOOR: Final = 0.0


class CollectionsSearch:
    """Handler of one search tool.

    Args:
        kind: what the tool searches.
        requested: resolution of names and filters.
        search, image_search: use cases, behind functions, since no tool needs both but one.
    """

    def __init__(
        self,
        kind: SearchKind,
        requested: "RequestedCollections",
        search: "Callable[[], PerCollectionSearchFunction]",
        image_search: Callable[[], ImageSearchFunction],
    ) -> None:
        self._kind = kind
        self._requested = requested
        self._search = search
        self._image_search = image_search

    def __call__(self, call: CallContext, arguments: Mapping[str, object], _context: ToolContext) -> ToolResult:
        """Return the results of each collection, keyed by the name that the call has for it."""
        wanted = read_search_arguments(self._kind, arguments)
        try:
            grants = self._requested.grants(call.caller, wanted.names)
            where = self._requested.read_filter(call.caller, wanted.filters, grants)
            found = self._find_passages(call.caller, wanted, grants, where)
            images = self._find_images(call.caller, wanted, grants, where)
        except DomainError as problem:
            raise tool_error(call, "Search failed", problem) from problem
        lists = self._fitting_lists(wanted, found, images, answer_tokens(call.caller))
        call.audit_fields.update(_audit_fields(found, [item for each in lists for item in each.items]))
        return json_result(self._answer(wanted.names, found, lists))

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
        caller: "Caller",
        wanted: FoundryArguments,
        grants: "Sequence[CollectionGrant]",
        where: "Filter | None",
    ) -> list[list[FoundImage]]:
        if not self._kind.has_images:
            return []
        return self._image_search()(caller, [ImageRequest(wanted.query, each, where, wanted.top_n) for each in grants])

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
            return estimate_tokens(json.dumps(self._answer(wanted.names, found, lists), ensure_ascii=False))

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
        return "sparse" if LEXICAL_ONLY in (result.degradation or "") else self._kind.vector_type

    def _answer(
        self, names: Sequence[str], found: Sequence[SearchResult], lists: Sequence[RankedList]
    ) -> dict[str, object]:
        members = ("text_chunks", "image_chunks") if self._kind.is_multimodal else ("results",)
        answer: dict[str, object] = {}
        for number, (name, result) in enumerate(zip(names, found, strict=True)):
            own = lists[number :: len(names)]
            metadata = {
                "results_number": sum(len(each.items) for each in own),
                "search_type": self._kind.search_type,
                "collection": name,
                **notice_member(result),
            }
            chunks = {member: [item.member for item in each.items] for member, each in zip(members, own, strict=True)}
            answer[name] = {**chunks, "metadata": metadata}
        return answer


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


def _audit_fields(found: Sequence[SearchResult], shown: Sequence[ListedItem]) -> dict[str, object]:
    passages = [each.found for each in shown if isinstance(each.found, Passage)]
    images = [each.found for each in shown if isinstance(each.found, FoundImage)]
    fields: dict[str, object] = {}
    for result in found:
        fields.update(result.audit_fields(()))
    mismatches = sum(result.acl_mismatches for result in found)
    documents = {*audited_documents(passages), *(audit_name(each.document) for each in images)}
    return {
        **fields,
        **({"acl_mismatch": mismatches} if mismatches else {}),
        "documents": sorted(documents),
        "segments": len(passages),
        "collections": len(found),
    }
