"""Files beneath a folder follow its side files when those change, page by page."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.documents import Document
from groundwire.domain.errors import Conflict, Invalid, NotFound, Unavailable
from groundwire.ports import Clock, Documents, SideTexts, SourceObjects
from groundwire.services.arrivals.places import POLICY_FILE, Kind, place_of, source_path
from groundwire.services.arrivals.surroundings import PolicyFileRefused, Surroundings
from groundwire.services.arrivals.tasks import SOON_S, SOON_TRIES, Beneath, FileNews, Follow, FollowUp
from groundwire.services.documents import DocumentCare

PAGE: Final = 200
"""Files in one piece of work: some seconds, so that the tenant's lock is free for others in between."""


def settle_later(_tenant: str, document: Document) -> Document:
    """What was changed is left to the sweep: its record, which alone decides who may read, is in force already."""
    return document


@dataclass(slots=True)
class _Page:
    """What becomes of one page.

    Attributes:
        care: settles each document until the index, or whatever it is, does not answer once.
        first, last: the path before the first document that could not follow, and that of the last one.
    """

    around: Surroundings
    care: DocumentCare
    ups: list[FollowUp] = field(default_factory=list[FollowUp])
    first: str = ""
    last: str | None = None
    trouble: str = ""


class FollowBeneath:
    """The caller holds the tenant's lock, so that nothing is brought in under what was said before."""

    def __init__(
        self,
        sources: SourceObjects,
        texts: SideTexts,
        documents: Documents,
        care: DocumentCare,
        later: DocumentCare,
        clock: Clock,
    ) -> None:
        """`later` does as `care`, but leaves the settling to the sweep."""
        self._sources = sources
        self._texts = texts
        self._documents = documents
        self._care = care
        self._later = later
        self._clock = clock

    def __call__(self, task: Beneath, is_spent: Callable[[], bool]) -> list[FollowUp]:
        """The next page follows; what remains beneath the folder is answered as the work to go on with.

        A document that cannot follow keeps no other from it, and is tried again soon.

        Raises:
            PolicyFileRefused: the folder's own policy file cannot be understood; nobody's readers were changed.
            Unavailable: single documents could not follow, however often that was tried.
        """
        paths = self._sources.beneath(task.tenant, task.folder, task.after, PAGE)
        asked = [path for path in paths if task.until is None or path <= task.until]
        page = _Page(Surroundings(task.tenant, self._sources, self._texts), self._care)
        if task.follow is Follow.POLICY:
            _check_policy_file(page.around, task.folder)
        before = task.after
        for number, path in enumerate(asked):
            if number and is_spent():
                return [*page.ups, *_again(task, page, is_whole=False), _on(task, before)]
            if place_of(path).kind is Kind.DOCUMENT:
                self._tried(task, before, path, page)
            before = path
        rest = [_on(task, before)] if len(asked) == PAGE and before != task.until else []
        return [*page.ups, *_again(task, page, is_whole=not rest), *rest]

    def _tried(self, task: Beneath, before: str, path: str, page: _Page) -> None:
        try:
            self._one(task, path, page)
        except (Conflict, Invalid, Unavailable) as trouble:
            if page.last is None:
                page.first, page.trouble = before, f"{path}: {trouble}"
            page.last = path
            if isinstance(trouble, Unavailable):
                # Whoever waited for the index at each of many documents would not come to the last of them.
                page.care = self._later

    def _one(self, task: Beneath, path: str, page: _Page) -> None:
        if task.follow is Follow.METADATA:
            page.ups.append(FollowUp(FileNews(task.tenant, path, None, self._clock())))
            return
        place = place_of(path)
        known = self._documents.by_source_path(task.tenant, place.collection, source_path(task.tenant, path))
        policy = _nearest(page.around, path)
        if known is None or policy is None:
            return
        if _is_of_files(known):
            # It was deleted meanwhile, or somebody gave its policy by hand: nothing is to be followed.
            with suppress(NotFound):
                self._follow(task.tenant, known.doc_id, policy, page.care)
        if POLICY_FILE in (known.reason or ""):
            # Its latest content was refused with a policy file that may be understood by now.
            page.ups.append(FollowUp(FileNews(task.tenant, path, None, self._clock())))

    def _follow(self, tenant: str, doc_id: str, policy: Policy, care: DocumentCare) -> None:
        try:
            care.follow_policy(tenant, doc_id, policy, _is_of_files)
        except Invalid:
            # Its record has no room for those who may read it now: nobody may, rather than who might before.
            care.follow_policy(tenant, doc_id, NOBODY, _is_of_files)
            raise


def _check_policy_file(around: Surroundings, folder: str) -> None:
    """Refuse to go on where the nearest policy file cannot be understood; Raises PolicyFileRefused."""
    try:
        around.nearest(folder)
    except PolicyFileRefused:
        raise
    except Invalid:
        # A file whose name is nearly right closes what lies beneath.
        return


def _nearest(around: Surroundings, path: str) -> Policy | None:
    """Find the policy to follow; None where a policy file is refused, which changes nobody's readers."""
    try:
        return around.nearest(path)
    except PolicyFileRefused:
        return None
    except Invalid:
        # Who may read cannot be known, so nobody may, until the file can be understood.
        return NOBODY


def _is_of_files(document: Document) -> bool:
    return document.policy_from_files


def _on(task: Beneath, after: str) -> FollowUp:
    return FollowUp(replace(task, after=after, tries=0 if task.until is None else task.tries))


def _again(task: Beneath, page: _Page, *, is_whole: bool) -> list[FollowUp]:
    """From the first document that could not follow to the last; in the end the message fails as any other does."""
    if page.last is None:
        return []
    tries = 1 if task.until is None else task.tries + 1
    if tries > SOON_TRIES and is_whole:
        raise Unavailable(f"Not every document follows what stands above {task.folder!r}, such as {page.trouble}")
    return [FollowUp(replace(task, after=page.first, until=page.last, tries=tries), SOON_S)]
