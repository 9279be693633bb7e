"""The cost of a page depends only on its own rows, by SQLite's query plan."""

import sqlite3
from contextlib import closing
from pathlib import Path

from groundwire.adapters.local.registry import documents
from groundwire.adapters.local.registry.database import Database


def test_a_page_is_read_from_its_index_without_sorting_or_passing_others_by(tmp_path: Path) -> None:
    Database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        query = f"EXPLAIN QUERY PLAN {documents._SELECT}{documents._PAGE}"
        plan = [str(row[3]) for row in connection.execute(query, ("t-acme", "handbook", "d-1", 10))]
    assert plan == ["SEARCH documents USING INDEX documents_by_collection (tenant=? AND collection=? AND doc_id>?)"]
