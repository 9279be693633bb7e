"""Haystack's in-memory store: BM25 and embedding retrievers at their defaults, joined by reciprocal rank."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from pathlib import Path

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from bench.peers.job import Text, Vectors, distinct


class Hybrid:
    """The pipeline of its hybrid retrieval tutorial, without a ranker."""

    def __init__(self, store: InMemoryDocumentStore) -> None:
        self._pipeline = Pipeline()
        self._pipeline.add_component("words", InMemoryBM25Retriever(store))
        self._pipeline.add_component("meaning", InMemoryEmbeddingRetriever(store))
        self._pipeline.add_component("joined", DocumentJoiner(join_mode="reciprocal_rank_fusion"))
        self._pipeline.connect("words", "joined")
        self._pipeline.connect("meaning", "joined")

    def search(self, text: str, vector: list[float], tag: int | None) -> list[str]:
        """Return the ids of the best documents, as `Retriever` defines it."""
        only = None if tag is None else {"field": "meta.tag", "operator": "==", "value": tag}
        found = self._pipeline.run(
            {"words": {"query": text, "filters": only}, "meaning": {"query_embedding": vector, "filters": only}}
        )
        return distinct([document.id for document in found["joined"]["documents"]])


def build(documents: Sequence[Text], vectors: Vectors, _work: Path) -> Hybrid:
    """The store with all documents in it."""
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    pairs = zip(documents, vectors, strict=True)
    store.write_documents(
        [
            Document(id=one.id, content=one.whole, meta={"tag": one.tag}, embedding=vector.tolist())
            for one, vector in pairs
        ]
    )
    return Hybrid(store)
