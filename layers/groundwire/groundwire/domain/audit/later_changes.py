"""Changes in the lines of an audit log, by name, as whoever restores a backup has to know of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

_REPEATED: Final = (
    *("documents.delete", "documents.close", "collection.delete", "collection.deleting", "key.revoke", "tenant.delete"),
    *("user.block", "user.offboard", "POST /v1/users/block", "POST /v1/users/offboard", "DELETE /v1/keys/{kid}"),
    *("DELETE /v1/documents/{doc_id}", "POST /v1/documents/{doc_id}/close", "DELETE /v1/collections/{name}"),
    *("replay-deletions", "restore"),
)
"""Decisions that the restoration repeats."""
_READING: Final = (
    *("search", "eval", "replay", "backup", "index.export", "index.compact", "doctor", "documents.show"),
    *("POST /v1/search", "POST /v1/access", "POST /v1/session", "DELETE /v1/session", "POST /v1/tags/check"),
)
"""Beginnings of names of what changes nothing that a backup has."""
_WRITING_METHODS: Final = ("POST /v1/", "PUT /v1/", "PATCH /v1/", "DELETE /v1/")
_FIRST_ERROR_STATUS: Final = 400


def later_changes(records: Iterable[Mapping[str, object]]) -> Counter[str]:
    """Return the number of changes by action or route, without those that a restoration repeats."""
    return Counter(name for record in records if (name := _change(record)) is not None)


def _change(record: Mapping[str, object]) -> str | None:
    action, route, status = record.get("action"), record.get("route"), record.get("status")
    if isinstance(status, int) and status >= _FIRST_ERROR_STATUS:
        return None
    name = action if isinstance(action, str) else route
    if not isinstance(name, str) or name in _REPEATED or name.startswith(_READING):
        return None
    # The plan of a renaming changes nothing.
    if name.startswith("POST /v1/tags/") and not record.get("tag_after"):
        return None
    # A run has a line for each batch, which has the changes.
    if action == "ingest" and not record.get("changes"):
        return None
    return name if action == name or name.startswith(_WRITING_METHODS) else None
