"""Search: phrases and passages."""

from typing import Annotated

from pydantic import Field

from groundwire.domain.limits import (
    MAX_FILTER_CHARACTERS,
    MAX_PHRASE_CHARACTERS,
    MAX_PHRASE_WORDS,
    MAX_PHRASES,
    MAX_TOP_N,
)
from groundwire.entry.rest.models.form import Flag, Sent, Told

Phrase = Annotated[str, Field(min_length=1)]


class SearchBody(Sent):
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
    explain: Flag = Field(default=False, description="Why each passage stands where it does; needs the scope `admin`.")


class PhraseView(Told):
    """What one phrase made of a passage."""

    phrase: str
    bm25: float
    bm25_rank: int | None
    vector: float
    vector_rank: int | None
    passage_similarity: float | None
    best_window: str | None
    share: float


class Ranks(Told):
    """The passage's rank after each step; null: there was no such step."""

    fused: int | None
    admitted: int | None
    distinct: int | None
    reranked: int | None


class Why(Told):
    """A passage's way through the search."""

    brought_by: str
    ranks: Ranks
    relevance: float | None
    phrases: list[PhraseView]


class Steps(Told):
    """How many passages there were after each step."""

    candidates: int
    fused: int
    admitted: int
    distinct: int
    reranked: int
    answer: int


class PassageRecord(Told):
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
    score: float
    also_in: list[str]
    text: str
    source_url: str = Field(description="Where the caller can open the document now.")
    why: Why | None = None


class SearchAnswer(Told):
    """Passages, best first; where it was to be explained, the search step by step."""

    passages: list[PassageRecord]
    notice: str | None = Field(description="Where the search was not as good as usual: what to know; else null.")
    phrases: list[str] | None = Field(default=None, description="As searched.")
    phrases_cut: list[int] | None = Field(
        default=None, description="Numbers of the phrases, from 1, that were longer than what was searched."
    )
    filter: str | None = None
    bm25_weights: dict[str, float] | None = None
    steps: Steps | None = None
    tags_ignored: int | None = Field(default=None, description="Tags of the call that gave no right, beyond the key's.")
