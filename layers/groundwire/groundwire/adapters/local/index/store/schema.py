"""Tables of `index.db`.

What a search reads (`vectors`) is separate from what an answer quotes (`segments`), so that a refresh reads no texts.
The vectors of sentence windows are separate, too, because they are read for few rows at a time. A row's policy is only
in `log`, which holds the latest entry of each row: a reader continues from the last sequence it has seen. Ids are never
reused.
"""

from collections.abc import Collection, Mapping
from typing import Final

VERSION: Final = 2
"""Schema version in `PRAGMA user_version`; raise it also when text analysis changes, because `vectors.terms` holds its
result."""

TABLES: Final = """
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

CREATE TABLE policies (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL UNIQUE
);

CREATE TABLE collections (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE languages (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE
);

CREATE TABLE metadata (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    fields TEXT NOT NULL UNIQUE
);

CREATE TABLE segments (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    uid          TEXT NOT NULL,
    doc_id       TEXT NOT NULL,
    version      INTEGER NOT NULL,
    collection   TEXT NOT NULL,
    ordinal      INTEGER NOT NULL,
    text         TEXT NOT NULL,
    heading_path TEXT NOT NULL,
    page_first   INTEGER,
    page_last    INTEGER,
    headline     TEXT NOT NULL,
    summary      TEXT NOT NULL,
    title        TEXT NOT NULL,
    language     TEXT NOT NULL,
    keywords     TEXT NOT NULL,
    context      TEXT NOT NULL,
    questions    TEXT NOT NULL,
    sketch       BLOB NOT NULL,
    UNIQUE (uid, version)
);
CREATE INDEX segments_by_document ON segments (doc_id, version);

CREATE TABLE vectors (
    id         INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,
    collection INTEGER NOT NULL REFERENCES collections,
    language   INTEGER NOT NULL REFERENCES languages,
    metadata   INTEGER NOT NULL REFERENCES metadata,
    vector     BLOB NOT NULL,
    terms      BLOB NOT NULL,
    counts     BLOB NOT NULL
);
CREATE INDEX vectors_by_metadata ON vectors (metadata);

CREATE TABLE windows (
    id      INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,
    vectors BLOB NOT NULL
);

CREATE TABLE log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    segment  INTEGER NOT NULL UNIQUE,
    policy   INTEGER
);
CREATE INDEX log_of_the_gone ON log (segment) WHERE policy IS NULL;
"""

_LATER_COLUMNS: Final = {"token_sums": "sums BLOB", "raw_values": "texts TEXT"}

LATER_TABLES: Final = tuple(
    f"CREATE TABLE IF NOT EXISTS {name} (id INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,"
    f" {column} NOT NULL);"
    for name, column in _LATER_COLUMNS.items()
)
"""Tables that files of an earlier release lack. That release ignores them; a row that it writes has none there."""

LATER_TABLES_OF_FILE: Final = "SELECT name FROM sqlite_schema WHERE name IN ('token_sums', 'raw_values')"


def empty_tables(present: Collection[str]) -> Mapping[str, str]:
    """Return the statements that make empty tables in place of later ones that the file lacks, by name.

    They are of one connection, and need no lock and no room on the disk.
    """
    missing = {name: column for name, column in _LATER_COLUMNS.items() if name not in present}
    return {
        name: f"CREATE TEMP TABLE {name} (id INTEGER PRIMARY KEY, {column} NOT NULL)"
        for name, column in missing.items()
    }
