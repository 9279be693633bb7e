"""Answer to a retrieve request: response, activity and references, with the members and names of each version."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from groundwire.dialects.azure.answers.reranker_score import reranker_score
from groundwire.dialects.azure.requests.retrieve_request import SEARCH_INDEX
from groundwire.dialects.azure.versions import AGENTS, ApiVersion
from groundwire.domain.documents.indexed_fields import searchable_fields
from groundwire.domain.text.token_estimate import estimate_tokens
from groundwire.ports.models import ModelUsage
from groundwire.services.search.results import Passage

Json = dict[str, object]

_FRAME_TOKENS: Final = 12
"""Tokens of an object of the response beside its values: names of members, quotes and the number."""
_MILLISECONDS: Final = 1000


class SearchStep(NamedTuple):
    """One search of the plan.

    Attributes:
        source: name of index or knowledge source. filter: as sent.
        found: number of passages that passed the threshold.
        started_at: epoch seconds. elapsed_ms: of the searches, which run together.
        failure: message where the source did not answer.
    """

    source: str
    query: str
    filter: str | None
    found: int
    started_at: float
    elapsed_ms: int
    failure: str | None = None


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


class RetrievalOutcome(NamedTuple):
    """What an answer is made of.

    Attributes:
        passages: all that were found, in the order of the answer.
        usage: of the model that planned; None: no model did.
        has_reranker: a reranker ordered the passages.
    """

    version: ApiVersion
    steps: Sequence[SearchStep]
    passages: Sequence[ReferencedPassage]
    usage: ModelUsage | None
    effort: str
    has_reranker: bool
    includes_activity: bool


def retrieval_answer(outcome: RetrievalOutcome, max_tokens: int) -> Json:
    """Return the answer; its response holds as many whole passages as fit in so many tokens."""
    shown = _fitting(outcome.passages, max_tokens)
    message: Json = {"content": [{"type": "text", "text": _json_text([_entry(*each) for each in enumerate(shown)])}]}
    is_agent = outcome.version in AGENTS
    answer: Json = {"response": [{"role": "assistant", **message} if is_agent else message]}
    if outcome.includes_activity:
        answer["activity"] = _activity(outcome)
    # Agents list every document that was found; later versions list those of the response.
    listed = outcome.passages if is_agent else shown
    first = len(_planning(outcome))
    answer["references"] = [
        _reference(outcome.version, number, each, first + each.step)
        for number, each in enumerate(listed)
        if each.is_referenced
    ]
    return answer


def source_data(passage: Passage, names: Sequence[str] | None) -> Json:
    """Return the fields of a passage: key, title, terms and content, or the named ones of them and of its metadata."""
    own = {"id": passage.segment.uid, **_semantic_fields(passage)}
    if names is None:
        return own
    known = {**searchable_fields(passage.document, passage.segment.page_first), **own}
    return {"id": passage.segment.uid, **{name: known.get(name) for name in names}}


def _semantic_fields(passage: Passage) -> Json:
    terms = ", ".join(passage.segment.keywords)
    title = passage.document.title or passage.document.source_file_name
    return {"title": title, **({"terms": terms} if terms else {}), "content": passage.text}


def _entry(number: int, each: ReferencedPassage) -> Json:
    return {"ref_id": number, **_semantic_fields(each.passage)}


def _fitting(passages: Sequence[ReferencedPassage], room: int) -> Sequence[ReferencedPassage]:
    """Return the best passages that fit, each whole."""
    for count, each in enumerate(passages):
        room -= _FRAME_TOKENS + sum(estimate_tokens(str(text)) for text in _semantic_fields(each.passage).values())
        if room < 0:
            return passages[:count]
    return passages


def _json_text(entries: Sequence[Json]) -> str:
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def _activity(outcome: RetrievalOutcome) -> list[Json]:
    steps = [_search_step(outcome.version, each) for each in outcome.steps]
    records = [*_planning(outcome), *steps, *_ranking(outcome)]
    return [{"type": each.pop("type"), "id": number, **each} for number, each in enumerate(records)]


def _planning(outcome: RetrievalOutcome) -> list[Json]:
    """Return the record of the planner; rules cost no tokens and have none."""
    usage, version = outcome.usage, outcome.version
    if usage is None or version is ApiVersion.APRIL_2026:
        return []
    planned: Json = {
        "type": "ModelQueryPlanning" if version is ApiVersion.MAY_2025 else "modelQueryPlanning",
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "elapsedMs": usage.elapsed_ms,
    }
    if version is ApiVersion.MAY_2026:
        planned["modelName"] = usage.model
    if version is ApiVersion.AUGUST_2026:
        planned["model"] = {"modelName": usage.model, "deploymentId": usage.model}
    return [planned]


def _search_step(version: ApiVersion, step: SearchStep) -> Json:
    measured: Json = {"queryTime": _utc(step.started_at), "count": step.found, "elapsedMs": step.elapsed_ms}
    searched: Json = {"search": step.query, "filter": step.filter}
    if version is ApiVersion.MAY_2025:
        return {"type": "AzureSearchQuery", "targetIndex": step.source, "query": searched, **measured}
    record: Json = {"type": SEARCH_INDEX, "knowledgeSourceName": step.source, **measured}
    if version not in AGENTS:
        searched |= {"sourceDataFields": [], "searchFields": [], "semanticConfigurationName": None}
    record["searchIndexArguments"] = searched
    if step.failure is not None and version not in AGENTS:
        record["error"] = {"code": "", "message": step.failure}
    return record


def _ranking(outcome: RetrievalOutcome) -> list[Json]:
    """Return the record of the ranker or, in later versions, of reasoning, which takes no tokens without a model."""
    if outcome.version in AGENTS:
        kind = "AzureSearchSemanticRanker" if outcome.version is ApiVersion.MAY_2025 else "semanticReranker"
        return [{"type": kind}] if outcome.has_reranker else []
    effort = {} if outcome.version is ApiVersion.APRIL_2026 else {"retrievalReasoningEffort": {"kind": outcome.effort}}
    return [{"type": "agenticReasoning", "reasoningTokens": 0, **effort}]


def _reference(version: ApiVersion, number: int, each: ReferencedPassage, search: int) -> Json:
    passage = each.passage
    reference: Json = {
        "type": "AzureSearchDoc" if version is ApiVersion.MAY_2025 else SEARCH_INDEX,
        "id": str(number),
        "activitySource": search,
        "docKey": passage.segment.uid,
        "sourceData": each.source_data,
    }
    if version is not ApiVersion.MAY_2025:
        reference["rerankerScore"] = None if passage.relevance is None else reranker_score(passage.relevance)
    if version not in AGENTS:
        reference["title"] = passage.document.title or passage.document.source_file_name
    return reference


def _utc(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // _MILLISECONDS:03}Z"
