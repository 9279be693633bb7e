"""Chroma in this process: its query by vector. Its hybrid search needs a sparse index, which only its cloud has."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from pathlib import Path

import chromadb

from bench.peers.job import FOUND, Text, Vectors, distinct

_AT_ONCE = 1_000
_COSINE = {"hnsw": {"space": "cosine"}}


class ByVector:
    """One collection at its defaults, but for cosine, which the model was trained for."""

    def __init__(self, collection: chromadb.Collection) -> None:
        self._collection = collection

    def search(self, _text: str, vector: list[float], tag: int | None) -> list[str]:
        """Return the ids of the best documents, as `Retriever` defines it."""
        only = None if tag is None else {"tag": tag}
        found = self._collection.query(query_embeddings=[vector], n_results=FOUND, where=only)
        return distinct(found["ids"][0])


def build(documents: Sequence[Text], vectors: Vectors, work: Path) -> ByVector:
    """The collection with all documents in it, on disk."""
    return ByVector(fill(documents, vectors, work / "chroma"))


def fill(documents: Sequence[Text], vectors: Vectors, folder: Path) -> chromadb.Collection:
    """Return a collection in `folder`, whose metadata has each document's id and tag."""
    collection = chromadb.PersistentClient(str(folder)).create_collection(
        "documents", configuration=_COSINE, embedding_function=None
    )
    for start in range(0, len(documents), _AT_ONCE):
        some = documents[start : start + _AT_ONCE]
        collection.add(
            ids=[one.id for one in some],
            documents=[one.whole for one in some],
            embeddings=vectors[start : start + _AT_ONCE],
            metadatas=[{"id": one.id, "tag": one.tag} for one in some],
        )
    return collection
