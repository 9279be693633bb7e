"""Bodies and answers of the routes about access."""

from typing import Annotated, Literal

from pydantic import Field

from groundwire.domain.documents.ids import MAX_UID_CHARACTERS
from groundwire.domain.limits import (
    DEFAULT_DOCUMENTS_PAGE,
    MAX_DOCUMENTS_PAGE,
    MAX_FILTER_CHARACTERS,
    MAX_PHRASES,
    MAX_TOP_N,
)
from groundwire.entry.rest.schema import (
    CeilingRecord,
    CollectionName,
    PolicyBody,
    PolicyRecord,
    RequestModel,
    ResponseModel,
    StrictInteger,
    Tag,
    Tags,
    User,
)

DocumentName = Annotated[
    str, Field(min_length=1, max_length=MAX_UID_CHARACTERS, description="Id of a document, or uid of a passage.")
]
KeyId = Annotated[str, Field(min_length=1, max_length=MAX_UID_CHARACTERS, description="Id of a key.")]
TagSets = Annotated[list[list[str]], Field(description="Sets of tags of which each one suffices.")]


class PersonBody(RequestModel):
    """A person: the user, tags and key of a call. Without tags, those count that are stored for the user."""

    user: User | None = None
    tags: Tags | None = None
    kid: KeyId | None = None


class AccessQuestion(PersonBody):
    """A person and a document."""

    document: DocumentName


class ReadersQuestion(RequestModel):
    """A document."""

    document: DocumentName


class DocumentsQuestion(PersonBody):
    """A person, and the part of the list to return."""

    collection: CollectionName | None = None
    after: str | None = Field(default=None, description="Value of `next` of the part before.")
    limit: Annotated[StrictInteger, Field(ge=1, le=MAX_DOCUMENTS_PAGE)] = DEFAULT_DOCUMENTS_PAGE


class ChangeQuestion(RequestModel):
    """A change with its members.

    `policy`: `document`, `policy`. `tags`: `user`, `tags`. `group`: `group`, `tags`. `max_tags`: `kid`, `max_tags`.
    `block`: `user`.
    """

    change: Literal["policy", "tags", "group", "max_tags", "block"]
    document: DocumentName | None = None
    policy: PolicyBody | None = None
    user: User | None = None
    group: str | None = None
    kid: KeyId | None = None
    tags: Tags | None = None
    max_tags: list[Tag] | None = None


class SearchQuestionBody(AccessQuestion):
    """A person, a document, and a search that does not show it."""

    phrases: list[Annotated[str, Field(min_length=1)]] = Field(
        min_length=1, max_length=MAX_PHRASES, description="The question, then other wordings of it."
    )
    collections: list[CollectionName] | None = None
    where: str | None = Field(default=None, max_length=MAX_FILTER_CHARACTERS)
    top_n: Annotated[StrictInteger, Field(ge=1, le=MAX_TOP_N)] | None = None
    min_relevance: Annotated[float, Field(ge=0, le=1)] | None = None


class PersonRecord(ResponseModel):
    """The person, as a call would have it."""

    user: str | None
    tags: list[str] = Field(description="Tags that count.")
    tags_from: str | None = Field(description="Source of the tags: `call`, `entry`, `key` or `token`; null: given.")
    tags_ignored: int = Field(description="Number of tags that give no right.")
    kid: str | None
    blocked: bool | None = Field(description="Whether the user is blocked; null: not for this key.")
    refused: str | None = Field(description="Why every call of the person is refused; null: it is not.")


class DocumentSummary(ResponseModel):
    """A document."""

    doc_id: str
    collection: str
    file: str
    title: str
    state: str


class AccessAnswer(ResponseModel):
    """Decision whether a person may read a document, with its reason and what would change it."""

    allowed: bool
    reason: str = Field(description="The first rule that decides.")
    person: PersonRecord
    document: DocumentSummary
    readers: str = Field(description="Readers of the document in one line.")
    policy: PolicyRecord
    policy_source: str = Field(description="Source of the policy: `option`, `file`, `manual` or `unknown`.")
    policy_reason: str = Field(description="What the declared policy alone decides.")
    ceiling: CeilingRecord | None
    ceiling_reason: str | None = Field(description="What the ceiling alone decides; null without one.")
    needed_tags: list[str] = Field(description="Tags of the person without each of which there would be no access.")
    needs_user: bool = Field(description="Whether there would be no access without the name of the user.")
    missing_tags: TagSets = Field(description="Sets of tags of which each one, in addition, would give access.")


class PassageInSearch(ResponseModel):
    """A passage of a search."""

    segment_uid: str
    doc_id: str
    relevance: float | None


class SearchOutcomeAnswer(ResponseModel):
    """Outcome of a search for one document."""

    outcome: str = Field(description="The step at which it fell away, or `shown`.")
    rank: int | None = Field(description="Rank of its best passage among those that the person may read.")
    passage: PassageInSearch | None
    shown_in_place: PassageInSearch | None = Field(description="Passage with nearly the same text that is shown.")
    access: AccessAnswer


class UserReaderRecord(ResponseModel):
    """A user who can read the document."""

    user: str
    reason: str = Field(description="The clause that admits the user.")
    blocked: bool | None


class KeyReaderRecord(ResponseModel):
    """A key whose calls can read the document."""

    kid: str
    name: str
    kind: str
    user: str | None
    acts_as: str = Field(description="`own_user`, or `named_user`: users and tags that its calls name.")
    blocked: bool | None = Field(description="Whether its own user is blocked; null: it has none, or not for this key.")


class ReadersAnswer(ResponseModel):
    """Readers of a document, and the keys by which they call."""

    document: DocumentSummary
    everyone: bool = Field(description="Whether every user of the tenant can.")
    tag_sets: TagSets
    named_users: list[str] = Field(description="Users whom the readers name.")
    users: list[UserReaderRecord] | None = Field(
        description="These, and users by their stored tags; null: not for this key."
    )
    groups: list[str] | None = Field(description="Mapped groups whose tags suffice; null: not for this key.")
    keys: list[KeyReaderRecord] = Field(description="Keys in force.")
    complete: bool


class ReadableDocument(DocumentSummary):
    """A document that the person can read."""

    reason: str


class DocumentsAnswer(ResponseModel):
    """A part of the documents that a person can read, by id."""

    person: PersonRecord
    documents: list[ReadableDocument]
    next: str | None = Field(description="Value of `after` for the next part; null: there are no more.")


class ChangedCounts(ResponseModel):
    """Numbers of all users, groups and keys on one side of a change alone."""

    users: int | None
    groups: int | None
    keys: int


class ChangedReaders(ResponseModel):
    """Readers of a document on one side of a change alone."""

    tag_sets: TagSets
    named_users: list[str]
    users: list[str] | None = Field(description="The first ones; `counts` has all. Null: not for this key.")
    groups: list[str] | None
    keys: list[str] = Field(description="Ids of keys.")
    counts: ChangedCounts


class ReadersEffectAnswer(ResponseModel):
    """Effect of a change on the readers of a document."""

    document: DocumentSummary
    everyone_before: bool
    everyone_after: bool
    added: ChangedReaders
    removed: ChangedReaders
    complete: bool


class ChangedDocuments(ResponseModel):
    """Documents on one side of a change alone."""

    count: int
    collections: dict[str, int] = Field(description="Number of the documents by collection.")
    documents: list[DocumentSummary] = Field(description="The first of them, by id.")


class DocumentsEffectAnswer(ResponseModel):
    """Effect of a change on the documents that somebody can read."""

    added: ChangedDocuments
    removed: ChangedDocuments
    complete: bool
