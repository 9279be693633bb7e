"""Request for contexts: the parts of a `retrieveContexts` call, from its message."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from groundwire.dialects.vertex.errors import FieldViolation, GoogleError, GoogleStatus, invalid_field
from groundwire.dialects.vertex.messages import Message
from groundwire.dialects.vertex.resource_names import CORPUS_FORM, CorpusName, ParentName, parse_corpus
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection

DEFAULT_CONTEXTS: Final = 10
MAX_CONTEXTS: Final = 100

QUERY_TEXT: Final = "query.text"
CONFIG: Final = "query.rag_retrieval_config"
METADATA_FILTER: Final = f"{CONFIG}.filter.metadata_filter"
STORE: Final = "vertex_rag_store"


class ContextRequest(NamedTuple):
    """Request for contexts.

    Attributes:
        corpus: None: the only one that exists for the caller.
        documents: files of the corpus.
        metadata_filter: CEL text; None: no filter.
        max_distance: contexts whose cosine distance is not smaller are left out; None: no threshold.
        alpha: share of meaning in the order, 0 to 1; None: the product's own.
    """

    text: str
    top_k: int
    corpus: CorpusName | None
    documents: DocumentSelection
    metadata_filter: str | None
    max_distance: float | None
    alpha: float | None


def read_context_request(message: Message, parent: ParentName | None) -> ContextRequest:
    """Return what the message asks for.

    Args:
        message: as `messages.read_message` returns it.
        parent: location of the call; None where the address names none.

    Raises:
        GoogleError: a member is missing, or has a value that it cannot have.
    """
    query = _part(message, "query")
    config, store = _part(query, "rag_retrieval_config"), _part(message, STORE)
    text = cast("str", query.get("text", ""))
    # A search for nothing must not list documents.
    if not text.strip():
        raise invalid_field(QUERY_TEXT, "query.text is missing: send the text to search for.")
    corpus, documents = _read_source(store, parent)
    filters = _part(config, "filter")
    return ContextRequest(
        text=text,
        top_k=_read_top_k(config, query),
        corpus=corpus,
        documents=documents,
        metadata_filter=cast("str", filters.get("metadata_filter")) or None,
        max_distance=_read_max_distance(filters, store),
        alpha=_read_alpha(config, query),
    )


def _part(message: Message, name: str) -> Message:
    """Return a message within a message; empty where it is absent."""
    return cast("Message", message.get(name, {}))


def _read_top_k(config: Message, query: Message) -> int:
    """Return the number of contexts: of old and new member the new one counts, and 0 is absent."""
    named = ((f"{CONFIG}.top_k", config.get("top_k")), ("query.similarity_top_k", query.get("similarity_top_k")))
    numbers = [(field, cast("int", number)) for field, number in named if number]
    for field, number in numbers:
        if number < 0:
            raise invalid_field(field, f"{field} must not be negative.")
    return min(numbers[0][1], MAX_CONTEXTS) if numbers else DEFAULT_CONTEXTS


def _read_max_distance(filters: Message, store: Message) -> float | None:
    """Return the threshold as a distance: similarity is 1 minus distance, so larger than s is smaller than 1 - s."""
    old = store.get("vector_distance_threshold")
    distance, similarity = filters.get("vector_distance_threshold"), filters.get("vector_similarity_threshold")
    if old is not None and not (distance is None and similarity is None):
        message = f"A threshold of {CONFIG}.filter is set, too: send one of them."
        raise invalid_field(f"{STORE}.vector_distance_threshold", message)
    # Presence counts, not truth: clients send a threshold of 0.
    if similarity is not None:
        return 1.0 - cast("float", similarity)
    return cast("float | None", old if distance is None else distance)


def _read_alpha(config: Message, query: Message) -> float | None:
    """Return the share of meaning: of old and new member the new one counts."""
    named = (
        (f"{CONFIG}.hybrid_search.alpha", _part(config, "hybrid_search").get("alpha")),
        ("query.ranking.alpha", _part(query, "ranking").get("alpha")),
    )
    alphas = [(field, cast("float", alpha)) for field, alpha in named if alpha is not None]
    for field, alpha in alphas:
        if math.isnan(alpha) or not 0 <= alpha <= 1:
            raise invalid_field(field, f"{field} must be a number from 0 to 1.")
    return alphas[0][1] if alphas else None


def _read_source(store: Message, parent: ParentName | None) -> tuple[CorpusName | None, DocumentSelection]:
    """Return the corpus and the files: entries of one corpus unite, and one without files is the whole corpus."""
    resources = cast("Sequence[Message]", store.get("rag_resources", []))
    corpora = cast("Sequence[str]", store.get("rag_corpora", []))
    named = [
        (f"{STORE}.rag_resources[{number}].rag_corpus", cast("str", each["rag_corpus"]))
        for number, each in enumerate(resources)
        if each.get("rag_corpus")
    ]
    named += [(f"{STORE}.rag_corpora[{number}]", text) for number, text in enumerate(corpora)]
    corpus = _one_corpus([_read_corpus(field, text, parent) for field, text in named], named)
    files = [cast("Sequence[str]", each.get("rag_file_ids", [])) for each in resources]
    if corpora or not files or not all(files):
        return corpus, ALL_DOCUMENTS
    return corpus, frozenset(name for each in files for name in each)


def _read_corpus(field: str, text: str, parent: ParentName | None) -> CorpusName:
    corpus = parse_corpus(text)
    if corpus is None:
        raise invalid_field(field, f"{field} must have the form {CORPUS_FORM}.")
    # Projects are not compared: clients name one by its id here and by its number there.
    if parent is not None and corpus.location != parent.location:
        raise invalid_field(field, f"{field} and the parent name different locations.")
    return corpus


def _one_corpus(found: Sequence[CorpusName], named: Sequence[tuple[str, str]]) -> CorpusName | None:
    for (field, _), corpus in zip(named, found, strict=True):
        if (corpus.location, corpus.collection) != (found[0].location, found[0].collection):
            text = f"{field} names a second corpus: a call can read one corpus, or several files of one."
            raise GoogleError(GoogleStatus.INVALID_ARGUMENT, text, (FieldViolation(field, text),))
    return found[0] if found else None
