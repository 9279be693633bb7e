"""Updates of a subtree: the files below a folder follow its changed sidecar files, page by page."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.audit.ingestion import FinishedDocument, IngestionAudit, IngestionOrigin, IngestionScope
from groundwire.domain.documents.record import Document, RefusalCause
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from groundwire.ports import Clock, Documents, SidecarParser, SourceObjects
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.source_objects.sidecars import PolicyFileRefused, SidecarResolver
from groundwire.services.ingest.source_objects.source_paths import (
    SourceFileKind,
    classify_path,
    source_path,
)
from groundwire.services.object_events.tasks import (
    MAX_QUICK_RETRIES,
    QUICK_RETRY_SECONDS,
    FollowUp,
    ObjectChanged,
    SidecarChange,
    UpdateSubtree,
)

PAGE_SIZE: Final = 200
"""Files per task: some seconds, so that other tasks get the tenant's lock in between."""


def defer_reconciliation(_tenant: str, document: Document) -> Document:
    """Leave the reconciliation to the sweep: the changed record alone decides who may read, and is in force."""
    return document


@dataclass(slots=True)
class _PageState:
    """State of one page.

    Attributes:
        admin: reconciles each document, until a service does not respond once.
        resume_after, last_failed: the path before the first document that failed, and that of the last one.
    """

    sidecars: SidecarResolver
    admin: DocumentAdmin
    follow_ups: list[FollowUp] = field(default_factory=list[FollowUp])
    resume_after: str = ""
    last_failed: str | None = None
    failure: str = ""


class SubtreeUpdater:
    """Updater of subtrees; the caller holds the tenant's lock, so that no file is ingested with outdated sidecars."""

    def __init__(
        self,
        sources: SourceObjects,
        sidecar_parser: SidecarParser,
        documents: Documents,
        admin: DocumentAdmin,
        deferring_admin: DocumentAdmin,
        clock: Clock,
        audit: IngestionAudit,
    ) -> None:
        """Initialise; `deferring_admin` changes documents as `admin` does, but does not reconcile them."""
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._documents = documents
        self._admin = admin
        self._deferring_admin = deferring_admin
        self._clock = clock
        self._audit = audit

    def __call__(self, task: UpdateSubtree, is_out_of_time: Callable[[], bool]) -> list[FollowUp]:
        """Update one page of the subtree; return the follow-ups, among them the next page.

        A document that fails does not stop the others, and is retried soon.

        Raises:
            PolicyFileRefused: the folder's own policy file cannot be parsed; no readers were changed.
            Unavailable: some documents failed in all attempts.
        """
        paths = self._sources.list_subtree(task.tenant, task.folder, task.after, PAGE_SIZE)
        selected = [path for path in paths if task.until is None or path <= task.until]
        page = _PageState(SidecarResolver(task.tenant, self._sources, self._sidecar_parser), self._admin)
        if task.change is SidecarChange.POLICY:
            _check_policy_file(page.sidecars, task.folder)
        before = task.after
        for number, path in enumerate(selected):
            if number and is_out_of_time():
                return [*page.follow_ups, *_retry_failed(task, page, is_whole=False), _next_page(task, before)]
            if classify_path(path).kind is SourceFileKind.DOCUMENT:
                self._update_or_defer(task, before, path, page)
            before = path
        rest = [_next_page(task, before)] if len(selected) == PAGE_SIZE and before != task.until else []
        return [*page.follow_ups, *_retry_failed(task, page, is_whole=not rest), *rest]

    def _update_or_defer(self, task: UpdateSubtree, before: str, path: str, page: _PageState) -> None:
        try:
            self._update_document(task, path, page)
        except (Conflict, InvalidInput, Unavailable) as error:
            if page.last_failed is None:
                page.resume_after, page.failure = before, f"{path}: {error}"
            page.last_failed = path
            if isinstance(error, Unavailable):
                # Waiting for the index at each of many documents would use all the time before the last one.
                page.admin = self._deferring_admin

    def _update_document(self, task: UpdateSubtree, path: str, page: _PageState) -> None:
        if task.change is SidecarChange.METADATA:
            page.follow_ups.append(FollowUp(ObjectChanged(task.tenant, path, None, self._clock())))
            return
        source = classify_path(path)
        known = self._documents.from_source(task.tenant, source.collection, source_path(task.tenant, path))
        document = known.living
        policy = page.sidecars.policy_to_follow(path)
        if document is None or policy is None:
            return
        # NotFound: it was deleted meanwhile.
        with suppress(NotFound):
            self._apply_policy(task.tenant, document.doc_id, policy.policy, page.admin)
        refusal = document.ingestion.refusal
        if refusal is not None and refusal.cause is RefusalCause.SIDECAR_FILE:
            # Its latest content was refused because of a policy file that may be valid by now.
            page.follow_ups.append(FollowUp(ObjectChanged(task.tenant, path, None, self._clock())))

    def _apply_policy(self, tenant: str, doc_id: str, policy: Policy | None, admin: DocumentAdmin) -> None:
        # The line first: the repetition of a change without a line would find nothing to write it about.
        record = partial(self._record, tenant)
        try:
            admin.apply_file_policy(tenant, doc_id, policy, record)
        except InvalidInput:
            # Its record has no room for the new readers: nobody may read it, instead of the previous readers.
            admin.apply_file_policy(tenant, doc_id, NO_READERS, record)
            raise

    def _record(self, tenant: str, before: Document, after: Document) -> None:
        """Write the audit line of changed readers."""
        if after.policy != before.policy:
            changed = FinishedDocument.of(after, IngestStatus.POLICY_CHANGED.value, before.policy)
            scope = IngestionScope(tenant, after.collection, IngestionOrigin.OBJECT, None)
            self._audit.file_finished(scope, [changed])


def _check_policy_file(sidecars: SidecarResolver, folder: str) -> None:
    """Check the nearest policy file of the folder.

    Raises:
        PolicyFileRefused: it cannot be parsed.
    """
    try:
        sidecars.nearest_policy(folder)
    except PolicyFileRefused:
        raise
    except InvalidInput:
        # A file with a misspelled name hides the documents below it.
        return


def _next_page(task: UpdateSubtree, after: str) -> FollowUp:
    return FollowUp(replace(task, after=after, tries=0 if task.until is None else task.tries))


def _retry_failed(task: UpdateSubtree, page: _PageState, *, is_whole: bool) -> list[FollowUp]:
    """Return a retry of the range from the first to the last failed document; after the last retry the task fails."""
    if page.last_failed is None:
        return []
    tries = 1 if task.until is None else task.tries + 1
    if tries > MAX_QUICK_RETRIES and is_whole:
        raise Unavailable(
            f"Some documents below {task.folder!r} do not have the new policy yet, such as {page.failure}"
        )
    return [FollowUp(replace(task, after=page.resume_after, until=page.last_failed, tries=tries), QUICK_RETRY_SECONDS)]
