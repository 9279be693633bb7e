"""Query for the candidates of a search, in the terms of the engine."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.adapters.opensearch.query import request_bodies
from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.adapters.opensearch.schema.vectors import FieldVector, question_vector
from groundwire.domain.search.request import SearchMode
from groundwire.ports import IndexQuery, ModelId, Phrase


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """Phrases, and the rows among which their candidates are chosen.

    Attributes:
        phrases: text, and vector or None.
        rights: filters that every row passes that the caller may read.
        collections: names of the searched collections.
        filters: filters that every found row passes.
        uses_lexical: False: candidates come from semantic search alone.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[tuple[str, FieldVector | None]]
    rights: Sequence[Clause]
    collections: Sequence[str]
    filters: Sequence[Clause]
    uses_lexical: bool
    depth: int


def candidate_query(query: IndexQuery, model: ModelId) -> CandidateQuery | None:
    """Return the query for a search's candidates; None where there cannot be one.

    Raises:
        InvalidInput: a phrase's vector is not of the index's model.
    """
    phrases = [(phrase.text, _phrase_vector(phrase, query.mode, model)) for phrase in query.phrases]
    if not (phrases and query.collections and query.documents) or query.depth < 1:
        return None
    return CandidateQuery(
        phrases=phrases,
        rights=request_bodies.rights_filters(query),
        collections=query.collections,
        filters=request_bodies.scope_filters(query),
        uses_lexical=query.mode is not SearchMode.SEMANTIC,
        depth=query.depth,
    )


def _phrase_vector(phrase: Phrase, mode: SearchMode, model: ModelId) -> FieldVector | None:
    """Return the phrase's vector with its field; None where its meaning is not searched."""
    if phrase.vector is None or mode is SearchMode.LEXICAL:
        return None
    return question_vector(phrase.vector, model)
