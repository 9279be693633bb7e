"""Files beneath a folder follow its side files when those change, page by page."""

from collections.abc import Callable
from typing import Final

from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.errors import Invalid, NotFound
from groundwire.ports import Clock, Documents, SideTexts, SourceObjects
from groundwire.services.arrivals.places import Kind, place_of, source_path
from groundwire.services.arrivals.surroundings import Surroundings
from groundwire.services.arrivals.tasks import Beneath, FileNews, Follow, FollowUp
from groundwire.services.documents import DocumentCare

PAGE: Final = 200
"""Files in one piece of work: some seconds, so that the tenant's lock is free for others in between."""


class FollowBeneath:
    """The caller holds the tenant's lock, so that nothing is brought in under what was said before."""

    def __init__(
        self, sources: SourceObjects, texts: SideTexts, documents: Documents, care: DocumentCare, clock: Clock
    ) -> None:
        self._sources = sources
        self._texts = texts
        self._documents = documents
        self._care = care
        self._clock = clock

    def __call__(self, task: Beneath, is_spent: Callable[[], bool]) -> list[FollowUp]:
        """The next page follows; what remains beneath the folder is answered as the work to go on with."""
        paths = self._sources.beneath(task.tenant, task.folder, task.after, PAGE)
        around = Surroundings(task.tenant, self._sources, self._texts)
        ups: list[FollowUp] = []
        for number, path in enumerate(paths):
            if number and is_spent():
                return [*ups, _on(task, paths[number - 1])]
            if place_of(path).kind is Kind.DOCUMENT:
                ups += self._one(task, path, around)
        return [*ups, _on(task, paths[-1])] if len(paths) == PAGE else ups

    def _one(self, task: Beneath, path: str, around: Surroundings) -> list[FollowUp]:
        if task.follow is Follow.METADATA:
            return [FollowUp(FileNews(task.tenant, path, None, self._clock()))]
        place = place_of(path)
        known = self._documents.by_source_path(task.tenant, place.collection, source_path(task.tenant, path))
        if known is not None and known.policy_from_files:
            try:
                policy = around.nearest(path)
            except Invalid:
                # Who may read cannot be known, so nobody may, until the file can be understood.
                policy = NOBODY
            self._follow(task.tenant, known.doc_id, policy)
        return []

    def _follow(self, tenant: str, doc_id: str, policy: Policy) -> None:
        try:
            self._care.follow_policy(tenant, doc_id, policy)
        except NotFound:
            # It was deleted by its id meanwhile.
            return


def _on(task: Beneath, after: str) -> FollowUp:
    return FollowUp(Beneath(task.tenant, task.folder, task.follow, after))
