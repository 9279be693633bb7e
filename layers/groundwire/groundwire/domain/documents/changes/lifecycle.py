"""Life of a document: all transitions of its record, each a pure function.

`TRANSITIONS` is the whole table of states. A function that changes the state looks its row up there, so that no record
takes a step that the table does not have. The diagram in `docs/ingest/documents.md` is generated from it.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any, Final

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import Ceiling, PolicySource, SourcedPolicy
from groundwire.domain.documents.deletion import Deletion
from groundwire.domain.documents.record import (
    Document,
    DocumentState,
    IndexedContent,
    IndexSync,
    Refusal,
    RefusalCause,
    new_document,
)
from groundwire.domain.documents.source_file import Contributor, SourceFile
from groundwire_readers.contents.parsed import MAIL_FILE_TYPES


class Transition(StrEnum):
    """Step in the life of a document.

    `QUEUE`: a run announces its file. `START`: the file is read. `PUBLISH`: a version is complete. `REFUSE`: the file
    cannot be read. `WAIT`: the parser is busy. `FAIL`: the parser cannot start, or was busy in the last attempt.
    `INTERRUPT`: the process ended before. `DELETE`: the document, or its file, is deleted. `CLEAR`: its rows and
    originals are removed.
    """

    QUEUE = "queue"
    START = "start"
    PUBLISH = "publish"
    REFUSE = "refuse"
    WAIT = "wait"
    FAIL = "fail"
    INTERRUPT = "interrupt"
    DELETE = "delete"
    CLEAR = "clear"


_QUEUED, _PARSING, _INDEXED = DocumentState.QUEUED, DocumentState.PARSING, DocumentState.INDEXED
_REFUSED, _DELETING, _DELETED = DocumentState.REFUSED, DocumentState.DELETING, DocumentState.DELETED
_WAITING, _FAILED = DocumentState.WAITING, DocumentState.FAILED
_UNINDEXED: Final = (_QUEUED, _PARSING, _WAITING, _FAILED, _REFUSED)

TRANSITIONS: Final[Mapping[Transition, Mapping[DocumentState | None, DocumentState]]] = {
    Transition.QUEUE: {None: _QUEUED},
    # A file with a chosen id brings a deleted document back. An indexed version is searched until the next is complete.
    Transition.START: dict.fromkeys((None, *_UNINDEXED, _DELETING, _DELETED), _PARSING) | {_INDEXED: _INDEXED},
    Transition.PUBLISH: {_PARSING: _INDEXED, _INDEXED: _INDEXED},
    Transition.REFUSE: {**dict.fromkeys((*_UNINDEXED, _DELETING, _DELETED), _REFUSED), _INDEXED: _INDEXED},
    Transition.WAIT: {**dict.fromkeys((*_UNINDEXED, _DELETING, _DELETED), _WAITING), _INDEXED: _INDEXED},
    Transition.FAIL: {**dict.fromkeys((*_UNINDEXED, _DELETING, _DELETED), _FAILED), _INDEXED: _INDEXED},
    Transition.INTERRUPT: {_QUEUED: _REFUSED, _PARSING: _REFUSED, _WAITING: _FAILED},
    Transition.DELETE: {**dict.fromkeys((*_UNINDEXED, _INDEXED), _DELETING)},
    Transition.CLEAR: {_DELETING: _DELETED},
}
"""State after each transition, by the state before; None: there is no record. A pair that is missing cannot happen."""

_REFUSALS_BY_PARSER: Final = {
    RefusalCause.PARSER_BUSY: Transition.WAIT,
    RefusalCause.PARSER_BROKEN: Transition.FAIL,
}
INTERRUPTED: Final = Refusal(
    RefusalCause.INTERRUPTED, "the ingestion was interrupted before the document was complete: ingest the file again"
)
_CLOSED: Final = (
    "{}; the file has another policy, so nobody can read the earlier version"
    " until a readable file is ingested or the readers are set again"
)


def next_state(transition: Transition, before: DocumentState | None) -> DocumentState:
    """Return the state after the transition.

    Raises:
        ValueError: the table has no such step.
    """
    after = TRANSITIONS[transition].get(before)
    if after is None:
        raise ValueError(f"no document goes from {before} by {transition}")
    return after


def queued(doc_id: str, file: SourceFile, now: float) -> Document:
    """Return the record of a file that a run announces; only its source is known."""
    return new_document(doc_id, file, now, next_state(Transition.QUEUE, None))


def created(doc_id: str, file: SourceFile, now: float) -> Document:
    """Return the record of a file without one, whose reading starts at once."""
    return new_document(doc_id, file, now, next_state(Transition.START, None))


def started(document: Document, file: SourceFile, now: float) -> Document:
    """Return the record while the file is read: an indexed version stays searchable, under its own policy."""
    state = next_state(Transition.START, document.state)
    if document.state is DocumentState.INDEXED:
        # The type of a mail says from its start on that there may be attachments.
        file_type = file.file_type if file.file_type in MAIL_FILE_TYPES else document.source_file_type
        return replace(marked_stale(document), source_file_type=file_type)
    ingestion = replace(document.ingestion, state=state, refusal=None)
    return replace(
        with_policy(document, file.policy),
        collection=file.collection,
        source_file_type=file.file_type,
        source_path=file.path,
        contributor=file.contributor,
        ingestion=ingestion,
        sync=replace(document.sync, is_stale=True),
        updated_at=now,
    )


def reserved(document: Document, version: int) -> Document:
    """Return the record with the number of a version whose rows are about to be written."""
    return replace(
        document,
        ingestion=replace(document.ingestion, started_version=version),
        sync=replace(document.sync, rows_written_at=0.0),
    )


def published(
    document: Document,
    file: SourceFile,
    content: IndexedContent,
    contributor: Contributor,
    now: float,
    former_content: str = "",
) -> Document:
    """Return the record of a complete version; its rows are written, those of the version before are still there.

    The content is that of `contributor`: somebody else who contributed an earlier version has no right over it.
    `former_content` is the mark of the content before, where a ceiling concerned it; else empty.
    """
    state = next_state(Transition.PUBLISH, document.state)
    is_same_content = content.content_hash == document.content_hash
    ceiling = contributor.lasting_ceiling(file.policy.ceiling, is_same_content=is_same_content)
    file = replace(file, policy=replace(file.policy, ceiling=ceiling))
    facts: dict[str, Any] = {each.name: getattr(content, each.name) for each in fields(content)}
    return replace(
        _with_source(document, file),
        collection=file.collection,
        source_file_type=file.file_type,
        contributor=contributor.of_version_after(document.contributor, is_same_content=is_same_content),
        ingestion=replace(document.ingestion, state=state, refusal=None),
        deletion=Deletion(content_mark=former_content),
        updated_at=now,
        **facts,
    )


def kept(document: Document, file: SourceFile) -> Document:
    """Return the record of the same content, perhaps with another name, path or policy."""
    return replace(_with_source(document, file), ingestion=replace(document.ingestion, refusal=None))


def refused(document: Document, file: SourceFile, content_hash: str, size: int, refusal: Refusal) -> Document:
    """Return the record of a file that was not read; an earlier version stays readable only if the policy is the same.

    While the file waits for the parser, the earlier version keeps its readers. Otherwise the new policy was meant for
    content that nobody has read, and the earlier one is no longer wanted. No policy admits exactly the readers of both,
    so two different policies leave no readers.
    """
    transition = _REFUSALS_BY_PARSER.get(refusal.cause, Transition.REFUSE)
    state = next_state(transition, document.state)
    if document.state is not DocumentState.INDEXED:
        ingestion = replace(document.ingestion, state=state, refusal=refusal)
        return replace(
            with_policy(document, file.policy),
            ingestion=ingestion,
            content_hash=content_hash,
            size_bytes=size,
            contributor=file.contributor,
        )
    if document.policy == file.policy.policy or transition is Transition.WAIT:
        limited = with_ceiling(document, file.policy.ceiling)
        return replace(limited, ingestion=replace(limited.ingestion, refusal=refusal))
    return closed(document, refusal)


def closed(document: Document, refusal: Refusal) -> Document:
    """Return the record with no readers, and with the reason why its earlier version is hidden."""
    closing = Refusal(refusal.cause, _CLOSED.format(refusal.reason))
    without_readers = replace(document.sourced_policy, policy=NO_READERS)
    return replace(with_policy(document, without_readers), ingestion=replace(document.ingestion, refusal=closing))


def with_policy(document: Document, policy: SourcedPolicy) -> Document:
    """Return the record under `policy` and its ceiling.

    The policy version counts changes of the readers, and each other decision about the ceiling.
    """
    is_changed = (document.policy, document.ceiling) != (policy.policy, policy.ceiling)
    return replace(
        document,
        policy=policy.policy,
        policy_source=policy.source,
        policy_overridden_at=policy.overridden_at,
        ceiling=policy.ceiling,
        policy_version=document.policy_version + is_changed,
    )


def with_ceiling(document: Document, ceiling: Ceiling | None) -> Document:
    """Return the record under this ceiling, with the declared policy that it has."""
    return with_policy(document, replace(document.sourced_policy, ceiling=ceiling))


def with_tag_renamed(document: Document, old: str, new: str) -> Document:
    """Return the record with the new tag in place of the old one, in its policy and in its ceiling."""
    sourced, ceiling = document.sourced_policy, document.ceiling
    limit = None if ceiling is None else replace(ceiling, policy=_renamed(ceiling.policy, old, new))
    return with_policy(document, replace(sourced, policy=_renamed(sourced.policy, old, new), ceiling=limit))


def _renamed(policy: Policy, old: str, new: str) -> Policy:
    return replace(
        policy,
        any_tags=frozenset(new if tag == old else tag for tag in policy.any_tags),
        all_tags=frozenset(new if tag == old else tag for tag in policy.all_tags),
    )


def with_manual_policy(document: Document, policy: Policy, now: float) -> Document:
    """Return the record under a policy that was declared for the document itself, which a run replaces."""
    return with_policy(document, SourcedPolicy(policy, PolicySource.MANUAL, now, document.ceiling))


def following_policy(document: Document, policy: SourcedPolicy) -> Document:
    """Return the record under the current policy of its file, without reading the file again.

    If the latest file could not be read, the policy belongs to content other than the indexed version. A changed policy
    then closes the record. A ceiling belongs to the document, so it applies in either case.
    """
    refusal = document.ingestion.refusal
    if document.state is not DocumentState.INDEXED or refusal is None:
        return with_policy(document, policy)
    limited = with_ceiling(document, policy.ceiling)
    return limited if document.policy in {policy.policy, NO_READERS} else closed(limited, refusal)


def marked_stale(document: Document) -> Document:
    """Return the record with the mark that index and blobs may differ from it."""
    return replace(document, sync=replace(document.sync, is_stale=True))


def reconciled(document: Document) -> Document:
    """Return the record after index and blobs were made to agree with it; a killed ingestion ends as refused."""
    return replace(_without_open_step(document), sync=replace(document.sync, is_stale=False))


def partly_reconciled(document: Document, now: float) -> Document:
    """Return the record after a reconciliation that could not see all of its rows; it is repeated later.

    No process still writes rows of it: the last one was interrupted, or recorded the time.
    """
    stepped = document if document.state is DocumentState.DELETING else _without_open_step(document)
    return replace(stepped, sync=IndexSync(is_stale=True, rows_written_at=document.sync.rows_written_at or now))


def interrupted(document: Document) -> Document:
    """Return the record of an announced file whose run ended before it read the file."""
    state = next_state(Transition.INTERRUPT, document.state)
    return replace(
        document,
        ingestion=replace(document.ingestion, state=state, refusal=INTERRUPTED),
        sync=replace(document.sync, is_stale=False),
    )


def _without_open_step(document: Document) -> Document:
    match document.state:
        case DocumentState.PARSING | DocumentState.WAITING:
            state = next_state(Transition.INTERRUPT, document.state)
            refusal = document.ingestion.refusal
            left = INTERRUPTED if refusal is None else Refusal(RefusalCause.PARSER_BROKEN, refusal.reason)
            return replace(document, ingestion=replace(document.ingestion, state=state, refusal=left))
        case DocumentState.DELETING:
            state = next_state(Transition.CLEAR, document.state)
            return replace(document, ingestion=replace(document.ingestion, state=state))
        case _:
            return document


def _with_source(document: Document, file: SourceFile) -> Document:
    return replace(
        with_policy(document, file.policy),
        source_file_name=file.name,
        source_path=file.path,
        source_url=file.source_url,
    )
