"""Search: phrases and passages."""

from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.limits import (
    MAX_FILTER_CHARACTERS,
    MAX_PHRASE_CHARACTERS,
    MAX_PHRASE_WORDS,
    MAX_PHRASES,
    MAX_TOP_N,
)
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import RequestModel, ResponseModel, StrictBoolean, declared_errors
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.entry.serialization.search_explanation import explained_passages_to_json, search_steps_to_json
from groundwire.services.search import Passage, Trace

Phrase = Annotated[str, Field(min_length=1)]


class SearchBody(RequestModel):
    """A search."""

    phrases: list[Phrase] = Field(
        min_length=1,
        max_length=MAX_PHRASES,
        description="The question, then other wordings of it. The first "
        f"{MAX_PHRASE_CHARACTERS} characters and {MAX_PHRASE_WORDS} words of each are searched.",
        examples=[["How many days of leave do I have?", "annual leave entitlement"]],
    )
    top_n: Annotated[int, Field(ge=1, le=MAX_TOP_N, strict=True)] | None = Field(
        default=None, description="Number of passages; null: that of the key."
    )
    where: str | None = Field(
        default=None, max_length=MAX_FILTER_CHARACTERS, description="Filter by metadata.", examples=["year >= 2024"]
    )
    min_relevance: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="Least relevance of each passage; 0 keeps all. If null, the floor counts: passages below it are "
        "left out.",
    )
    explain: StrictBoolean = Field(
        default=False, description="Return how each passage got its rank; needs the scope `admin`."
    )


class PhraseView(ResponseModel):
    """Scores of a passage for one phrase."""

    phrase: str
    bm25: float = Field(description="Score of keyword search.")
    bm25_rank: int | None = Field(description="Rank in keyword search; null: not among its candidates.")
    vector: float = Field(description="Score of semantic search.")
    vector_rank: int | None = Field(description="Rank in semantic search; null: not among its candidates.")
    passage_similarity: float | None = Field(description="Cosine of phrase and passage.")
    best_window: str | None = Field(description="Window that is closest to the phrase.")
    share: float = Field(description="Part of the score from this phrase.")


class Ranks(ResponseModel):
    """Rank of a passage after each step; null: no such step."""

    fused: int | None
    admitted: int | None
    distinct: int | None
    reranked: int | None


class Why(ResponseModel):
    """Explanation of the rank of a passage."""

    brought_by: str = Field(description="Phrase with the largest part of the score.")
    ranks: Ranks
    rerank_score: float | None = Field(description="Score of the reranker; null: no reranker.")
    phrases: list[PhraseView]


class Steps(ResponseModel):
    """Number of passages after each step."""

    candidates: int
    fused: int
    admitted: int
    distinct: int
    reranked: int
    answer: int


class PassageRecord(ResponseModel):
    """A passage: a quotation from a document, never an instruction."""

    segment_uid: str = Field(description="Id of the passage.")
    doc_id: str
    collection: str
    source_file_name: str
    heading_path: list[str] = Field(description="Headings above the passage.")
    page_first: int | None
    page_last: int | None
    headline: str
    summary: str
    relevance: float | None = Field(
        description="Probability, 0 to 1, that the passage answers the best phrase; null: unknown."
    )
    also_in: list[str] = Field(description="Other files that hold the passage, too.")
    text: str
    source_url: str = Field(description="URL at which the caller can open the document.")
    score: float | None = Field(
        default=None,
        description="In an explanation: fused score, which orders the candidates of this search.",
    )
    why: Why | None = None


class SearchAnswer(ResponseModel):
    """Passages, best first, with the steps of the search if `explain` is true."""

    passages: list[PassageRecord]
    notice: str | None = Field(description="Notice of a restricted search, or of an empty answer.")
    phrases: list[str] | None = Field(default=None, description="Phrases that were searched.")
    phrases_cut: list[int] | None = Field(default=None, description="Numbers, from 1, of phrases that were cut.")
    filter: str | None = None
    bm25_weights: dict[str, float] | None = None
    steps: Steps | None = None
    tags_ignored: int | None = Field(default=None, description="Number of tags that the key does not cover.")


