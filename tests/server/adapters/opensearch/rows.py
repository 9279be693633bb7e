"""Rows of a tenant in the engine, counted without the adapter."""

from collections import Counter
from collections.abc import Sequence

from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.ports import Index
from groundwire.ports.indexes import IndexKind
from tests.support.documents.index_documents import TENANT, found, put_segments, segment, texts
from tests.support.opensearch.indexes import Opened
from tests.support.opensearch.signed_calls import call

PASSAGES = 30


def passages(word: str = "text", version: int = 1) -> list[str]:
    """The texts of a document that needs several lines of a bulk."""
    return [f"{word} {number}" for number in range(PASSAGES)]


def put_passages(index: Index, contents: Sequence[str], doc_id: str = "d", version: int = 1) -> None:
    """The document has these texts, in this order."""
    put_segments(index, [segment(doc_id, number, text, version) for number, text in enumerate(contents)])


def held(there: Opened, generation: int = 1) -> Counter[str]:
    """Return the count of each row in the engine's index, as searches see it when every write is visible."""
    there.emulated.become_visible()
    body = {"size": 10_000, "_source": False, "docvalue_fields": ["row", "number"]}
    _, answer = call(
        there.emulated.url, "POST", f"/{backing_index_name(TENANT, generation, IndexKind.PASSAGES)}/_search", body
    )
    return Counter(f"{hit['fields']['row'][0]}#{hit['fields']['number'][0]}" for hit in answer["hits"]["hits"])


def answered(index: Index, text: str = "text") -> Counter[str]:
    """How often each text is among the candidates of a search."""
    return Counter(texts(found(index, text)))
