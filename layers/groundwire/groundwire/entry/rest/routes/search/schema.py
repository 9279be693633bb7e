"""Bodies and answers of searches."""

from typing import Annotated

from pydantic import Field

from groundwire.domain.limits import (
    MAX_COLLECTIONS_PER_CALL,
    MAX_FILTER_CHARACTERS,
    MAX_PHRASE_CHARACTERS,
    MAX_PHRASE_WORDS,
    MAX_PHRASES,
    MAX_TOP_N,
)
from groundwire.entry.rest.access_schema import PersonBody
from groundwire.entry.rest.schema import CollectionName, RequestModel, ResponseModel, StrictBoolean

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
    collections: Annotated[list[CollectionName], Field(min_length=1, max_length=MAX_COLLECTIONS_PER_CALL)] | None = (
        Field(
            default=None,
            description="Collections to search; null: those of the key. A name that the key does not cover finds "
            "nothing, like one that does not exist.",
        )
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
        default=False,
        description="Return why each passage is visible and how it got its rank; administrators only.",
    )
    person: PersonBody | None = Field(
        default=None,
        alias="as",
        description="Person with whose rights to search, as of `POST /v1/access/check`, by an administrator's key that "
        "has `may_search_as`. The answer has no links.",
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


class Visibility(ResponseModel):
    """Explanation of why the caller may read the document of a passage, as of `POST /v1/access/check`."""

    reason: str = Field(description="The rule that admits the caller.")
    policy_reason: str = Field(description="What the declared policy alone decides.")
    ceiling_reason: str | None = Field(description="What the ceiling alone decides; null without one.")
    needed_tags: list[str] = Field(description="Tags of the caller without each of which there would be no access.")
    needs_user: bool = Field(description="Whether there would be no access without the name of the user.")


class Why(ResponseModel):
    """Explanation of the rank of a passage, among the passages that the caller may read."""

    brought_by: str = Field(description="Phrase with the largest part of the score.")
    excerpt: str | None = Field(
        description="Sentences or rows of the passage with the most words of the phrases; null: it has none of them."
    )
    ranks: Ranks
    rerank_score: float | None = Field(description="Score of the reranker; null: no reranker.")
    phrases: list[PhraseView]


class Steps(ResponseModel):
    """Number of passages that the caller may read, after each step."""

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
    also_in: list[str] = Field(description="Ids of passages of other documents with nearly the same text.")
    also_in_files: list[str] = Field(description="Names of the files of these documents, in the same order.")
    text: str
    source_url: str | None = Field(
        description="URL at which the caller can open the document. In a search as another person, the document's own "
        "URL, or null."
    )
    score: float | None = Field(
        default=None,
        description="In an explanation: fused score, which orders the candidates of this search.",
    )
    why: Why | None = None
    access: Visibility | None = None


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
