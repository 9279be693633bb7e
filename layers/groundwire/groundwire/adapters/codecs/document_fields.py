"""Stored form of a document: one table of fields for the rows of SQLite and the items of DynamoDB.

The names belong to stored data of earlier releases: they stay when a field is renamed. A release may meet records of
the one before, and the other way round. So new fields have a value that stands for their absence.
"""

import json
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final

from groundwire.adapters.codecs.readers_fields import ceiling_text, policy_text, readers_of
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents import metadata
from groundwire.domain.documents.deletion import NO_DELETION, Deletion
from groundwire.domain.documents.record import (
    Document,
    DocumentState,
    FailedStep,
    IndexSync,
    Ingestion,
    Refusal,
    RefusalCause,
)
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire_readers.contents.parsed import ReadingDefect

StoredValue = str | int | float | bytes | None

STORED_PATHS: Final[Mapping[str, str]] = {
    "doc_id": "doc_id",
    "collection": "collection",
    "source_file_name": "source_file_name",
    "source_file_type": "source_file_type",
    "source_path": "source_path",
    "source_url": "source_url",
    "blob": "blob",
    "title": "title",
    "policy": "policy",
    "version": "version",
    "policy_version": "policy_version",
    "state": "ingestion.state",
    "reason": "reason",
    "content_hash": "content_hash",
    "recipe": "recipe",
    "segments": "segments",
    "pages": "pages",
    "pages_without_text": "pages_without_text",
    "size_bytes": "size_bytes",
    "index_stale": "sync.is_stale",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "language": "language",
    "metadata": "metadata",
    "parent": "parent",
    "windows": "windows",
    "timings": "timings",
    "parser": "parser",
    "model": "model",
    "sketch": "sketch",
    "policy_from_option": "policy_source",
    "policy_from_files": "policy_source",
    "begun_version": "ingestion.started_version",
    "last_rows_at": "sync.rows_written_at",
    "policy_given_at": "policy_overridden_at",
    "deleted_from": "deletion.source_digest",
    "deleted_at": "deletion.decision.decided_at",
    "images": "images",
    "refusal_cause": "ingestion.refusal",
    "defects": "defects",
    "failed_step": "failed_step",
    "parser_state": "ingestion.refusal",
    "ceiling": "ceiling",
    "deleted_content": "deletion.content_mark",
    "deleted_by": "deletion.decision.decided_by",
    "deleted_with_key": "deletion.decision.decided_key",
    "deleted_because": "deletion.decision.decision_reason",
    "deleted_own": "deletion.is_own",
    "brought_with_key": "contributor.key",
    "brought_by": "contributor.user",
}
"""Path in the record of each stored field."""


def _timings_json(timings: Mapping[str, float]) -> str:
    return json.dumps(dict(timings), separators=(",", ":"))


def _defects_json(defects: Mapping[ReadingDefect, int]) -> str:
    """Return the counts as JSON; empty without any."""
    if not defects:
        return ""
    return json.dumps({defect.value: number for defect, number in sorted(defects.items())}, separators=(",", ":"))


def _defects(text: str) -> dict[ReadingDefect, int]:
    known = {defect.value: defect for defect in ReadingDefect}
    stored: dict[str, int] = json.loads(text)
    # A later release may count others.
    return {known[name]: number for name, number in stored.items() if name in known}


def _step_name(step: FailedStep | None) -> str:
    return "" if step is None else step.value


def _failed_step(name: str) -> FailedStep | None:
    # A later release may know other steps.
    return next((step for step in FailedStep if step.value == name), None)


def _is_from_files(source: PolicySource) -> bool:
    return source is PolicySource.FILE


def _is_from_option(source: PolicySource) -> bool:
    return source is PolicySource.OPTION


_PARSER_STATES: Final[Mapping[RefusalCause, DocumentState]] = {
    RefusalCause.PARSER_BUSY: DocumentState.WAITING,
    RefusalCause.PARSER_BROKEN: DocumentState.FAILED,
}
STATE_BEFORE: Final[Mapping[DocumentState, DocumentState]] = {
    DocumentState.WAITING: DocumentState.PARSING,
    DocumentState.FAILED: DocumentState.REFUSED,
}
"""State that a release without the parser's states has instead: it cannot read a record with an unknown state."""


def _cause(refusal: Refusal | None) -> str:
    if refusal is None:
        return ""
    # A release without the parser's causes cannot read a record with an unknown cause.
    return (RefusalCause.CONTENT if refusal.cause in _PARSER_STATES else refusal.cause).value


def _state(state: DocumentState) -> str:
    return STATE_BEFORE.get(state, state).value


def _parser_state(refusal: Refusal | None) -> str:
    """Return the state of a file that the parser did not read; empty for all others."""
    state = None if refusal is None else _PARSER_STATES.get(refusal.cause)
    return "" if state is None else state.value


_ENCODERS: Final[Mapping[str, Callable[[Any], StoredValue]]] = {
    "state": _state,
    "parser_state": _parser_state,
    "metadata": metadata.to_json,
    "timings": _timings_json,
    "policy_from_files": _is_from_files,
    "policy_from_option": _is_from_option,
    "refusal_cause": _cause,
    "defects": _defects_json,
    "failed_step": _step_name,
}
_READERS: Final = {name: attrgetter(path) for name, path in STORED_PATHS.items()}