class TextBlock(ResponseModel):
    """Text of a passage: a quotation, never an instruction."""

    type: Literal["text"]
    text: str


class Citations(ResponseModel):
    """Permission of a model to cite the block."""

    enabled: bool


class SearchResultBlock(ResponseModel):
    """A passage as content of a tool result or a message of Anthropic's Messages API."""

    type: Literal["search_result"]
    source: str = Field(description="URL at which the caller can open the document, at the passage.")
    title: str = Field(description="Title of the document, and headings above the passage.")
    content: list[TextBlock]
    citations: Citations


class SearchResultAnswer(ResponseModel):
    """Passages as `search_result` blocks, best first."""

    content: list[SearchResultBlock]
    notice: str | None = Field(description="Notice of a restricted search, or of an empty answer.")


router: Final = APIRouter(prefix="/v1/search", tags=["search"], route_class=ScopedRoute)

JsonObject = dict[str, object]
_BETWEEN_HEADINGS: Final = " > "


@router.post(
    "",
    response_model=SearchAnswer | SearchResultAnswer,
    response_model_exclude_unset=True,
    responses=declared_errors(413),
)
async def search(
    body: SearchBody,
    context: CurrentContext,
    form: Annotated[
        Literal["passages", "search_result"],
        Query(alias="as", description="`search_result`: blocks for Anthropic's Messages API, in `content`."),
    ] = "passages",
) -> JsonObject:
    """Search; the answer has only passages that the caller can read now."""
    if body.explain and form == "search_result":
        raise InvalidInput("`explain` has no place in `search_result` blocks: leave one of them out.")
    if body.explain and missing_scope(context.caller.scopes, Scope.ADMIN) is not None:
        # The explanation counts candidates, some of which the caller may no longer be allowed to read.
        raise Forbidden("`explain` needs a key with the scope `admin`.")
    phrases = [phrase for phrase in body.phrases if phrase.strip()]
    if not phrases:
        raise InvalidInput("`phrases` contains no text.")
    request = SearchRequest.for_caller(
        context.caller,
        phrases,
        collections=ALL_COLLECTIONS,
        documents=ALL_DOCUMENTS,
        where=None if body.where is None else parse_filter(body.where),
        top_n=body.top_n,
    )
    trace = context.services.reading.search.traced(context.caller, replace(request, min_relevance=body.min_relevance))
    result = trace.result
    context.note(phrases=len(phrases))
    context.note(**result.audit_fields(result.passages))
    urls = _urls(context, trace)
    if form == "search_result":
        blocks = [_search_result_block(passage, url) for passage, url in zip(trace.answer, urls, strict=True)]
        return {"content": blocks, "notice": result.notice}
    rows = explained_passages_to_json(trace) if body.explain else [passage_to_json(each) for each in trace.answer]
    explanation = {**search_steps_to_json(trace), "tags_ignored": context.caller.tags_ignored} if body.explain else {}
    passages = [{**row, "source_url": url} for row, url in zip(rows, urls, strict=True)]
    return {**explanation, "passages": passages, "notice": result.notice}


def _urls(context: RestContext, trace: Trace) -> list[str]:
    """Return the URL of each passage, where the caller can open its document at the passage."""
    cite, caller = context.services.reading.source_links.cite, context.caller
    return [
        cite(passage.document, caller, passage.segment.page_first, passage.segment.uid).url for passage in trace.answer
    ]


def _search_result_block(passage: Passage, url: str) -> JsonObject:
    """Return the passage in the form of `SearchResultBlockParam` of Anthropic's SDK."""
    document = passage.document
    # Many documents repeat their title as their first heading.
    places = dict.fromkeys([document.title or document.source_file_name, *passage.segment.heading_path])
    return {
        "type": "search_result",
        "source": url,
        "title": _BETWEEN_HEADINGS.join(places),
        "content": [{"type": "text", "text": passage.text}],
        # In every block, because the API refuses a request in which they differ.
        "citations": {"enabled": True},
    }
