"""Enrichment of passages by an optional language model.

If the model fails, the document is ingested without enrichment, and its recipe records that, so that the next run tries
again.
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
from groundwire.ports import Enricher, Enrichment
from groundwire_readers.text.normalisation import normalise


@dataclass(frozen=True, slots=True)
class EnrichmentResult:
    """Segments after enrichment.

    Attributes:
        failure: why they are unchanged, for the owner; None where they are enriched.
    """

    segments: tuple[Segment, ...]
    failure: str | None = None


def enrich(enricher: Enricher, title: str, segments: Sequence[Segment]) -> EnrichmentResult:
    """Return the segments with the enricher's output, or unchanged if it fails."""
    try:
        return EnrichmentResult(tuple(apply_enrichments(segments, enricher.enrich(title, segments))))
    except Unavailable as failure:
        return EnrichmentResult(tuple(segments), str(failure))


def apply_enrichments(segments: Sequence[Segment], enrichments: Sequence[Enrichment]) -> list[Segment]:
    """Return each segment with its enrichment, which is untrusted text and is normalised and truncated."""
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
    """Return the text on one line, truncated between words."""
    normalised = normalise(text)
    if len(normalised) <= max_characters:
        return normalised
    # A text without spaces, such as Chinese, is cut between characters.
    return normalise(normalised[:max_characters].rpartition(" ")[0] or normalised[:max_characters])
