"""LanceDB: its hybrid query, which joins full text and vectors by reciprocal rank."""

# Its packages are in an environment of its own.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from pathlib import Path

import lancedb
from lancedb.index import FTS

from bench.peers.job import FOUND, Text, Vectors, distinct


class Hybrid:
    """One table with a full-text index at its defaults; at this size vectors are compared exactly."""

    def __init__(self, table: lancedb.Table) -> None:
        self._table = table

    def search(self, text: str, vector: list[float], tag: int | None) -> list[str]:
        """Return the ids of the best documents, as `Retriever` defines it."""
        query = self._table.search(query_type="hybrid").vector(vector).text(_plain(text))
        if tag is not None:
            query = query.where(f"tag = {tag}", prefilter=True)
        return distinct([row["id"] for row in query.limit(FOUND).to_list()])


def _plain(text: str) -> str:
    """Without what its query language reads as operators."""
    return "".join(character if character.isalnum() else " " for character in text)


def build(documents: Sequence[Text], vectors: Vectors, work: Path) -> Hybrid:
    """The table with all documents in it, on disk."""
    rows = [
        {"id": one.id, "text": one.whole, "tag": one.tag, "vector": vector}
        for one, vector in zip(documents, vectors, strict=True)
    ]
    table = lancedb.connect(work / "lancedb").create_table("documents", rows)
    table.create_index("text", config=FTS())
    return Hybrid(table)
