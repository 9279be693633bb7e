"""Rows of an earlier form, as the release before stored them: without fields for filters."""

from groundwire.domain.access.policy import single_policy
from groundwire.domain.documents.record import Document
from groundwire.ports import DocumentVersion, SegmentInput, VectorIndex


def put_as_before(index: VectorIndex, record: Document) -> None:
    """Store the document's rows in their earlier form."""
    version, vectors = DocumentVersion(record.doc_id, record.version), index.vectors(record.doc_id)
    rows = [
        SegmentInput(each, vectors[each.uid].passage, vectors[each.uid].windows) for each in index.segments(version)
    ]
    index.put(version, single_policy(record.policy), rows, record.metadata)
