"""Rows of a file that an earlier release made, which has no table of token sums."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.text import token_sums
from groundwire.ports import DocumentVersion
from tests.support.documents.index_documents import MODEL, TENANT, put_segments, segment


def test_rows_of_a_file_without_token_sums_are_read_and_new_rows_have_them(folder: Path, file: Path) -> None:
    one, other = (
        replace(segment(name, 0, f"Text of {name}."), token_sums=token_sums.to_bytes(f"Text of {name}."))
        for name in ("before", "after")
    )
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        put_segments(indexes.for_tenant(TENANT), [one])
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE token_sums")
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        index = indexes.for_tenant(TENANT)
        put_segments(index, [other])
        assert index.segments(DocumentVersion("before", 1)) == [replace(one, token_sums=b"")]
        assert index.segments(DocumentVersion("after", 1)) == [other]
        index.prune("after", None)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM token_sums").fetchone() == (0,)


def test_a_file_without_token_sums_is_read_while_another_process_writes_to_it(folder: Path, file: Path) -> None:
    row = segment("before", 0, "Text.")
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        put_segments(indexes.for_tenant(TENANT), [row])
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("DROP TABLE token_sums")
        writer.execute("BEGIN IMMEDIATE")
        with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
            assert indexes.for_tenant(TENANT).segments(DocumentVersion("before", 1)) == [row]
