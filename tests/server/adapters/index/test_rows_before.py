"""Rows of a file that an earlier release made, which lacks later tables."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.text import token_sums
from groundwire.ports import DocumentVersion
from tests.support.documents.index_documents import MODEL, TENANT, put_segments, segment


@pytest.mark.parametrize("missing", [{"token_sums": b""}, {"raw_values": ()}, {"token_sums": b"", "raw_values": ()}])
def test_rows_of_a_file_without_later_tables_are_read_and_new_rows_have_them(
    folder: Path, file: Path, missing: Mapping[str, Any]
) -> None:
    one, other = (
        replace(
            segment(name, 0, f"Text of {name}."),
            token_sums=token_sums.to_bytes(f"Text of {name}."),
            raw_values=("3.14159",),
        )
        for name in ("before", "after")
    )
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        put_segments(indexes.for_tenant(TENANT), [one])
    with closing(sqlite3.connect(file)) as connection:
        for name in missing:
            connection.execute(f"DROP TABLE {name}")
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        index = indexes.for_tenant(TENANT)
        put_segments(index, [other])
        assert index.segments(DocumentVersion("before", 1)) == [replace(one, **missing)]
        assert index.segments(DocumentVersion("after", 1)) == [other]
        index.prune("after", None)
    with closing(sqlite3.connect(file)) as connection:
        for name in missing:
            assert connection.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,)


def test_a_file_without_later_tables_is_read_while_another_process_writes_to_it(folder: Path, file: Path) -> None:
    row = segment("before", 0, "Text.")
    with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
        put_segments(indexes.for_tenant(TENANT), [row])
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("DROP TABLE token_sums")
        writer.execute("DROP TABLE raw_values")
        writer.execute("BEGIN IMMEDIATE")
        with closing(EmbeddedIndexes(folder, MODEL)) as indexes:
            assert indexes.for_tenant(TENANT).segments(DocumentVersion("before", 1)) == [row]
