"""Files beneath a folder follow its side files when those change, page by page."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from groundwire.ports import Clock, Documents, SidecarParser, SourceObjects
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.source_paths import POLICY_FILE, SourceFileKind, classify_path, source_path
from groundwire.services.object_events.sidecars import PolicyFileRefused, SidecarResolver
from groundwire.services.object_events.tasks import (
    MAX_QUICK_RETRIES,
    QUICK_RETRY_SECONDS,
    FollowUp,
    ObjectChanged,
    SidecarChange,
    UpdateSubtree,
)

PAGE_SIZE: Final = 200
"""Files in one piece of work: some seconds, so that the tenant's lock is free for others in between."""


def defer_reconciliation(_tenant: str, document: Document) -> Document:
    """What was changed is left to the sweep: its record, which alone decides who may read, is in force already."""
    return document


@dataclass(slots=True)
class _PageState:
    """What becomes of one page.

    Attributes:
        admin: settles each document until the index, or whatever it is, does not answer once.
        resume_after, last_failed: the path before the first document that could not follow, and that of the last one.
    """

    sidecars: SidecarResolver
    admin: DocumentAdmin
    follow_ups: list[FollowUp] = field(default_factory=list[FollowUp])
    resume_after: str = ""
    last_failed: str | None = None
    failure: str = ""


class SubtreeUpdater:
    """The caller holds the tenant's lock, so that nothing is brought in under what was said before."""

    def __init__(
        self,
        sources: SourceObjects,
        sidecar_parser: SidecarParser,
        documents: Documents,
        admin: DocumentAdmin,
        deferring_admin: DocumentAdmin,
        clock: Clock,
    ) -> None:
        """`deferring_admin` does as `admin`, but leaves the settling to the sweep."""
        self._sources = sources
        self._sidecar_parser = sidecar_parser
        self._documents = documents
        self._admin = admin
        self._deferring_admin = deferring_admin
        self._clock = clock

    def __call__(self, task: UpdateSubtree, is_out_of_time: Callable[[], bool]) -> list[FollowUp]:
        """The next page follows; what remains beneath the folder is answered as the work to go on with.

        A document that cannot follow keeps no other from it, and is tried again soon.

        Raises:
            PolicyFileRefused: the folder's own policy file cannot be understood; nobody's readers were changed.
            Unavailable: single documents could not follow, however often that was tried.
        """
        paths = self._sources.list_subtree(task.tenant, task.folder, task.after, PAGE_SIZE)
        asked = [path for path in paths if task.until is None or path <= task.until]
        page = _PageState(SidecarResolver(task.tenant, self._sources, self._sidecar_parser), self._admin)
        if task.change is SidecarChange.POLICY:
            _check_policy_file(page.sidecars, task.folder)
        before = task.after
        for number, path in enumerate(asked):
            if number and is_out_of_time():
                return [*page.follow_ups, *_retry_failed(task, page, is_whole=False), _next_page(task, before)]
            if classify_path(path).kind is SourceFileKind.DOCUMENT:
                self._update_or_defer(task, before, path, page)
            before = path
        rest = [_next_page(task, before)] if len(asked) == PAGE_SIZE and before != task.until else []
        return [*page.follow_ups, *_retry_failed(task, page, is_whole=not rest), *rest]

    def _update_or_defer(self, task: UpdateSubtree, before: str, path: str, page: _PageState) -> None:
        try:
            self._update_document(task, path, page)
        except (Conflict, InvalidInput, Unavailable) as trouble:
            if page.last_failed is None:
                page.resume_after, page.failure = before, f"{path}: {trouble}"
            page.last_failed = path
            if isinstance(trouble, Unavailable):
                # Whoever waited for the index at each of many documents would not come to the last of them.
                page.admin = self._deferring_admin

    def _update_document(self, task: UpdateSubtree, path: str, page: _PageState) -> None:
        if task.change is SidecarChange.METADATA:
            page.follow_ups.append(FollowUp(ObjectChanged(task.tenant, path, None, self._clock())))
            return
        place = classify_path(path)
        known = self._documents.by_source_path(task.tenant, place.collection, source_path(task.tenant, path))
        policy = _nearest_policy(page.sidecars, path)
        if known is None or policy is None:
            return
        if _has_file_policy(known):
            # It was deleted meanwhile, or somebody gave its policy by hand: nothing is to be followed.
            with suppress(NotFound):
                self._apply_policy(task.tenant, known.doc_id, policy, page.admin)
        if POLICY_FILE in (known.reason or ""):
            # Its latest content was refused with a policy file that may be understood by now.
            page.follow_ups.append(FollowUp(ObjectChanged(task.tenant, path, None, self._clock())))

    def _apply_policy(self, tenant: str, doc_id: str, policy: Policy, admin: DocumentAdmin) -> None:
        try:
            admin.apply_file_policy(tenant, doc_id, policy, _has_file_policy)
        except InvalidInput:
            # Its record has no room for those who may read it now: nobody may, rather than who might before.
            admin.apply_file_policy(tenant, doc_id, NO_READERS, _has_file_policy)
            raise


def _check_policy_file(sidecars: SidecarResolver, folder: str) -> None:
    """Refuse to go on where the nearest policy file cannot be understood; Raises PolicyFileRefused."""
    try:
        sidecars.nearest_policy(folder)
    except PolicyFileRefused:
        raise
    except InvalidInput:
        # A file whose name is nearly right closes what lies beneath.
        return


def _nearest_policy(sidecars: SidecarResolver, path: str) -> Policy | None:
    """Find the policy to follow; None where a policy file is refused, which changes nobody's readers."""
    try:
        return sidecars.nearest_policy(path)
    except PolicyFileRefused:
        return None
    except InvalidInput:
        # Who may read cannot be known, so nobody may, until the file can be understood.
        return NO_READERS


def _has_file_policy(document: Document) -> bool:
    return document.policy_from_files


def _next_page(task: UpdateSubtree, after: str) -> FollowUp:
    return FollowUp(replace(task, after=after, tries=0 if task.until is None else task.tries))


def _retry_failed(task: UpdateSubtree, page: _PageState, *, is_whole: bool) -> list[FollowUp]:
    """From the first document that could not follow to the last; in the end the message fails as any other does."""
    if page.last_failed is None:
        return []
    tries = 1 if task.until is None else task.tries + 1
    if tries > MAX_QUICK_RETRIES and is_whole:
        raise Unavailable(f"Not every document follows what stands above {task.folder!r}, such as {page.failure}")
    return [FollowUp(replace(task, after=page.resume_after, until=page.last_failed, tries=tries), QUICK_RETRY_SECONDS)]
