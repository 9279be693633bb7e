"""Tables of `registry.db`.

Lists and policies are JSON text in sorted order, so that equal values are equal text. A tenant's rows are deleted with
the tenant; the rate state (`tat`) is in the row of its limits. `TABLES` has the columns of the first file of `VERSION`;
later columns are those of `OPTIONAL_COLUMNS`.
"""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.local.sqlite.stored_rows import column_declarations
from groundwire.domain.documents.collection import STORED_COLLECTION
from groundwire.domain.documents.uploads import STORED_UPLOAD
from groundwire.domain.keys.api_key import STORED_KEY
from groundwire.domain.keys.tenant import STORED_TENANT
from groundwire.stored.stored_type import StoredType

VERSION: Final = 8
"""Schema version in `PRAGMA user_version`; a newer Groundwire wrote a file with a higher one."""

TABLES: Final = """
CREATE TABLE tenants (
    tenant          TEXT PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE,
    rate_per_minute INTEGER NOT NULL,
    burst           INTEGER NOT NULL,
    created_at      REAL NOT NULL,
    tat             REAL,
    closing         INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE keys (
    kid             TEXT PRIMARY KEY,
    tenant          TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name            TEXT NOT NULL,
    kind            TEXT NOT NULL,
    user            TEXT,
    tags            TEXT NOT NULL,
    max_tags        TEXT NOT NULL,
    scopes          TEXT NOT NULL,
    collections     TEXT NOT NULL,
    top_n           INTEGER NOT NULL,
    toolset         TEXT NOT NULL,
    rate_per_minute INTEGER NOT NULL,
    burst           INTEGER NOT NULL,
    created_at      REAL NOT NULL,
    expires_at      REAL,
    revoked         INTEGER NOT NULL,
    digest          BLOB NOT NULL,
    previous_digest BLOB,
    previous_until  REAL,
    last_used       REAL,
    tat             REAL,
    expand_tokens   INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX keys_by_tenant ON keys (tenant, created_at);

CREATE TABLE users (
    tenant TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    user   TEXT NOT NULL,
    tags   TEXT NOT NULL,
    PRIMARY KEY (tenant, user)
) WITHOUT ROWID;

CREATE TABLE collections (
    tenant      TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    name        TEXT NOT NULL,
    bm25_weight REAL NOT NULL,
    language    TEXT,
    PRIMARY KEY (tenant, name)
) WITHOUT ROWID;

CREATE TABLE documents (
    tenant             TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    doc_id             TEXT NOT NULL,
    collection         TEXT NOT NULL,
    source_file_name   TEXT NOT NULL,
    source_file_type   TEXT NOT NULL,
    source_path        TEXT,
    source_url         TEXT,
    blob               TEXT,
    title              TEXT NOT NULL,
    policy             TEXT NOT NULL,
    version            INTEGER NOT NULL,
    policy_version     INTEGER NOT NULL,
    state              TEXT NOT NULL,
    reason             TEXT,
    content_hash       TEXT NOT NULL,
    recipe             TEXT NOT NULL,
    segments           INTEGER NOT NULL,
    pages              INTEGER,
    pages_without_text INTEGER NOT NULL,
    size_bytes         INTEGER NOT NULL,
    index_stale        INTEGER NOT NULL,
    created_at         REAL NOT NULL,
    updated_at         REAL NOT NULL,
    language           TEXT NOT NULL DEFAULT 'und',
    metadata           TEXT NOT NULL DEFAULT '{}',
    parent             TEXT,
    windows            INTEGER NOT NULL DEFAULT 0,
    timings            TEXT NOT NULL DEFAULT '{}',
    parser             TEXT NOT NULL DEFAULT '',
    model              TEXT NOT NULL DEFAULT '',
    sketch             BLOB NOT NULL DEFAULT x'',
    policy_from_files  INTEGER NOT NULL DEFAULT 0,
    begun_version      INTEGER NOT NULL DEFAULT 0,
    last_rows_at       REAL NOT NULL DEFAULT 0,
    policy_given_at    REAL NOT NULL DEFAULT 0,
    deleted_from       TEXT NOT NULL DEFAULT '',
    deleted_at         REAL NOT NULL DEFAULT 0,
    images             INTEGER NOT NULL DEFAULT 0,
    policy_from_option INTEGER NOT NULL DEFAULT 0,
    refusal_cause      TEXT NOT NULL DEFAULT '',
    defects            TEXT NOT NULL DEFAULT '',
    failed_step        TEXT NOT NULL DEFAULT '',
    parser_state       TEXT NOT NULL DEFAULT '',
    ceiling            TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, doc_id)
) WITHOUT ROWID;
CREATE INDEX documents_by_name ON documents (tenant, source_file_name, doc_id);
CREATE INDEX documents_by_path ON documents (tenant, collection, source_path);
CREATE INDEX documents_by_content ON documents (tenant, collection, content_hash);
CREATE INDEX documents_by_parent ON documents (tenant, parent) WHERE parent IS NOT NULL;
CREATE INDEX documents_stale ON documents (tenant) WHERE index_stale;
CREATE INDEX documents_by_collection ON documents (tenant, collection, doc_id) WHERE state = 'indexed';
CREATE INDEX documents_by_deletion ON documents (tenant, deleted_from, deleted_at) WHERE deleted_from <> '';

CREATE TABLE sessions (
    tenant           TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    id_digest        BLOB NOT NULL,
    kid              TEXT NOT NULL,
    user             TEXT,
    protocol_version TEXT NOT NULL,
    client_name      TEXT NOT NULL,
    client_version   TEXT NOT NULL,
    log_level        TEXT,
    created_at       REAL NOT NULL,
    expires_at       REAL NOT NULL,
    PRIMARY KEY (tenant, id_digest)
) WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE uploads (
    tenant     TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    ticket     TEXT NOT NULL,
    doc_id     TEXT NOT NULL,
    collection TEXT NOT NULL,
    file_name  TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    policy     TEXT NOT NULL,
    metadata   TEXT NOT NULL,
    source_url TEXT,
    expires_at REAL NOT NULL,
    state      TEXT NOT NULL,
    arrived    TEXT,
    reason     TEXT,
    PRIMARY KEY (tenant, ticket)
) WITHOUT ROWID;
CREATE INDEX uploads_by_end ON uploads (expires_at);

CREATE TABLE standings (
    tenant   TEXT PRIMARY KEY,
    standing TEXT NOT NULL
) WITHOUT ROWID;
"""

