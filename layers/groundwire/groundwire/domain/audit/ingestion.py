"""Lines of ingestions: a run writes one when it begins, one per batch of changed documents, and one at its end."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from groundwire.domain.access.policy_json import digest
from groundwire.domain.audit.facts import policy_change
from groundwire.domain.audit.lines import INGEST_ACTION, OPERATOR, RecordedLine
from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Policy, Readers
    from groundwire.domain.documents.record import Document

BATCH_DOCUMENTS: Final = 10
"""Documents per line: a run that is killed leaves fewer than these unrecorded."""
BATCH_SECONDS: Final = 2.0
"""Seconds that a changed document waits for its line at most."""
UNCHANGED: Final = "unchanged"
"""Status of files that are counted, and not listed: nothing of their documents was changed."""


class IngestionPhase(StrEnum):
    """Phase of an ingestion that a line is about; `RESTORE`: deletions that a person ends with it."""

    RESTORE = "restore"
    BEGIN = "begin"
    BATCH = "batch"
    END = "end"


class IngestionOrigin(StrEnum):
    """Origin of files: the command `ingest`, an upload ticket, or an object of the deployment's bucket."""

    COMMAND = "command"
    UPLOAD = "upload"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class IngestionScope:
    """Owner and target of an ingestion.

    Attributes:
        os_user: user of the operating system that runs the command; None where the service ingests by itself.
    """

    tenant: str
    collection: str
    origin: IngestionOrigin
    os_user: str | None


@dataclass(frozen=True, slots=True)
class FinishedDocument:
    """Document that an ingestion changed.

    Attributes:
        name: its id and the version of its policy.
        status: what became of it. version: number of its content.
        readers: those of the document afterwards.
        policy_before: declared policy by which an earlier version was read; None where there was none.
    """

    doc_id: str
    name: str
    status: str
    version: int
    readers: "Readers"
    policy_before: "Policy | None"

    @classmethod
    def of(cls, document: "Document", status: str, policy_before: "Policy | None") -> Self:
        """Return the document after its ingestion."""
        name = f"{document.doc_id}@{document.policy_version}"
        return cls(document.doc_id, name, status, document.version, document.readers, policy_before)

    @property
    def has_other_readers(self) -> bool:
        """Return whether its declared policy replaces another one."""
        return self.policy_before is not None and self.policy_before != self.readers.declared

    def members(self) -> dict[str, object]:
        """Return the stored members: a digest of the readers, and old and new declared policy where these differ."""
        declared = self.readers.declared
        before = declared if self.policy_before is None else self.policy_before
        change = policy_change(before, declared, self.readers.ceiling)
        return {
            "document": self.doc_id,
            "status": self.status,
            "version": self.version,
            "policy_digest": digest(self.readers),
            **change,
        }


@dataclass(frozen=True, slots=True)
class IngestionLine:
    """Line of one phase of an ingestion.

    Attributes:
        run: id of the run; None for a single file, which has no other line.
        facts: members of the phase.
    """

    scope: IngestionScope
    phase: IngestionPhase
    run: str | None
    facts: Mapping[str, object]

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        scope = self.scope
        return {
            "action": INGEST_ACTION,
            **({"decision": OPERATOR} if scope.origin is IngestionOrigin.COMMAND else {}),
            **({} if scope.os_user is None else {"os_user": scope.os_user}),
            "phase": self.phase.value,
            **({} if self.run is None else {"run": self.run}),
            "tenant": scope.tenant,
            "collection": scope.collection,
            "origin": scope.origin.value,
            **self.facts,
        }


@dataclass(frozen=True, slots=True)
class RestorationLine:
    """Line of the deletions that the ingestion of a file ends by the decision of a person.

    Attributes:
        documents: id and policy version of each deleted document.
        is_collection_restored: whether the deletion of the whole collection ends as well.
    """

    tenant: str
    collection: str
    documents: Sequence[str]
    is_collection_restored: bool

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        return {
            "action": INGEST_ACTION,
            "phase": IngestionPhase.RESTORE.value,
            "tenant": self.tenant,
            "collection": self.collection,
            "documents": list(self.documents),
            "is_collection_restored": self.is_collection_restored,
        }


def batch_line(scope: IngestionScope, run: str | None, documents: Sequence[FinishedDocument]) -> IngestionLine:
    """Return the line of changed documents."""
    facts = {"documents": [each.name for each in documents], "changes": [each.members() for each in documents]}
    return IngestionLine(scope, IngestionPhase.BATCH, run, facts)


