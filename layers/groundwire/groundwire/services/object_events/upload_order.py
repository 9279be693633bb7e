"""Order of an upload and an explicit deletion at the same path, from S3's times in whole seconds."""

from enum import StrEnum
from typing import Final

from groundwire.domain.documents.record import Document, Refusal, RefusalCause

UPLOADED_IN_SECOND_OF_DELETION: Final = Refusal(
    RefusalCause.UPLOAD_ORDER,
    "the file was uploaded in the same second in which its document was deleted: upload it again",
)
"""Refusal of a file that was put in the second of its document's deletion."""
_S3_CLOCK_RESOLUTION_SECONDS: Final = 1.0
"""Resolution of S3's times: whole seconds, rounded down."""


class UploadDecision(StrEnum):
    """Decision whether to ingest a file."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def is_upload_order_unknown(document: Document | None) -> bool:
    """Return whether the record only states that the order of upload and deletion is unknown."""
    refusal = None if document is None else document.ingestion.refusal
    return refusal is not None and refusal.cause is RefusalCause.UPLOAD_ORDER


def decide_upload(document: Document | None, deleted_at: float, uploaded_at: float) -> UploadDecision:
    """Decide, for a file without an indexed version, from its upload time in S3 and the last deletion at its path."""
    if deleted_at < uploaded_at:
        return UploadDecision.YES
    if deleted_at < uploaded_at + _S3_CLOCK_RESOLUTION_SECONDS:
        return UploadDecision.UNCLEAR
    return UploadDecision.NO if document is None or is_upload_order_unknown(document) else UploadDecision.YES


def latest_upload_time(uploaded_at: float) -> float:
    """Return the latest time at which the file may have been put."""
    return uploaded_at + _S3_CLOCK_RESOLUTION_SECONDS