STORED_TYPES: Final[Mapping[str, StoredType[Any]]] = {
    "tenants": STORED_TENANT,
    "keys": STORED_KEY,
    "collections": STORED_COLLECTION,
    "uploads": STORED_UPLOAD,
}
"""Types whose fields are the columns of a table, by table."""

OPTIONAL_COLUMNS: Final = {
    ("documents", "images"): "INTEGER NOT NULL DEFAULT 0",
    ("documents", "policy_from_option"): "INTEGER NOT NULL DEFAULT 0",
    ("documents", "refusal_cause"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "defects"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "failed_step"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "parser_state"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "ceiling"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "deleted_content"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "deleted_by"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "deleted_with_key"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "deleted_because"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "deleted_own"): "INTEGER NOT NULL DEFAULT 0",
    ("documents", "brought_with_key"): "TEXT NOT NULL DEFAULT ''",
    ("documents", "brought_by"): "TEXT NOT NULL DEFAULT ''",
    ("sessions", "shows_apps"): "INTEGER NOT NULL DEFAULT 0",
    **{
        (table, column): declaration
        for table, stored in STORED_TYPES.items()
        for column, declaration in column_declarations(stored).items()
    },
}
"""Columns that a file of `VERSION` may lack: by table and name, their declaration.

They are added when the file is created or opened. The version stays, so that the previous release, which reads and
writes by column name, can still open the file. So each default means what the column's absence meant.
"""

OPTIONAL_INDEXES: Final = {
    "documents_by_deleted_content": """
CREATE INDEX documents_by_deleted_content ON documents (tenant, deleted_content) WHERE deleted_content <> ''
""",
    "link_grants_by_end": "CREATE INDEX link_grants_by_end ON link_grants (expires_at)",
    "link_grants_by_tenant": "CREATE INDEX link_grants_by_tenant ON link_grants (tenant)",
    "provider_sessions_by_end": "CREATE INDEX provider_sessions_by_end ON provider_sessions (kept_until)",
    "sessions_by_key": "CREATE INDEX sessions_by_key ON sessions (tenant, kid)",
}
"""Indexes that a file of `VERSION` may lack, with the statement that adds them after the optional columns."""

OPTIONAL_TABLES: Final = {
    "definitions": """
CREATE TABLE definitions (
    tenant     TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    body       BLOB NOT NULL,
    tag        TEXT NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    PRIMARY KEY (tenant, kind, name)
)
""",
    "group_mappings": """
CREATE TABLE group_mappings (
    tenant TEXT PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
    group_tags TEXT NOT NULL
) WITHOUT ROWID
""",
    "blocked_users": """
CREATE TABLE blocked_users (
    tenant          TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    block_key       TEXT NOT NULL,
    user            TEXT NOT NULL,
    decided_by      TEXT NOT NULL,
    decided_at      REAL NOT NULL,
    decided_key     TEXT NOT NULL,
    decision_reason TEXT NOT NULL,
    PRIMARY KEY (tenant, block_key)
) WITHOUT ROWID
""",
    "page_sessions": """
CREATE TABLE page_sessions (
    digest     BLOB PRIMARY KEY,
    kid        TEXT NOT NULL REFERENCES keys ON DELETE CASCADE,
    expires_at REAL NOT NULL
) WITHOUT ROWID
""",
    "provider_sessions": """
CREATE TABLE provider_sessions (
    tenant     TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    attempt    TEXT NOT NULL,
    digest     BLOB NOT NULL,
    user       TEXT NOT NULL,
    groups     TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    expires_at REAL NOT NULL,
    kept_until REAL NOT NULL,
    PRIMARY KEY (tenant, attempt)
) WITHOUT ROWID
""",
    # `expires_at` in seconds; the primary key is the row's own number, so a grant is found by one look-up.
    "link_grants": """
CREATE TABLE link_grants (
    handle     INTEGER PRIMARY KEY,
    tenant     TEXT NOT NULL REFERENCES tenants ON DELETE CASCADE,
    sealed     TEXT NOT NULL,
    expires_at INTEGER NOT NULL
)
""",
}
"""Tables that a file of `VERSION` may lack, with the statement that adds them when the file is opened.

The previous release ignores them; when it deletes a tenant, SQLite deletes the tenant's rows here, too.
"""

TENANT_TABLES: Final = ("keys", "users", "collections", "documents", "sessions")
"""Tables whose rows belong to a tenant and are counted at its deletion."""
TENANT_TABLES_IF_USED: Final = ("definitions", "blocked_users")
"""Tables whose rows are counted there where a tenant has some."""
