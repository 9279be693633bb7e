"""A tenant's index as a stream of documents, out of one engine and into another: nothing is read or embedded again."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput, Unavailable
from groundwire.ports import Documents, DocumentVersion, Indexes, ModelId, SegmentInput
from groundwire.services.reconcile import sync_index

DocumentProgress = Callable[[int, int], None]
"""Told how many documents are done, and of how many."""


_PARTIAL: Final = (
    "The index does not show {} documents whole: what is new is seen in a moment, so run the export again; "
    "documents for which this is said once more must be brought in again."
)


@dataclass(frozen=True, slots=True)
class IndexHeader:
    """Whose index it is, and whose vectors."""

    tenant: str
    model: ModelId


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """All rows of one version of a document; who may read it is for the registry to say."""

    version: DocumentVersion
    rows: Sequence[SegmentInput]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import came to.

    Attributes:
        written: documents that were put into the index. already_present: that it had already. unknown: that the registry does
            not know in this version, and that were left out.
    """

    written: int
    already_present: int
    unknown: int


class IndexTransfer:
    """Searching and ingesting go on meanwhile; killed at any moment, the next run goes on from there.

    Args:
        sleep: waits so many seconds.
    """

    def __init__(self, documents: Documents, indexes: Indexes, sleep: Callable[[float], None]) -> None:
        self._documents = documents
        self._indexes = indexes
        self._sleep = sleep

    def header(self, tenant: str) -> IndexHeader:
        """Of the tenant's index as it is now."""
        return IndexHeader(tenant, self._indexes.for_tenant(tenant).model)

    def export(
        self, tenant: str, already_exported: Collection[DocumentVersion], progress: DocumentProgress
    ) -> Iterator[ExportedDocument]:
        """The tenant's documents one by one, but for those that an earlier run `already_exported`.

        Raises:
            Unavailable: behind all others, for documents of which the index does not show every row.
        """
        index, partial = self._indexes.for_tenant(tenant), 0
        known = [each for each in self._documents.all(tenant, None) if each.state is DocumentState.INDEXED]
        for done, document in enumerate(known, start=1):
            version = _version(document)
            if version not in already_exported:
                vectors = index.vectors(document.doc_id)
                segments = [each for each in index.segments(version) if each.uid in vectors]
                rows = [SegmentInput(each, vectors[each.uid].passage, vectors[each.uid].windows) for each in segments]
                if len(rows) < document.segments:
                    partial += 1
                else:
                    yield ExportedDocument(version, rows)
            progress(done, len(known))
        if partial:
            raise Unavailable(_PARTIAL.format(partial), retry_after_s=index.visible_after_seconds)

    def import_documents(
        self,
        tenant: str,
        header: IndexHeader,
        exported: Iterable[ExportedDocument],
        total: int,
        progress: DocumentProgress,
    ) -> ImportResult:
        """Documents of the copy are in the index, under the policies that the registry has for them now.

        Raises:
            Conflict: the copy is of another tenant. Invalid: its vectors are of another model.
        """
        index = self._indexes.for_tenant(tenant)
        if header.tenant != tenant:
            raise Conflict(f"The copy is of the tenant {header.tenant}, not of {tenant}.")
        if header.model != index.model:
            raise InvalidInput(
                f"The copy has vectors of {header.model.name}, the index those of {index.model.name}: "
                "`groundwire reindex` changes a tenant's model."
            )
        progress(0, total)
        # What a run that was cut off a moment ago has written is not seen yet, and would be written twice.
        self._sleep(index.visible_after_seconds)
        written = present = unknown = 0
        for done, each in enumerate(exported, start=1):
            record = self._documents.read(tenant, [each.version.doc_id]).get(each.version.doc_id)
            if record is None or record.state is not DocumentState.INDEXED or _version(record) != each.version:
                unknown += 1
            elif index.count_version_rows(each.version) == len(each.rows):
                present += 1
            else:
                index.put(each.version, record.policy, each.rows, record.metadata)
                self._sync_with_record(tenant, each.version.doc_id)
                written += 1
            progress(done, total)
        return ImportResult(written, present, unknown)

    def _sync_with_record(self, tenant: str, doc_id: str) -> None:
        """Whoever changed or deleted the document meanwhile is right."""
        index = self._indexes.for_tenant(tenant)
        now = self._documents.read(tenant, [doc_id]).get(doc_id)
        if now is None:
            index.prune(doc_id, None)
        else:
            # A later version may be what an ingestion is making at this moment.
            sync_index(index, now, now.version + 1)


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
