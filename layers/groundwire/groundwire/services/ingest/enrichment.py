"""What a language model adds to the passages of a document, where the owner has one; without it nothing is missing.

A model that fails costs a document nothing but what it would have added: it is ingested as it is, and its recipe says
so, so that the next run asks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import (
    MAX_CONTEXT_CHARACTERS,
    MAX_QUESTION_CHARACTERS,
    MAX_QUESTIONS,
    SUMMARY_MAX_CHARACTERS,
)
from groundwire.domain.text.normalisation import normalise
from groundwire.ports import Enricher, Enrichment


@dataclass(frozen=True, slots=True)
class EnrichmentResult:
    """The segments after the enricher was asked.

    Attributes:
        failure: why they are as they were, in words for the owner; None where they are enriched.
    """

    segments: tuple[Segment, ...]
    failure: str | None = None


def enrich(enricher: Enricher, title: str, segments: Sequence[Segment]) -> EnrichmentResult:
    """The segments with what the enricher says of them, or as they were."""
    try:
        return EnrichmentResult(tuple(apply_enrichments(segments, enricher.enrich(title, segments))))
    except Unavailable as failure:
        return EnrichmentResult(tuple(segments), str(failure))


def apply_enrichments(segments: Sequence[Segment], enrichments: Sequence[Enrichment]) -> list[Segment]:
    """Each segment with its enrichment, which is a stranger's text and made as harmless and short as it must be."""
    return [_apply_enrichment(segment, added) for segment, added in zip(segments, enrichments, strict=True)]


def _apply_enrichment(segment: Segment, added: Enrichment) -> Segment:
    questions = (_shortened(question, MAX_QUESTION_CHARACTERS) for question in added.questions)
    return replace(
        segment,
        context=_shortened(added.context, MAX_CONTEXT_CHARACTERS),
        summary=_shortened(added.summary or "", SUMMARY_MAX_CHARACTERS) or segment.summary,
        questions=tuple(question for question in questions if question)[:MAX_QUESTIONS],
    )


def _shortened(text: str, max_characters: int) -> str:
    """On one line, cut between words where it is too long."""
    whole = normalise(text)
    if len(whole) <= max_characters:
        return whole
    return normalise(whole[:max_characters].rpartition(" ")[0] or whole[:max_characters])
