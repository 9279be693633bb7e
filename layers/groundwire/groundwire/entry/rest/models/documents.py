"""Documents: policies and records."""

from typing import Annotated

from pydantic import Field

from groundwire.domain.documents import DocumentState
from groundwire.domain.limits import MAX_TAGS_PER_POLICY, MAX_USERS_PER_POLICY
from groundwire.entry.rest.models.form import Flag, Moment, Sent, Tag, Told, User

_PolicyTags = Annotated[list[Tag], Field(max_length=MAX_TAGS_PER_POLICY)]


class DateValue(Told):
    """A date in metadata."""

    date: str = Field(examples=["2024-05-31"])


MetadataValue = bool | float | str | list[str] | list[float] | DateValue


class PolicyBody(Sent):
    """Who may read: `public`, or a named user, or a holder of one of `any_tags` (if any) and of all of `all_tags`
    (if any). Every field is said; all empty admits nobody.
    """

    public: Flag
    users: list[User] = Field(max_length=MAX_USERS_PER_POLICY)
    any_tags: _PolicyTags
    all_tags: _PolicyTags


class PolicyRecord(Told):
    """Who may read."""

    public: bool
    users: list[str]
    any_tags: list[str]
    all_tags: list[str]


class SegmentRecord(Told):
    """A passage without its text, which answers quote."""

    ordinal: int
    uid: str
    page_first: int | None
    page_last: int | None
    pages: str | None
    heading_path: list[str]
    headline: str
    summary: str
    keywords: list[str]
    language: str
    characters: int


class DocumentRecord(Told):
    """Everything that the registry keeps of a document."""

    doc_id: str
    collection: str
    file: str
    title: str
    type: str
    language: str
    state: DocumentState
    reason: str | None = Field(description="Why its latest file was refused.")
    parent: str | None = Field(description="The document that carries it as an attachment.")
    segments: int
    windows: int
    pages: int | None
    pages_without_text: int
    version: int
    readers: str = Field(description="The policy in words.")
    policy: PolicyRecord
    policy_version: int
    metadata: dict[str, MetadataValue]
    source_path: str | None
    source_url: str | None
    content_hash: str
    recipe: str
    parser: str
    model: str
    timings: dict[str, float] = Field(description="Seconds by step.")
    size_bytes: int
    created_at: Moment
    updated_at: Moment


class DocumentWithPassages(DocumentRecord):
    """The record with the passages of the version that answers, where they were asked for."""

    passages: list[SegmentRecord] | None = None


class DocumentList(Told):
    """A page of documents, by id."""

    documents: list[DocumentRecord]
    next: str | None = Field(description="Cursor for `after`, which leads on; null: these were the last.")


class GoneDocument(Told):
    """A document that is gone."""

    doc_id: str
    file: str
