"""Answer to a retrieve request: response, activity and references, with the members and names of each version."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.azure.answers.activity import Activity, activity_records, planning_records
from groundwire.dialects.azure.answers.reranker_score import reranker_score
from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX
from groundwire.dialects.azure.versions import AGENTS, ApiVersion
from groundwire.dialects.shared.answer_size import text_sums
from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.documents.indexed_fields import searchable_fields
from groundwire.domain.text.token_estimate import tokens_of
from groundwire.domain.text.token_sums import repeated_tokens
from groundwire.services.search.results import Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.services.search.planning.subqueries import SubqueryResults

Json = dict[str, object]

_FRAME_TOKENS: Final = 12
"""Tokens of an object of the response beside its values: names of members, quotes and the number."""

_URL: Final = "url"


class ReferencedPassage(NamedTuple):
    """A passage of the answer.

    Attributes:
        step: number of the search that found it, from 0.
        source_data: its fields; None: not wanted.
        is_referenced: it is listed under `references`.
    """

    passage: Passage
    step: int
    source_data: Mapping[str, object] | None
    is_referenced: bool


def search_answer(
    activity: Activity, passages: Sequence[ReferencedPassage], max_tokens: int, *, includes_activity: bool
) -> Json:
    """Return the answer; its response holds as many whole passages as fit in so many tokens.

    Args:
        activity: steps of the call.
        passages: all that were found, in the order of the answer.
        max_tokens: of the response.
        includes_activity: whether the answer has the records of the steps.
    """
    shown = _fitting(passages, max_tokens)
    message: Json = {"content": [{"type": "text", "text": _json_text([_entry(*each) for each in enumerate(shown)])}]}
    is_agent = activity.version in AGENTS
    # Recorded answers of knowledge bases have no role; the clients' model of 2025-05-01-preview requires one.
    answer: Json = {"response": [{"role": "assistant", **message} if is_agent else message]}
    if includes_activity:
        answer["activity"] = activity_records(activity)
    # Agents list every document that was found; later versions list those of the response.
    listed = passages if is_agent else shown
    first = len(planning_records(activity))
    answer["references"] = [
        _reference(activity.version, number, each, first + each.step)
        for number, each in enumerate(listed)
        if each.is_referenced
    ]
    return answer


def source_data(passage: Passage, names: Sequence[str] | None, address: Callable[[Passage], str]) -> Json:
    """Return the fields of a passage: the usual ones, or the named ones of them and of its metadata.

    Args:
        passage: of the answer.
        names: those that are wanted; None: key, title, terms, content and address.
        address: gives the address at which the caller opens the passage.
    """
    own = {"id": passage.segment.uid, **_semantic_fields(passage)}
    if names is None:
        return {**own, _URL: address(passage)}
    metadata = searchable_fields(passage.document, passage.segment.page_first)
    known: Json = {**metadata, **own}
    # The metadata that a definition names stays what its owner wrote.
    if _URL in names and _URL not in metadata:
        known[_URL] = address(passage)
    return {"id": passage.segment.uid, **{name: known.get(name) for name in names}}


def audit_fields(found: "SubqueryResults", shown: Sequence[ReferencedPassage]) -> AuditFacts:
    """Return the facts of an answer for its audit line."""
    degradations = dict.fromkeys(filter(None, (each.degradation for each in found.searches)))
    mismatches = max((each.acl_mismatches for each in found.searches), default=0)
    result = SearchResult((), " ".join(degradations) or None, mismatches)
    return {**result.audit_fields([each.passage for each in shown]), "subqueries": len(found.searches)}


def _semantic_fields(passage: Passage) -> Json:
    return {**_names(passage), "content": passage.text}


def _names(passage: Passage) -> dict[str, str]:
    terms = ", ".join(passage.segment.keywords)
    title = passage.document.title or passage.document.source_file_name
    return {"title": title, "terms": terms} if terms else {"title": title}


def _entry(number: int, each: ReferencedPassage) -> Json:
    return {"ref_id": number, **_semantic_fields(each.passage)}


def _fitting(passages: Sequence[ReferencedPassage], room: int) -> Sequence[ReferencedPassage]:
    """Return the best passages that fit, each whole."""
    for count, each in enumerate(passages):
        names = _names(each.passage).values()
        room -= _FRAME_TOKENS + sum(map(repeated_tokens, names)) + tokens_of(text_sums(each.passage))
        if room < 0:
            return passages[:count]
    return passages


def _json_text(entries: Sequence[Json]) -> str:
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _reference(version: ApiVersion, number: int, each: ReferencedPassage, search: int) -> Json:
    passage = each.passage
    reference: Json = {
        "type": "AzureSearchDoc" if version is ApiVersion.MAY_2025 else SEARCH_INDEX,
        # The service sends a text here and a number as `ref_id`.
        "id": str(number),
        "activitySource": search,
        "docKey": passage.segment.uid,
        "sourceData": each.source_data,
    }
    if version is not ApiVersion.MAY_2025:
        reference["rerankerScore"] = None if passage.relevance is None else reranker_score(passage.relevance)
    if version not in AGENTS:
        # The service sends a title, although its specification has none.
        reference["title"] = passage.document.title or passage.document.source_file_name
    return reference
