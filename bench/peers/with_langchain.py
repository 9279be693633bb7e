"""Hybrid over Chroma as LangChain has it: an ensemble of its in-memory BM25 and the vector store, joined by rank."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUntypedBaseClass=false

from collections.abc import Sequence
from pathlib import Path

from langchain_chroma import Chroma
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.retrievers import BM25Retriever
from langchain_core.embeddings import Embeddings

from bench.peers import with_chroma
from bench.peers.job import FOUND, Text, Vectors, distinct

_DEPTH = FOUND * 2
_HALVES = [0.5, 0.5]


class Embedded(Embeddings):
    """Hands on the vector that the question has already."""

    vector: list[float]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of the current question."""
        del text
        return self.vector

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Raise LookupError: the collection has its vectors already."""
        raise LookupError(f"{len(texts)} documents were to be embedded again")


class Hybrid:
    """BM25 has no filter there: what it finds beyond the filter is left out of its answer."""

    def __init__(self, store: Chroma, embedded: Embedded, words: BM25Retriever) -> None:
        self._store = store
        self._embedded = embedded
        self._words = words

    def search(self, text: str, vector: list[float], tag: int | None) -> list[str]:
        """Return the ids of the best documents, as `Retriever` defines it."""
        self._embedded.vector = vector
        only = {} if tag is None else {"filter": {"tag": tag}}
        near = self._store.as_retriever(search_kwargs={"k": _DEPTH, **only})
        ensemble = EnsembleRetriever(retrievers=[self._words, near], weights=_HALVES)
        found = [one.metadata for one in ensemble.invoke(text) if tag is None or one.metadata["tag"] == tag]
        return distinct([str(one["id"]) for one in found])


def build(documents: Sequence[Text], vectors: Vectors, work: Path) -> Hybrid:
    """The collection on disk, the words in memory."""
    with_chroma.fill(documents, vectors, work / "langchain")
    embedded = Embedded()
    store = Chroma("documents", embedded, persist_directory=str(work / "langchain"))
    metadatas = [{"id": one.id, "tag": one.tag} for one in documents]
    words = BM25Retriever.from_texts([one.whole for one in documents], metadatas)
    words.k = _DEPTH
    return Hybrid(store, embedded, words)
