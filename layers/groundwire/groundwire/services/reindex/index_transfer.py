"""Export and import of a tenant's index as a stream of documents, without parsing or embedding again."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput, Unavailable
from groundwire.ports import Documents, DocumentVersion, Indexes, ModelId, SegmentInput, VectorIndex
from groundwire.services.documents.reconcile import sync_index

DocumentProgress = Callable[[int, int], None]
"""Callback with the number of finished documents and of all documents."""


_PARTIAL: Final = (
    "The index does not have all passages of {} documents. New passages appear in a moment, so run the export again. "
    "If the message is the same then, ingest these documents again."
)


@dataclass(frozen=True, slots=True)
class IndexHeader:
    """Header of an index copy: its tenant and the model of its vectors."""

    tenant: str
    model: ModelId


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """Rows of one version of a document, without a policy: the registry has that.

    Attributes:
        rows: its passages.
        image_rows: its images; empty where their index has vectors of another model. The next ingestion of the document
            makes those that are missing.
    """

    version: DocumentVersion
    rows: Sequence[SegmentInput]
    image_rows: Sequence[SegmentInput] = ()


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of an import.

    Attributes:
        written: documents that were put into the index.
        already_present: documents that the index had already.
        unknown: documents that the registry does not have in this version, and that were left out.
    """

    written: int
    already_present: int
    unknown: int


class IndexTransfer:
    """Export and import of indexes while search and ingestion continue; a run continues where a killed one stopped.

    Args:
        sleep: waits for so many seconds.
    """

    def __init__(
        self, documents: Documents, indexes: Indexes, image_indexes: Indexes, sleep: Callable[[float], None]
    ) -> None:
        self._documents = documents
        self._indexes = indexes
        self._image_indexes = image_indexes
        self._sleep = sleep

    def header(self, tenant: str) -> IndexHeader:
        """Return the header of the tenant's live index."""
        return IndexHeader(tenant, self._indexes.for_tenant(tenant).model)

    def export(
        self, tenant: str, already_exported: Collection[DocumentVersion], progress: DocumentProgress
    ) -> Iterator[ExportedDocument]:
        """Yield the tenant's documents, except those that an earlier run `already_exported`.

        Raises:
            Unavailable: at the end, if the index does not show all rows of some documents.
        """
        index, partial = self._indexes.for_tenant(tenant), 0
        indexed = [each for each in self._documents.all(tenant, None) if each.state is DocumentState.INDEXED]
        for done, document in enumerate(indexed, start=1):
            version = _version(document)
            if version not in already_exported:
                rows, image_rows = read_rows(index, version), self._image_rows(tenant, document, index.model)
                if len(rows) < document.segments:
                    partial += 1
                else:
                    yield ExportedDocument(version, rows, image_rows)
            progress(done, len(indexed))
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
        """Write the documents of the copy into the index, with the policies that the registry has now.

        Raises:
            Conflict: the copy is of another tenant.
            InvalidInput: its vectors are of another model.
        """
        index = self._indexes.for_tenant(tenant)
        if header.tenant != tenant:
            raise Conflict(f"The copy is of the tenant {header.tenant}, not of {tenant}.")
        if header.model != index.model:
            raise InvalidInput(
                f"The copy has vectors of {header.model.name}, and the index has vectors of {index.model.name}.",
                remedy="rebuild_index",
            )
        progress(0, total)
        # Rows of a run that was just interrupted are not visible yet, and would be written twice.
        self._sleep(index.visible_after_seconds)
        written = present = unknown = 0
        for done, document in enumerate(exported, start=1):
            record = self._documents.read(tenant, [document.version.doc_id]).get(document.version.doc_id)
            if record is None or record.state is not DocumentState.INDEXED or _version(record) != document.version:
                unknown += 1
            elif index.count_version_rows(document.version) == len(document.rows):
                present += 1
            else:
                index.put(document.version, record.readers, document.rows, indexed_fields(record))
                self._import_images(tenant, record, document, header.model)
                self._sync_with_record(tenant, document.version.doc_id)
                written += 1
            progress(done, total)
        return ImportResult(written, present, unknown)

    def _sync_with_record(self, tenant: str, doc_id: str) -> None:
        """Apply concurrent changes and deletions of the document to its rows."""
        record = self._documents.read(tenant, [doc_id]).get(doc_id)
        for indexes in (self._indexes, self._image_indexes):
            if not indexes.exists(tenant):
                continue
            index = indexes.for_tenant(tenant)
            if record is None:
                index.prune(doc_id, None)
            else:
                # A running ingestion may be creating a later version.
                sync_index(index, record, record.version + 1)

    def _image_rows(self, tenant: str, document: Document, model: ModelId) -> Sequence[SegmentInput]:
        index = self._image_indexes.for_tenant(tenant) if document.images else None
        return () if index is None or index.model != model else read_rows(index, _version(document))

    def _import_images(self, tenant: str, record: Document, document: ExportedDocument, model: ModelId) -> None:
        index = self._image_indexes.for_tenant(tenant) if document.image_rows else None
        if index is not None and index.model == model:
            index.put(document.version, record.readers, document.image_rows, indexed_fields(record))


def read_rows(index: VectorIndex, version: DocumentVersion) -> list[SegmentInput]:
    """Return the rows of the version that are visible with their vectors."""
    vectors = index.vectors(version.doc_id)
    segments = [each for each in index.segments(version) if each.uid in vectors]
    return [SegmentInput(each, vectors[each.uid].passage, vectors[each.uid].windows) for each in segments]


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
