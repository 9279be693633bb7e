"""Rebuild of a tenant: the files that the parser did not read, or all of them, are queued again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.record import PARSER_CAUSES, Document, FailedStep
from groundwire.ports import Clock, Documents, SourceObjects, WorkQueue
from groundwire.services.ingest.source_objects.source_paths import SourceFileKind, classify_path, split_source_path
from groundwire.services.object_events.tasks import ObjectChanged, to_message

PAGE_SIZE: Final = 500
"""Number of records or paths that one page looks at."""
_FILES: Final = frozenset({SourceFileKind.DOCUMENT, SourceFileKind.UPLOAD})


@dataclass(frozen=True, slots=True)
class RebuildPage:
    """Result of one page.

    Attributes:
        queued: number of files that were queued.
        without_file: number of documents whose file is in no bucket.
        after: where the next page begins; None: there is none.
    """

    queued: int
    without_file: int
    after: str | None


def is_unread(document: Document) -> bool:
    """Return whether the parser did not read the latest file or an attachment of it, which is read with its mail."""
    refusal = document.ingestion.refusal
    is_unread_file = refusal is not None and refusal.cause in PARSER_CAUSES
    return document.parent is None and (is_unread_file or document.failed_step is FailedStep.ATTACHMENTS)


class TenantRebuild:
    """Sender of the tasks of a rebuild, page by page; a repeated page queues its files once more, which is harmless."""

    def __init__(self, documents: Documents, sources: SourceObjects, queue: WorkQueue, clock: Clock) -> None:
        self._documents = documents
        self._sources = sources
        self._queue = queue
        self._clock = clock

    def queue_unread(self, tenant: str, after: str) -> RebuildPage:
        """Queue the files of the documents that the parser did not read, after the document of this id.

        Raises:
            Unavailable: the registry or the queue does not respond; a repeat of the page queues its files.
        """
        page = self._documents.page_live(tenant, after or None, PAGE_SIZE)
        sources = [split_source_path(each.source_path or "") for each in page if is_unread(each)]
        paths = [source[1] for source in sources if source is not None and source[0] == tenant]
        self._send(tenant, paths)
        return RebuildPage(len(paths), len(sources) - len(paths), page[-1].doc_id if len(page) == PAGE_SIZE else None)

    def queue_all(self, tenant: str, after: str) -> RebuildPage:
        """Queue every file of the bucket after this path; errors are those of `queue_unread`.

        A file without a document stays out: its document was deleted, or its own event is still to come.
        """
        page = self._sources.list_subtree(tenant, "", after, PAGE_SIZE)
        paths = [path for path in page if classify_path(path).kind in _FILES]
        self._send(tenant, paths)
        return RebuildPage(len(paths), 0, page[-1] if len(page) == PAGE_SIZE else None)

    def _send(self, tenant: str, paths: Iterable[str]) -> None:
        now = self._clock()
        self._queue.send([to_message(ObjectChanged(tenant, path, None, now)) for path in paths], 0)
