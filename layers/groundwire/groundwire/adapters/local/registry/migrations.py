"""Migrations of `registry.db` from earlier versions of its schema."""

from typing import Final

MIGRATIONS: Final = {
    1: """
ALTER TABLE keys ADD COLUMN expand_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE collections ADD COLUMN language TEXT;
ALTER TABLE documents ADD COLUMN language TEXT NOT NULL DEFAULT 'und';
ALTER TABLE documents ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
ALTER TABLE documents ADD COLUMN parent TEXT;
ALTER TABLE documents ADD COLUMN windows INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN timings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE documents ADD COLUMN parser TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN sketch BLOB NOT NULL DEFAULT x'';
CREATE INDEX documents_by_parent ON documents (tenant, parent) WHERE parent IS NOT NULL;
""",
    2: """
CREATE INDEX documents_by_collection ON documents (tenant, collection, doc_id) WHERE state = 'indexed';
""",
    3: """
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
""",
    4: """
ALTER TABLE tenants ADD COLUMN closing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN policy_from_files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN begun_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN last_rows_at REAL NOT NULL DEFAULT 0;
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
""",
    5: """
CREATE TABLE standings (
    tenant   TEXT PRIMARY KEY,
    standing TEXT NOT NULL
) WITHOUT ROWID;
""",
    6: "ALTER TABLE documents ADD COLUMN policy_given_at REAL NOT NULL DEFAULT 0;",
    7: """
ALTER TABLE documents ADD COLUMN deleted_from TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN deleted_at REAL NOT NULL DEFAULT 0;
CREATE INDEX documents_by_deletion ON documents (tenant, deleted_from, deleted_at) WHERE deleted_from <> '';
""",
}
"""Statements that migrate a file from a version to the next."""
