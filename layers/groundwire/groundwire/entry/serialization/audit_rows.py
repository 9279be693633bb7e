"""Lines of the audit log as rows, over REST and for the operator of a stack."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.audit.trail import called, content_of
from groundwire.entry.serialization.stored_members import format_utc

DETAIL_MEMBERS: Final = (
    *("tags_hash", "tags_ignored", "key_expires_in_days", "path", "address", "session", "x-human-uid", "x-app-uid"),
    *("phase", "run", "origin", "collection", "state", "files", "counts", "changes", "interrupted"),
    *("policy_before", "policy_after", "ceiling", "ceiling_before", "ceiling_after"),
    *("decision_reason", "extent", "deleted", "is_collection_restored"),
    *("key", "key_before", "key_after", "entry", "as_user", "as_tags_hash", "as_key"),
    *("blocked", "unblocked", "revoked", "ticket", "definition", "change", "ingestion", "evaluation"),
    *("tag_before", "tag_after"),
    *("source", "source_tool", "source_sent_bytes", "source_received_bytes", "sources"),
    *("phrases", "pictures", "collections", "subqueries", "has_access", "degraded", "below_floor", "acl_mismatch"),
)
"""Further members of a line that a tenant may know, by their stored names.

What is not listed is the operator's: `problem` may name folders of the server, and counts of re-indexing are not of
the tenant alone.
"""
_COPIED: Final[Mapping[str, str]] = {
    "user": "user",
    "user_by": "user_by",
    "kid": "kid",
    "operator": "os_user",
    "decision": "decision",
    "outcome": "outcome",
    "reason": "reason",
    "status": "status",
    "passages": "segments",
    "request_id": "request_id",
    "trace": "trace",
    "duration_ms": "duration_ms",
}


def audit_row_to_json(record: Mapping[str, object]) -> dict[str, object]:
    """Return a line as a row: members that every row has, and further ones as `details`."""
    time, documents = record.get("time"), record.get("documents")
    return {
        "time": format_utc(time) if isinstance(time, int | float) else None,
        "call": called(record),
        "content": content_of(record),
        "documents": documents if isinstance(documents, list) else [],
        **{name: record.get(stored) for name, stored in _COPIED.items()},
        "details": {name: record[name] for name in DETAIL_MEMBERS if record.get(name) is not None},
    }
