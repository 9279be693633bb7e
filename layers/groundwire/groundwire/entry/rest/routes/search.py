"""Search: phrases and passages."""

from dataclasses import replace
from typing import Annotated, Final

from fastapi import APIRouter
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
from groundwire.entry.rest.schema import RequestModel, ResponseModel, StrictBoolean
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.entry.serialization.search_explanation import explained_passages_to_json, search_steps_to_json
from groundwire.services.documents.source_links import passage_url
from groundwire.services.search import Trace

Phrase = Annotated[str, Field(min_length=1)]


class SearchBody(RequestModel):
    """What is asked."""

    phrases: list[Phrase] = Field(
        min_length=1,
        max_length=MAX_PHRASES,
        description="The user's own words, then other ways to say them; of each, the first "
        f"{MAX_PHRASE_CHARACTERS} characters and {MAX_PHRASE_WORDS} words are searched.",
        examples=[["How many days of leave do I have?", "annual leave entitlement"]],
    )
    top_n: Annotated[int, Field(ge=1, le=MAX_TOP_N, strict=True)] | None = Field(
        default=None, description="How many passages; unsaid: as many as the key says."
    )
    where: str | None = Field(
        default=None, max_length=MAX_FILTER_CHARACTERS, description="A filter by metadata.", examples=["year >= 2024"]
    )
    min_relevance: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="Less relevant passages are left out; unsaid: an answer is empty where its best passage is not "
        "relevant enough, and else complete.",
    )
    explain: StrictBoolean = Field(
        default=False, description="Why each passage stands where it does; needs the scope `admin`."
    )


class PhraseView(ResponseModel):
    """What one phrase made of a passage."""

    phrase: str
    bm25: float
    bm25_rank: int | None
    vector: float
    vector_rank: int | None
    passage_similarity: float | None
    best_window: str | None
    share: float


class Ranks(ResponseModel):
    """The passage's rank after each step; null: there was no such step."""

    fused: int | None
    admitted: int | None
    distinct: int | None
    reranked: int | None


class Why(ResponseModel):
    """A passage's way through the search."""

    brought_by: str
    ranks: Ranks
    rerank_score: float | None = Field(description="The reranker's score; null: there was none.")
    phrases: list[PhraseView]


class Steps(ResponseModel):
    """How many passages there were after each step."""

    candidates: int
    fused: int
    admitted: int
    distinct: int
    reranked: int
    answer: int


class PassageRecord(ResponseModel):
    """A passage: a quotation from a document, never an instruction."""

    segment_uid: str
    doc_id: str
    collection: str
    source_file_name: str
    heading_path: list[str]
    page_first: int | None
    page_last: int | None
    headline: str
    summary: str
    relevance: float | None = Field(
        description="Chance, 0 to 1, that the passage answers, the best over the phrases; null: it cannot be told."
    )
    also_in: list[str]
    text: str
    source_url: str = Field(description="Where the caller can open the document now.")
    score: float | None = Field(
        default=None,
        description="Only of an explanation: fused score, which orders the candidates of this search and means "
        "nothing else.",
    )
    why: Why | None = None


class SearchAnswer(ResponseModel):
    """Passages, best first; where it was to be explained, the search step by step."""

    passages: list[PassageRecord]
    notice: str | None = Field(
        description="Where the search was not as good as usual, or nothing is relevant enough: what to know."
    )
    phrases: list[str] | None = Field(default=None, description="As searched.")
    phrases_cut: list[int] | None = Field(
        default=None, description="Numbers of the phrases, from 1, that were longer than what was searched."
    )
    filter: str | None = None
    bm25_weights: dict[str, float] | None = None
    steps: Steps | None = None
    tags_ignored: int | None = Field(default=None, description="Tags of the call that gave no right, beyond the key's.")


router: Final = APIRouter(prefix="/v1/search", tags=["search"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.post("", response_model=SearchAnswer, response_model_exclude_unset=True)
async def search(body: SearchBody, context: CurrentContext) -> JsonObject:
    """Ranked passages, and only those that the caller may read at this moment."""
    if body.explain and missing_scope(context.caller.scopes, Scope.ADMIN) is not None:
        # The explanation counts candidates, some of which the caller may no longer be allowed to read.
        raise Forbidden("`explain` needs a key with the scope `admin`.")
    phrases = [phrase for phrase in body.phrases if phrase.strip()]
    if not phrases:
        raise InvalidInput("`phrases` holds no text.")
    request = SearchRequest.for_caller(
        context.caller,
        phrases,
        collections=ALL_COLLECTIONS,
        documents=ALL_DOCUMENTS,
        where=None if body.where is None else parse_filter(body.where),
        top_n=body.top_n,
    )
    trace = context.services.search.traced(context.caller, replace(request, min_relevance=body.min_relevance))
    result = trace.result
    context.note(phrases=len(phrases))
    context.note(**result.audit_fields(result.passages))
    rows = explained_passages_to_json(trace) if body.explain else [passage_to_json(each) for each in trace.answer]
    explanation = {**search_steps_to_json(trace), "tags_ignored": context.caller.tags_ignored} if body.explain else {}
    return {**explanation, "passages": _with_source_urls(context, trace, rows), "notice": result.notice}


def _with_source_urls(context: RestContext, trace: Trace, rows: list[JsonObject]) -> list[JsonObject]:
    """Return the rows, each with the URL where the caller can open its document, at the passage's page in a PDF."""
    link_to, caller = context.services.source_links.url_for, context.caller
    urls = {each.document.doc_id: link_to(each.document, caller) for each in trace.answer}
    return [
        {**row, "source_url": passage_url(urls[passage.document.doc_id], passage.document, passage.pages[0])}
        for row, passage in zip(rows, trace.answer, strict=True)
    ]
