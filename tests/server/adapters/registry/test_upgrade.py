"""A registry of an earlier version is upgraded in place."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import column_declaration
from groundwire.domain import errors
from groundwire.domain.documents.collection import STORED_COLLECTION, Collection
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE, DocumentState
from groundwire.domain.documents.uploads import STORED_UPLOAD
from groundwire.domain.keys.api_key import STORED_KEY
from groundwire.domain.keys.forms.provider_session import STORED_TOKEN_IDENTITY
from groundwire.domain.keys.sessions import STORED_SESSION
from groundwire.domain.keys.tenant import STORED_TENANT
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition
from groundwire.stored.stored_type import StoredType
from tests.server.adapters.registry.openers import known_tenants
from tests.support.registry.backends import LocalPlace, Place, opened
from tests.support.registry.key_options import with_options
from tests.support.registry.races import race_processes
from tests.support.registry.records import ACT_AS_KEY, CURRENT, DOCUMENT, tenant

VERSION_1 = """
CREATE TABLE tenants (
    tenant TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, rate_per_minute INTEGER NOT NULL, burst INTEGER NOT NULL,
    created_at REAL NOT NULL, tat REAL
) WITHOUT ROWID;
CREATE TABLE keys (
    kid TEXT PRIMARY KEY, tenant TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE, name TEXT NOT NULL,
    kind TEXT NOT NULL, user TEXT, tags TEXT NOT NULL, max_tags TEXT NOT NULL, scopes TEXT NOT NULL,
    collections TEXT NOT NULL, top_n INTEGER NOT NULL, toolset TEXT NOT NULL, rate_per_minute INTEGER NOT NULL,
    burst INTEGER NOT NULL, created_at REAL NOT NULL, expires_at REAL, revoked INTEGER NOT NULL, digest BLOB NOT NULL,
    previous_digest BLOB, previous_until REAL, last_used REAL, tat REAL
) WITHOUT ROWID;
CREATE INDEX keys_by_tenant ON keys (tenant, created_at);
CREATE TABLE users (
    tenant TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE, user TEXT NOT NULL, tags TEXT NOT NULL,
    PRIMARY KEY (tenant, user)
) WITHOUT ROWID;
CREATE TABLE collections (
    tenant TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE, name TEXT NOT NULL, bm25_weight REAL NOT NULL,
    PRIMARY KEY (tenant, name)
) WITHOUT ROWID;
CREATE TABLE documents (
    tenant TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE, doc_id TEXT NOT NULL, collection TEXT NOT NULL,
    source_file_name TEXT NOT NULL, source_file_type TEXT NOT NULL, source_path TEXT, source_url TEXT, blob TEXT,
    title TEXT NOT NULL, policy TEXT NOT NULL, version INTEGER NOT NULL, policy_version INTEGER NOT NULL,
    state TEXT NOT NULL, reason TEXT, content_hash TEXT NOT NULL, recipe TEXT NOT NULL, segments INTEGER NOT NULL,
    pages INTEGER, pages_without_text INTEGER NOT NULL, size_bytes INTEGER NOT NULL, index_stale INTEGER NOT NULL,
    created_at REAL NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (tenant, doc_id)
) WITHOUT ROWID;
CREATE INDEX documents_by_name ON documents (tenant, source_file_name, doc_id);
CREATE INDEX documents_by_path ON documents (tenant, collection, source_path);
CREATE INDEX documents_by_content ON documents (tenant, collection, content_hash);
CREATE INDEX documents_stale ON documents (tenant) WHERE index_stale;
PRAGMA user_version = 1;
INSERT INTO tenants VALUES ('t-acme', 'acme', 60, 20, 1.0, NULL);
INSERT INTO collections VALUES ('t-acme', 'handbook', 0.25);
INSERT INTO documents VALUES (
    't-acme', 'd-old', 'handbook', 'old.pdf', 'pdf', '/docs/old.pdf', NULL, 'd-old/1', 'Old',
    '{"public":false,"users":["ann"],"any_tags":[],"all_tags":[]}', 1, 3, 'indexed', NULL, 'ab', 'r', 4, 2, 0, 10, 0,
    1.0, 2.0
);
"""


VERSION_8_KEYS = (
    "kid, tenant, name, kind, user, tags, max_tags, scopes, collections, top_n, toolset, rate_per_minute, burst, "
    "created_at, expires_at, revoked, previous_until, last_used, expand_tokens"
)
"""The columns that the release of the first files of version 8 reads and writes, by name."""

DEFINITION = StoredDefinition(DefinitionKind.AGENT, "plan", b"{}", "tag", 1.0, 1.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.executescript(f"PRAGMA journal_mode = WAL; {VERSION_1}")
    return tmp_path


def shape(file: Path) -> dict[str, object]:
    """Tables and indexes, whatever order their columns were added in."""
    with closing(sqlite3.connect(file)) as connection:
        names = connection.execute("SELECT name, type FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        columns = {
            name: sorted(row[1:] for row in connection.execute(f"PRAGMA table_info({name})"))
            for name, kind in names
            if kind == "table"
        }
        return {
            "names": sorted(names),
            "columns": columns,
            "version": connection.execute("PRAGMA user_version").fetchone(),
        }


def test_a_registry_of_version_1_is_what_a_new_one_would_be_and_keeps_its_rows(home: Path, tmp_path: Path) -> None:
    with opened(LocalPlace(home)) as stores:
        document = stores.documents.read("t-acme", ["d-old"])["d-old"]
        assert (document.title, document.policy_version, document.state) == ("Old", 3, DocumentState.INDEXED)
        assert (document.language, document.metadata, document.parent) == (UNDETERMINED_LANGUAGE, {}, None)
        assert stores.collections.all("t-acme") == [Collection("handbook", 0.25, None)]
        stores.documents.write("t-acme", DOCUMENT, expected=None)
    Database(tmp_path / "new").close()
    assert shape(home / "registry.db") == shape(tmp_path / "new" / "registry.db")


def test_processes_that_open_an_old_registry_at_once_upgrade_it_once(home: Path) -> None:
    place: Place = LocalPlace(home)
    assert race_processes(4, known_tenants, place) == [["t-acme"]] * 4


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(home: Path) -> None:
    file = home / "registry.db"
    with closing(sqlite3.connect(file)) as connection:
        # In the way of the last statement but one.
        connection.execute("CREATE TABLE documents_by_parent (x)")
    before = shape(file)
    with pytest.raises(errors.Unavailable):
        Database(home)
    assert shape(file) == before


def test_the_keys_of_a_registry_without_the_column_are_lenient_and_keep_their_rows(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.keys.add(replace(ACT_AS_KEY, strict_tags=False), CURRENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.execute("ALTER TABLE keys DROP COLUMN strict_tags")
    with opened(LocalPlace(tmp_path)) as stores:
        assert stores.keys.all("t-acme") == [replace(ACT_AS_KEY, strict_tags=False)]
        stores.keys.add(replace(ACT_AS_KEY, kid="anotherkid00"), CURRENT)
        assert [key.strict_tags for key in stores.keys.all("t-acme")] == [False, True]


def test_the_keys_of_a_registry_without_the_column_do_not_split_and_keep_their_rows(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.keys.add(ACT_AS_KEY, CURRENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.execute("ALTER TABLE keys DROP COLUMN split_first_phrase")
    with opened(LocalPlace(tmp_path)) as stores:
        assert stores.keys.all("t-acme") == [with_options(ACT_AS_KEY, split_first_phrase=False)]
        stores.keys.add(replace(ACT_AS_KEY, kid="anotherkid00"), CURRENT)
        assert [key.options.split_first_phrase for key in stores.keys.all("t-acme")] == [False, True]


def test_the_keys_of_a_registry_without_the_column_list_no_tools_of_sources_and_keep_their_rows(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.keys.add(ACT_AS_KEY, CURRENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.execute("ALTER TABLE keys DROP COLUMN sources")
    with opened(LocalPlace(tmp_path)) as stores:
        assert stores.keys.all("t-acme") == [with_options(ACT_AS_KEY, sources=False)]
        stores.keys.add(replace(ACT_AS_KEY, kid="anotherkid00"), CURRENT)
        assert [key.options.sources for key in stores.keys.all("t-acme")] == [False, True]


def test_the_collections_of_a_registry_without_the_column_have_no_description(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.collections.put("t-acme", Collection("handbook", 0.4))
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.execute("ALTER TABLE collections DROP COLUMN description")
    with opened(LocalPlace(tmp_path)) as stores:
        assert stores.collections.all("t-acme") == [Collection("handbook", 0.4)]
        stores.collections.put("t-acme", Collection("handbook", 0.4, None, "Rules."))
        assert stores.collections.all("t-acme") == [Collection("handbook", 0.4, None, "Rules.")]


def test_the_release_before_opens_reads_and_writes_a_registry_with_a_strict_key(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.keys.add(ACT_AS_KEY, CURRENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection, connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (8,)
        row = connection.execute(f"SELECT {VERSION_8_KEYS}, digest FROM keys").fetchone()
        marks = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO keys ({VERSION_8_KEYS}, digest) VALUES ({marks})", ("itskey000000", *row[1:]))
    with opened(LocalPlace(tmp_path)) as stores:
        assert stores.keys.all("t-acme") == [
            ACT_AS_KEY,
            replace(
                with_options(ACT_AS_KEY, floor=None, split_first_phrase=False, sources=False),
                kid="itskey000000",
                strict_tags=False,
            ),
        ]


def test_a_registry_without_definitions_gets_the_table_under_the_same_version(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        connection.execute("DROP TABLE definitions")
    with opened(LocalPlace(tmp_path)) as stores:
        stores.definitions.put("t-acme", DEFINITION, Presence.ABSENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (8,)


def test_the_release_before_deletes_the_definitions_of_a_tenant_that_it_deletes(tmp_path: Path) -> None:
    with opened(LocalPlace(tmp_path)) as stores:
        stores.tenants.add(tenant("t-acme"))
        stores.definitions.put("t-acme", DEFINITION, Presence.ABSENT)
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM tenants WHERE tenant = 't-acme'")
        assert connection.execute("SELECT count(*) FROM definitions").fetchone() == (0,)


@pytest.mark.parametrize(
    ("table", "stored"),
    [
        ("tenants", STORED_TENANT),
        ("keys", STORED_KEY),
        ("collections", STORED_COLLECTION),
        ("uploads", STORED_UPLOAD),
        ("sessions", STORED_SESSION),
        ("provider_sessions", STORED_TOKEN_IDENTITY),
    ],
)
def test_a_new_registry_has_a_column_for_each_field_as_its_table_declares_it(
    tmp_path: Path, table: str, stored: StoredType[Any]
) -> None:
    Database(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "registry.db")) as connection:
        found = {row[1]: (row[2], bool(row[3])) for row in connection.execute(f"PRAGMA table_info({table})")}
    declared = {each.column: column_declaration(each).split() for each in stored.fields}
    stated = {column: (words[0], words[1:3] == ["NOT", "NULL"]) for column, words in declared.items()}
    assert {column: found[column] for column in stated} == stated
