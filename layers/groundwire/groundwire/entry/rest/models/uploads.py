"""Uploads: tickets, and what became of the files."""

from typing import Annotated, Literal

from pydantic import Field

from groundwire.domain.limits import (
    MAX_DOCUMENT_BYTES,
    MAX_METADATA_FIELDS,
    MAX_NAME_CHARACTERS,
    MAX_SOURCE_URL_CHARACTERS,
)
from groundwire.entry.rest.models.documents import PolicyBody
from groundwire.entry.rest.models.form import CollectionName, DocId, Moment, Sent, Told

SaidValue = bool | float | str | list[str] | list[float]
Progress = Literal["awaiting", "queued", "parsing", "indexed", "refused"]


class UploadOrder(Sent):
    """A file that is to come; who may read it is said now."""

    collection: CollectionName
    file_name: str = Field(min_length=1, max_length=MAX_NAME_CHARACTERS, examples=["price list.pdf"])
    size: Annotated[int, Field(ge=1, le=MAX_DOCUMENT_BYTES, strict=True)] = Field(description="Exactly, in bytes.")
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(description="Of the content, hex, lower case.")
    policy: PolicyBody
    content_type: Annotated[str, Field(pattern=r"^[a-z0-9.+-]+/[a-z0-9.+-]+$", max_length=127)] = (
        "application/octet-stream"
    )
    doc_id: DocId | None = Field(default=None, description="Chosen, or of the document that gets a new version.")
    metadata: dict[str, SaidValue] = Field(default_factory=dict, max_length=MAX_METADATA_FIELDS)
    source_url: Annotated[str, Field(max_length=MAX_SOURCE_URL_CHARACTERS)] | None = Field(
        default=None,
        description="Where people open the document, http or https; unsaid: a link to the stored original. "
        "What Markdown or HTML could read as markup is percent-encoded.",
    )


class UploadTicket(Told):
    """Where the file goes: one `multipart/form-data` POST to `url`, with every one of `fields`, then `file`."""

    ticket: str
    doc_id: str
    url: str
    fields: dict[str, str]
    expires_at: Moment


class UploadRecord(Told):
    """What became of the file."""

    ticket: str
    doc_id: str
    state: Progress
    reason: str | None = Field(description="Why it was refused.")
    waiting_for: str | None = Field(description="What a queued file waits for: `another ingestion` of the tenant.")
    visible_after_seconds: int