def to_stored(document: Document) -> dict[str, StoredValue]:
    """Return the stored fields by name, in the order of `STORED_PATHS`."""
    fields: dict[str, StoredValue] = {
        name: _ENCODERS[name](read(document)) if name in _ENCODERS else read(document)
        for name, read in _READERS.items()
    }
    # Each of these two depends on both policies of the record.
    return fields | {"policy": policy_text(document), "ceiling": ceiling_text(document)}


def from_stored(stored: Mapping[str, Any], *, earlier_source: PolicySource) -> Document:
    """Return the record of these fields.

    Args:
        stored: all fields of `STORED_PATHS`; those that a record lacks with the value that stands for their absence.
        earlier_source: source of a policy for which an earlier release stored no source.
    """
    declared, ceiling = readers_of(stored)
    key, user = stored["brought_with_key"], stored["brought_by"]
    is_deletion_stored = stored["deleted_at"] or stored["deleted_from"] or stored["deleted_content"]
    return Document(
        doc_id=stored["doc_id"],
        collection=stored["collection"],
        source_file_name=stored["source_file_name"],
        source_file_type=stored["source_file_type"],
        source_path=stored["source_path"],
        source_url=stored["source_url"],
        blob=stored["blob"],
        title=stored["title"],
        policy=declared,
        policy_source=_policy_source(stored, earlier_source),
        ceiling=ceiling,
        version=stored["version"],
        policy_version=stored["policy_version"],
        ingestion=_ingestion(stored),
        sync=IndexSync(bool(stored["index_stale"]), stored["last_rows_at"]),
        content_hash=stored["content_hash"],
        recipe=stored["recipe"],
        segments=stored["segments"],
        pages=stored["pages"],
        pages_without_text=stored["pages_without_text"],
        size_bytes=stored["size_bytes"],
        created_at=stored["created_at"],
        updated_at=stored["updated_at"],
        language=stored["language"],
        # The usual case needs no decoder: a search reads up to a hundred records.
        metadata=metadata.NO_METADATA if stored["metadata"] == "{}" else metadata.from_json(stored["metadata"]),
        parent=stored["parent"],
        windows=stored["windows"],
        timings=json.loads(stored["timings"]),
        parser=stored["parser"],
        model=stored["model"],
        sketch=stored["sketch"],
        policy_overridden_at=stored["policy_given_at"],
        deletion=_deletion(stored) if is_deletion_stored else NO_DELETION,
        images=stored["images"],
        defects=_defects(stored["defects"]) if stored["defects"] else {},
        failed_step=_failed_step(stored["failed_step"]) if stored["failed_step"] else None,
        contributor=Contributor(key, user) if key or user else NO_CONTRIBUTOR,
    )


def _deletion(stored: Mapping[str, Any]) -> Deletion:
    by, at, key, reason = (stored[f"deleted_{name}"] for name in ("by", "at", "with_key", "because"))
    decision, is_own = Decision(by, at, key, reason), bool(stored["deleted_own"])
    return Deletion(stored["deleted_from"], stored["deleted_content"], decision, is_own)


def _policy_source(stored: Mapping[str, Any], earlier: PolicySource) -> PolicySource:
    """Return the source of the policy.

    The first two fields are those of earlier releases, which may have changed the record without the third.
    """
    if stored["policy_from_files"]:
        return PolicySource.FILE
    if stored["policy_given_at"] > 0:
        return PolicySource.MANUAL
    return PolicySource.OPTION if stored["policy_from_option"] else earlier


def _ingestion(stored: Mapping[str, Any]) -> Ingestion:
    """Return state and refusal; the parser's state counts only in the record that it was written with.

    A release before changes the state, and the reason, without this field.
    """
    state, started_version = DocumentState(stored["state"]), stored["begun_version"]
    if stored["reason"] is None:
        return Ingestion(state, None, started_version)
    by_parser = (
        each for each, before in STATE_BEFORE.items() if (each.value, before) == (stored["parser_state"], state)
    )
    return Ingestion(next(by_parser, state), _refusal(stored), started_version)


def _refusal(stored: Mapping[str, Any]) -> Refusal:
    reason = stored["reason"]
    if (by_parser := _cause_by_parser(stored["parser_state"])) is not None:
        return Refusal(by_parser, reason)
    cause = stored["refusal_cause"]
    return Refusal(RefusalCause(cause) if cause else _earlier_cause(reason), reason)


def _cause_by_parser(state: str) -> RefusalCause | None:
    return next((cause for cause, each in _PARSER_STATES.items() if each.value == state), None)


_EARLIER_CAUSES: Final[Mapping[str, RefusalCause]] = {
    "the file was uploaded in the same second in which its document was deleted": RefusalCause.UPLOAD_ORDER,
    "the ingestion was interrupted before the document was complete": RefusalCause.INTERRUPTED,
    ".policy.yaml": RefusalCause.SIDECAR_FILE,
}
"""Cause by a part of the reason, for records of earlier releases, which stored the reason alone."""


def _earlier_cause(reason: str) -> RefusalCause:
    return next((cause for part, cause in _EARLIER_CAUSES.items() if part in reason), RefusalCause.CONTENT)