WriteLine = Callable[[RecordedLine], None]
"""Function that writes a line before it returns."""


class IngestionAudit:
    """Audit of ingestions.

    Args:
        write: writes a line.
        new_run_id: returns a text that was never returned before.
        mark_running: marks the run of this id as running until the returned function is called or the process ends.
    """

    def __init__(
        self, write: WriteLine, new_run_id: Callable[[], str], mark_running: Callable[[str], Callable[[], None]]
    ) -> None:
        self._write = write
        self._new_run_id = new_run_id
        self._mark_running = mark_running

    def begin(self, scope: IngestionScope, files: int) -> "RunAudit":
        """Write the first line of a run over `files` files, before any of them is read.

        Raises:
            Unavailable: the line cannot be written.
        """
        run = self._new_run_id()
        # Marked before its line exists, so that no reader takes the run for a killed one.
        unmark = self._mark_running(run)
        self._write(IngestionLine(scope, IngestionPhase.BEGIN, run, {"files": files}))
        return RunAudit(self._write, scope, run, unmark)

    def restoring(self, restoration: RestorationLine) -> None:
        """Write the line of deletions that are about to end, since a repetition would not see that they ended.

        Raises:
            Unavailable: the line cannot be written; the deletions stay in force.
        """
        self._write(restoration)

    def file_finished(self, scope: IngestionScope, documents: Sequence[FinishedDocument]) -> None:
        """Write the one line of a file that is a run of its own, with its attachments; none without a document.

        An unchanged document is listed, too: it may have been changed by an attempt whose line could not be written.

        Raises:
            Unavailable: the line cannot be written; a repetition of the ingestion writes it.
        """
        if documents:
            self._write(batch_line(scope, None, documents))


class RunAudit:
    """Audit of the run `run`, from its first line on; as a context manager it writes the last line, whatever ended it.

    A line that cannot be written raises `Unavailable`, which ends the run: no document is changed unrecorded for long.
    """

    def __init__(self, write: WriteLine, scope: IngestionScope, run: str, unmark: Callable[[], None]) -> None:
        self._write = write
        self._scope = scope
        self.run = run
        self._unmark = unmark
        self._counts = Counter[str]()
        self._waiting: list[FinishedDocument] = []
        self._lock = Lock()
        self._timer: Timer | None = None

    def finished(self, status: str, document: FinishedDocument | None) -> None:
        """Count a file or attachment, and record its document; None where the file was refused without one."""
        with self._lock:
            self._counts[status] += 1
            if document is None or status == UNCHANGED:
                return
            self._waiting.append(document)
            # A change of readers does not wait: a killed run would leave no other trace of the old ones.
            if len(self._waiting) >= BATCH_DOCUMENTS or document.has_other_readers:
                self._write_waiting()
            elif self._timer is None:
                self._timer = Timer(BATCH_SECONDS, self._write_overdue)
                # An interpreter that exits must not wait for it, as `end` writes the rest.
                self._timer.daemon = True
                self._timer.start()

    def changing(self, status: str, document: FinishedDocument) -> None:
        """Write a document that is about to be changed, since a repetition of the run would not see the change.

        Raises:
            Unavailable: the line cannot be written.
        """
        with self._lock:
            self._counts[status] += 1
            self._waiting.append(document)
            self._write_waiting()

    def end(self, outcome: str, facts: Mapping[str, object] | None = None) -> None:
        """Write the remaining documents and the last line."""
        members = {"counts": dict(self._counts), "outcome": outcome, **(facts or {})}
        with self._lock:
            self._write_waiting()
            self._write(IngestionLine(self._scope, IngestionPhase.END, self.run, members))
        self._unmark()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.end("done")
        # Ctrl-C is the operator's decision, and no failure of the run.
        elif isinstance(error, KeyboardInterrupt):
            self.end("interrupted", {"interrupted": True})
        # The text of any other error may quote a document, so it is left out.
        elif isinstance(error, DomainError):
            self.end("failed", {"problem": audit_text(error)})
        else:
            self.end("failed")

    def _write_overdue(self) -> None:
        """Write what has waited long enough, while the run works on a file; a later line reports an error."""
        with self._lock, suppress(DomainError):
            self._write_waiting()

    def _write_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting:
            # Emptied afterwards: an interrupt in between records the documents twice instead of never.
            self._write(batch_line(self._scope, self.run, self._waiting))
            self._waiting = []
