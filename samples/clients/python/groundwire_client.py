"""Client of Groundwire's REST API. `python -m tools.rest_clients` writes this file.

Copy the file. It needs Python 3.11 and no other package. A failed call raises `ApiError`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class AccessAnswer(TypedDict):
    """Decision whether a person may read a document, with its reason and what would change it."""

    allowed: bool
    reason: str
    person: PersonRecord
    document: DocumentSummary
    readers: str
    policy: PolicyRecord
    policy_source: str
    policy_reason: str
    ceiling: CeilingRecord | None
    ceiling_reason: str | None
    needed_tags: list[str]
    needs_user: bool
    missing_tags: list[list[str]]


class AccessQuestion(TypedDict):
    """A person and a document."""

    user: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    kid: NotRequired[str | None]
    document: str


class AuditList(TypedDict):
    """A part of the lines of the tenant, the latest first."""

    rows: list[AuditRow]
    next: str | None
    complete: bool


class AuditRow(TypedDict):
    """A line of the audit log: a call, or a change by a command or an ingestion."""

    time: str | None
    call: str | None
    content: Literal["original"] | Literal["passages"] | None
    documents: list[str]
    user: str | None
    user_by: str | None
    kid: str | None
    operator: str | None
    decision: str | None
    outcome: str | None
    reason: str | None
    status: int | None
    passages: int | None
    request_id: str | None
    trace: str | None
    duration_ms: float | None
    details: dict[str, object]


class AuditVerification(TypedDict):
    """Verification of a part of the log's chain, which has the lines of every tenant."""

    intact: bool
    lines: int
    problem: str | None
    next: str | None


class BlockList(TypedDict):
    """Blocked users, the earliest block first."""

    users: list[BlockRecord]


class BlockOrder(TypedDict):
    """Users to block."""

    users: list[str]
    decision_reason: NotRequired[str]


class BlockPage(TypedDict):
    """A page of the blocked users, the earliest block first."""

    users: list[BlockRecord]
    next: str | None


class BlockRecord(TypedDict):
    """A blocked user, and who decided so."""

    user: str
    decided_by: str | None
    decided_at: str
    decided_key: str | None
    decision_reason: str | None


class CallerList(TypedDict):
    """Callers in a part of the log, the latest first."""

    callers: list[CallerRecord]
    next: str | None


class CallerRecord(TypedDict):
    """Calls of one user with one key and one set of tags."""

    user: str | None
    user_by: Literal["token"] | None
    kid: str
    tags: list[str] | None
    tags_hash: str
    calls: int
    last_call: str


class CeilingRecord(TypedDict):
    """Ceiling of a document, with the decision of the person who set it."""

    policy: PolicyRecord
    decided_by: str | None
    decided_at: str
    decided_key: str | None
    decision_reason: str | None


class ChangeQuestion(TypedDict):
    """A change with its members. `policy`: `document`, `policy`. `tags`: `user`, `tags`. `group`: `group`,
    `tags`. `max_tags`: `kid`, `max_tags`. `block`: `user`.
    """

    change: Literal["policy"] | Literal["tags"] | Literal["group"] | Literal["max_tags"] | Literal["block"]
    document: NotRequired[str | None]
    policy: NotRequired[PolicyBody | None]
    user: NotRequired[str | None]
    group: NotRequired[str | None]
    kid: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    max_tags: NotRequired[list[str] | None]


class ChangedCounts(TypedDict):
    """Numbers of all users, groups and keys on one side of a change alone."""

    users: int | None
    groups: int | None
    keys: int


class ChangedDocuments(TypedDict):
    """Documents on one side of a change alone."""

    count: int
    collections: dict[str, int]
    documents: list[DocumentSummary]


class ChangedReaders(TypedDict):
    """Readers of a document on one side of a change alone."""

    tag_sets: list[list[str]]
    named_users: list[str]
    users: list[str] | None
    groups: list[str] | None
    keys: list[str]
    counts: ChangedCounts


class CheckList(TypedDict):
    """The checks of the tenant within the bounds of the key."""

    checks: list[CheckRecord]


class CheckRecord(TypedDict):
    """A check of the tenant; one check can have several records."""

    name: str
    status: CheckStatus
    message: str
    remedy: str | None

CheckStatus = Literal["ok"] | Literal["warning"] | Literal["failed"]


class Citations(TypedDict):
    """Permission of a model to cite the block."""

    enabled: bool


class ClaimProblem(TypedDict):
    """A claim for which a token names nobody."""

    claim: str
    rule: str


class CollectionList(TypedDict):
    """Collections of the key, by name; without the scope `admin`, names of those in which it manages a document."""

    collections: list[CollectionRecord]


class CollectionRecord(TypedDict):
    """A collection; `documents` is the number of those that the key manages."""

    name: str
    documents: int
    bm25_weight: float | None
    language: str | None
    description: str | None
    floor: NotRequired[float | None]
    policy_authority: NotRequired[PolicyAuthority]
    no_originals: NotRequired[bool]


class CollectionSettings(TypedDict):
    """Properties of a collection; absent ones do not change, or have their default in a new collection."""

    bm25_weight: NotRequired[float | None]
    language: NotRequired[str | None]
    description: NotRequired[str | None]
    floor: NotRequired[float | Literal["auto"] | None]
    policy_authority: NotRequired[PolicyAuthority | None]
    no_originals: NotRequired[bool | None]


class DateValue(TypedDict):
    """A date in metadata."""

    date: str


class DeletedEvaluation(TypedDict):
    """The evaluation that was deleted."""

    id: str


class DeletionList(TypedDict):
    """A page of deleted documents, by id."""

    documents: list[DeletionRecord]
    next: str | None


class DeletionRecord(TypedDict):
    """A deleted document, which no ingestion brings back until it is restored."""

    doc_id: str
    collection: str
    file: str
    parent: str | None
    decided_by: str | None
    decided_key: str | None
    decided_at: str | None
    decision_reason: str | None


class DescriptionProposal(TypedDict):
    """A proposed description; null if the collection has no public document."""

    name: str
    description: str | None


class DialectAnswer(TypedDict):
    """What a client of the dialect sends and gets for the question."""

    dialect: str
    request: DialectRequest
    status: int
    answer: dict[str, object]


class DialectQuestion(TypedDict):
    """A question for a dialect."""

    dialect: str
    question: str
    collection: str
    top_n: NotRequired[int]


class DialectRequest(TypedDict):
    """The request that a client of the dialect sends, without its credential."""

    method: str
    path: str
    body: dict[str, object]


class DifferenceRecord(TypedDict):
    """nDCG@10 of one question in both evaluations."""

    id: str
    text: str
    before: float
    after: float


class DocumentList(TypedDict):
    """A page of documents, by id."""

    documents: list[DocumentRecord]
    next: str | None


class DocumentRecord(TypedDict):
    """Record of a document."""

    doc_id: str
    collection: str
    file: str
    title: str
    type: str
    language: str
    state: DocumentState
    reason: str | None
    parent: str | None
    segments: int
    windows: int
    images: int
    defects: dict[str, int]
    failed_step: str | None
    pages: int | None
    pages_without_text: int
    version: int
    readers: str
    policy: PolicyRecord
    ceiling: CeilingRecord | None
    policy_version: int
    policy_source: str
    metadata: dict[str, bool | float | str | list[str] | list[float] | DateValue]
    contributed_by: str | None
    contributed_key: str | None
    source_path: str | None
    source_url: str | None
    content_hash: str
    recipe: str
    parser: str
    model: str
    timings: dict[str, float]
    size_bytes: int
    created_at: str
    updated_at: str

DocumentState = Literal["queued"] | Literal["parsing"] | Literal["waiting"] | Literal["failed"] | Literal["indexed"] | Literal["refused"] | Literal["deleting"] | Literal["deleted"]


class DocumentSummary(TypedDict):
    """A document."""

    doc_id: str
    collection: str
    file: str
    title: str
    state: str


class DocumentWithPassages(TypedDict):
    """Record of a document, with passages if the call has `segments=true`."""

    doc_id: str
    collection: str
    file: str
    title: str
    type: str
    language: str
    state: DocumentState
    reason: str | None
    parent: str | None
    segments: int
    windows: int
    images: int
    defects: dict[str, int]
    failed_step: str | None
    pages: int | None
    pages_without_text: int
    version: int
    readers: str
    policy: PolicyRecord
    ceiling: CeilingRecord | None
    policy_version: int
    policy_source: str
    metadata: dict[str, bool | float | str | list[str] | list[float] | DateValue]
    contributed_by: str | None
    contributed_key: str | None
    source_path: str | None
    source_url: str | None
    content_hash: str
    recipe: str
    parser: str
    model: str
    timings: dict[str, float]
    size_bytes: int
    created_at: str
    updated_at: str
    passages: NotRequired[list[SegmentRecord] | None]
    next_passage: NotRequired[int | None]


class DocumentsAnswer(TypedDict):
    """A part of the documents that a person can read, by id."""

    person: PersonRecord
    documents: list[ReadableDocument]
    next: str | None


class DocumentsEffectAnswer(TypedDict):
    """Effect of a change on the documents that somebody can read."""

    added: ChangedDocuments
    removed: ChangedDocuments
    complete: bool


class DocumentsQuestion(TypedDict):
    """A person, and the part of the list to return."""

    user: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    kid: NotRequired[str | None]
    collection: NotRequired[str | None]
    after: NotRequired[str | None]
    limit: NotRequired[int]


class ErrorAnswer(TypedDict):
    """The answer of a call that failed."""

    error: Fault


class EstimateRecord(TypedDict):
    """A mean over questions with its 95 % interval."""

    mean: float
    low: float
    high: float


class EvaluationAnswer(TypedDict):
    """An evaluation with the results of its questions."""

    evaluation: EvaluationRecord
    per_question: list[QuestionRecord]


class EvaluationBody(TypedDict):
    """Questions of a new evaluation, and the documents that are searched."""

    name: str
    collection: NotRequired[str | None]
    questions: list[EvaluationQuestion]


class EvaluationComparison(TypedDict):
    """Differences of nDCG@10 between an evaluation and an earlier one, over the questions of both."""

    evaluation: str
    earlier: str
    questions: int
    unmatched: int
    change: EstimateRecord
    p: float
    better: int
    worse: int
    equal: int
    differences: list[DifferenceRecord]
    gate: GateRecord | None


class EvaluationList(TypedDict):
    """The last evaluations of the tenant, the latest first."""

    evaluations: list[EvaluationRecord]


class EvaluationQuestion(TypedDict):
    """A question, searched with the rights of a user and tags, and the documents that answer it."""

    id: str
    text: str
    user: NotRequired[str | None]
    tags: NotRequired[list[str]]
    relevant: dict[str, int]


class EvaluationRecord(TypedDict):
    """A stored evaluation."""

    id: str
    created_at: str | None
    name: str
    qrels: str
    operator: str | None
    collection: str | None
    model: str
    documents: int
    segments: int
    bm25_weight: float | None
    questions: int
    rows: list[MethodRecord]


class Fault(TypedDict):
    """An error with its remedy."""

    code: Literal["invalid"] | Literal["refused"] | Literal["unauthenticated"] | Literal["denied"] | Literal["not_found"] | Literal["conflict"] | Literal["too_much"] | Literal["unavailable"] | Literal["failed"]
    message: str
    retry_after_s: NotRequired[int | None]


class GateRecord(TypedDict):
    """Decision whether the mean lost more than it may."""

    max_loss: float
    passed: bool


class GoneCollection(TypedDict):
    """A deleted collection, with the number of its documents."""

    name: str
    documents: int


class GoneDocument(TypedDict):
    """A deleted document."""

    doc_id: str
    file: str


class GoneGroup(TypedDict):
    """A group whose mapping was deleted."""

    group: str


class GoneUser(TypedDict):
    """A user whose stored tags were deleted."""

    user: str


class GroupEntry(TypedDict):
    """Tags to give a group."""

    tags: list[str]
    new_tags: NotRequired[bool]


class GroupList(TypedDict):
    """The mapping of the tenant, by group."""

    groups: list[GroupRecord]


class GroupOutcome(TypedDict):
    """Tag that a group of a token gives, and whether it counts."""

    group: str
    tag: str | None
    mapped_by: MappingOrigin | None
    outcome: TagOutcome


class GroupRecord(TypedDict):
    """A group with the tags that it gives."""

    group: str
    tags: list[str]


class Identity(TypedDict):
    """Identity and rights of a call: its key, and whom the key acts for."""

    tenant: str
    kid: str
    name: str | None
    kind: Literal["personal"] | Literal["act_as"] | Literal["oauth"]
    expires_at: str | None
    scopes: list[Scope]
    administrator: bool
    bounded: bool
    collections: Literal["every"] | list[str]
    dialects: list[str] | None
    user: str | None
    tags: list[str]
    tags_from: str | None
    tags_ignored: int


class IngestionList(TypedDict):
    """The last runs within the key's collections, the latest first, and the documents that wait."""

    ingestions: list[IngestionRecord]
    pending: PendingDocuments


class IngestionRecord(TypedDict):
    """A run of `groundwire ingest`."""

    id: str
    collection: str
    started_at: str | None
    updated_at: str | None
    operator: str | None
    state: Literal["running"] | Literal["done"] | Literal["cancelled"] | Literal["interrupted"] | Literal["failed"] | Literal["killed"]
    files: int
    files_done: int
    counts: dict[str, int]
    cancel_requested: bool


class IssuedKey(TypedDict):
    """A key with its secret, which no later answer contains."""

    kid: str
    name: str
    kind: KeyKind
    user: str | None
    tags: list[str]
    max_tags: list[str]
    strict_tags: bool
    scopes: list[Scope]
    collections: Literal["every"] | list[str]
    top_n: int
    expand_tokens: int
    max_tokens: int
    toolset: str
    dialects: NotRequired[list[str]]
    floor: NotRequired[float | None]
    split_first_phrase: NotRequired[bool]
    require_user: NotRequired[bool]
    no_originals: NotRequired[bool]
    may_search_as: NotRequired[bool]
    sources: NotRequired[bool]
    rate_per_minute: int
    burst: int
    created_at: str
    expires_at: str | None
    previous_until: str | None
    last_used: str | None
    revoked: bool
    created_by: NotRequired[str | None]
    created_with: NotRequired[str | None]
    rotated_by: NotRequired[str | None]
    rotated_with: NotRequired[str | None]
    key: str | None


class KeyChangeOrder(TypedDict):
    """Changes of a key; a field that is missing keeps its value. The secret and the options stay."""

    name: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    max_tags: NotRequired[list[str] | None]
    scopes: NotRequired[list[Scope] | None]
    collections: NotRequired[Literal["every"] | list[str] | None]
    rate_per_minute: NotRequired[int | None]
    burst: NotRequired[int | None]
    expires_in_days: NotRequired[int | Literal["never"] | None]
    new_tags: NotRequired[bool]

KeyKind = Literal["personal"] | Literal["act_as"] | Literal["oauth"]


class KeyList(TypedDict):
    """A page of the keys, by creation time."""

    keys: list[KeyRecord]
    next: str | None


class KeyOrder(TypedDict):
    """A key to create; kind, scopes and collections have no defaults."""

    name: str
    kind: KeyKind
    scopes: list[Scope]
    collections: Literal["every"] | list[str]
    user: NotRequired[str | None]
    tags: NotRequired[list[str]]
    max_tags: NotRequired[list[str]]
    strict_tags: NotRequired[bool]
    top_n: NotRequired[int]
    expand_tokens: NotRequired[int]
    max_tokens: NotRequired[int]
    toolset: NotRequired[str]
    dialects: NotRequired[list[str] | None]
    floor: NotRequired[float | None]
    split_first_phrase: NotRequired[bool]
    require_user: NotRequired[bool]
    no_originals: NotRequired[bool]
    may_search_as: NotRequired[bool]
    sources: NotRequired[bool]
    rate_per_minute: NotRequired[int]
    burst: NotRequired[int]
    expires_in_days: NotRequired[int | Literal["never"]]
    new_tags: NotRequired[bool]


class KeyReaderRecord(TypedDict):
    """A key whose calls can read the document."""

    kid: str
    name: str
    kind: str
    user: str | None
    acts_as: str
    blocked: bool | None


class KeyRecord(TypedDict):
    """A key without its secret."""

    kid: str
    name: str
    kind: KeyKind
    user: str | None
    tags: list[str]
    max_tags: list[str]
    strict_tags: bool
    scopes: list[Scope]
    collections: Literal["every"] | list[str]
    top_n: int
    expand_tokens: int
    max_tokens: int
    toolset: str
    dialects: NotRequired[list[str]]
    floor: NotRequired[float | None]
    split_first_phrase: NotRequired[bool]
    require_user: NotRequired[bool]
    no_originals: NotRequired[bool]
    may_search_as: NotRequired[bool]
    sources: NotRequired[bool]
    rate_per_minute: int
    burst: int
    created_at: str
    expires_at: str | None
    previous_until: str | None
    last_used: str | None
    revoked: bool
    created_by: NotRequired[str | None]
    created_with: NotRequired[str | None]
    rotated_by: NotRequired[str | None]
    rotated_with: NotRequired[str | None]

MappingOrigin = Literal["tenant"] | Literal["file"]


class MethodRecord(TypedDict):
    """Means of one ranking method over the questions."""

    ranked_by: str
    ndcg_at_10: EstimateRecord
    recall_at_100: EstimateRecord
    mrr_at_10: EstimateRecord


class MonthRecord(TypedDict):
    """Counts of the calls of one month."""

    month: str
    calls: dict[str, int]
    refused: int
    passages: int
    originals: int


class NewEvaluation(TypedDict):
    """A new evaluation with the results of its questions."""

    evaluation: EvaluationRecord
    per_question: list[QuestionRecord]
    unknown: list[str]


class NewTagList(TypedDict):
    """Tags of the request that nobody has, by name."""

    new: list[NewTagRecord]
    complete: bool


class NewTagRecord(TypedDict):
    """A tag that nobody has."""

    tag: str
    meant: str | None


class OffboardingOrder(TypedDict):
    """All ids of one person who leaves."""

    users: list[str]
    decision_reason: NotRequired[str]
    revoke_created: NotRequired[bool]


class PassageInSearch(TypedDict):
    """A passage of a search."""

    segment_uid: str
    doc_id: str
    relevance: float | None


class PassageRecord(TypedDict):
    """A passage: a quotation from a document, never an instruction."""

    segment_uid: str
    doc_id: str
    collection: str
    source_file_name: str
    heading_path: list[str]
    page_first: int | None
    page_last: int | None
    headline: str
    summary: str
    relevance: float | None
    also_in: list[str]
    also_in_files: list[str]
    text: str
    source_url: str | None
    score: NotRequired[float | None]
    why: NotRequired[Why | None]
    access: NotRequired[Visibility | None]


class PendingDocuments(TypedDict):
    """Numbers of documents whose content no reader has read yet, those of uploads included."""

    queued: int
    parsing: int
    waiting: int
    failed: int


class PersonBody(TypedDict):
    """A person: the user, tags and key of a call. Without tags, those count that are stored for the user."""

    user: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    kid: NotRequired[str | None]


class PersonRecord(TypedDict):
    """The person, as a call would have it."""

    user: str | None
    tags: list[str]
    tags_from: str | None
    tags_ignored: int
    kid: str | None
    blocked: bool | None
    refused: str | None


class PhraseView(TypedDict):
    """Scores of a passage for one phrase."""

    phrase: str
    bm25: float
    bm25_rank: int | None
    vector: float
    vector_rank: int | None
    passage_similarity: float | None
    best_window: str | None
    share: float

PolicyAuthority = Literal["people"] | Literal["files"]


class PolicyBody(TypedDict):
    """Readers of a document: all users if `public`, the named users, and users by tags. A user by tags has one
    of `any_tags`, if there are any, and all of `all_tags`. Send every field. Without any value, nobody can
    read the document.
    """

    public: bool
    users: list[str]
    any_tags: list[str]
    all_tags: list[str]


class PolicyOrder(TypedDict):
    """Readers of a document; `new_tags` accepts a tag that resembles one in use."""

    public: bool
    users: list[str]
    any_tags: list[str]
    all_tags: list[str]
    new_tags: NotRequired[bool]
    until_next_run: NotRequired[bool]


class PolicyRecord(TypedDict):
    """Readers of a document."""

    public: bool
    users: list[str]
    any_tags: list[str]
    all_tags: list[str]


class PolicyTagList(TypedDict):
    """Tags that policies use."""

    tags: list[str]
    complete: bool


class QuestionRecord(TypedDict):
    """Result of one question."""

    id: str
    text: str
    scores: dict[str, QuestionScoresRecord]
    top: list[str]


class QuestionScoresRecord(TypedDict):
    """Scores of one question with one ranking method."""

    ndcg_at_10: float
    recall_at_100: float
    mrr_at_10: float


class Ranks(TypedDict):
    """Rank of a passage after each step; null: no such step."""

    fused: int | None
    admitted: int | None
    distinct: int | None
    reranked: int | None


class ReadableDocument(TypedDict):
    """A document that the person can read."""

    doc_id: str
    collection: str
    file: str
    title: str
    state: str
    reason: str


class ReadersAnswer(TypedDict):
    """Readers of a document, and the keys by which they call."""

    document: DocumentSummary
    everyone: bool
    tag_sets: list[list[str]]
    named_users: list[str]
    users: list[UserReaderRecord] | None
    groups: list[str] | None
    keys: list[KeyReaderRecord]
    complete: bool


class ReadersEffectAnswer(TypedDict):
    """Effect of a change on the readers of a document."""

    document: DocumentSummary
    everyone_before: bool
    everyone_after: bool
    added: ChangedReaders
    removed: ChangedReaders
    complete: bool


class ReadersQuestion(TypedDict):
    """A document."""

    document: str


class Receipt(TypedDict):
    """Rights that ended with a user, and those that remain to be checked."""

    users: list[BlockRecord]
    revoked_keys: list[ReceiptKey]
    created_keys: list[ReceiptKey]
    keys_without_creator: int
    keys_without_user: list[ReceiptKey]
    removed_tags: list[UserRecord]
    documents: list[ReceiptDocument]
    sources: list[ReceiptSource]


class ReceiptDocument(TypedDict):
    """A document whose readers name the user."""

    doc_id: str
    collection: str
    file: str
    named_in: list[str]


class ReceiptKey(TypedDict):
    """A key in a receipt."""

    kid: str
    name: str
    kind: KeyKind
    user: str | None
    revoked: bool


class ReceiptSource(TypedDict):
    """An MCP source whose policies name the user."""

    id: str
    name: str


class RenameOrder(TypedDict):
    """A tag to rename."""

    tag: str
    new_tag: str
    merge: NotRequired[bool]
    plan: NotRequired[bool]


class RenameResult(TypedDict):
    """Uses that the renaming changes."""

    tag: str
    new_tag: str
    documents: int
    deleted_documents: int
    users: int
    keys: int
    max_tags: int
    groups: int
    sources: int
    from_policy_files: int
    new_tag_in_use: bool


class Rotation(TypedDict):
    """Rotation of a key."""

    overlap_hours: NotRequired[int]

Scope = Literal["search"] | Literal["verify"] | Literal["act_as"] | Literal["ingest"] | Literal["share"] | Literal["admin"]


class SearchAnswer(TypedDict):
    """Passages, best first, with the steps of the search if `explain` is true."""

    passages: list[PassageRecord]
    notice: str | None
    phrases: NotRequired[list[str] | None]
    phrases_cut: NotRequired[list[int] | None]
    filter: NotRequired[str | None]
    bm25_weights: NotRequired[dict[str, float] | None]
    steps: NotRequired[Steps | None]
    tags_ignored: NotRequired[int | None]


SearchBody = TypedDict(
    "SearchBody",
    {
        "phrases": "list[str]",
        "top_n": "NotRequired[int | None]",
        "collections": "NotRequired[list[str] | None]",
        "where": "NotRequired[str | None]",
        "min_relevance": "NotRequired[float | None]",
        "explain": "NotRequired[bool]",
        "as": "NotRequired[PersonBody | None]",
    },
)


class SearchOutcomeAnswer(TypedDict):
    """Outcome of a search for one document."""

    outcome: str
    rank: int | None
    passage: PassageInSearch | None
    shown_in_place: PassageInSearch | None
    access: AccessAnswer


class SearchQuestionBody(TypedDict):
    """A person, a document, and a search that does not show it."""

    user: NotRequired[str | None]
    tags: NotRequired[list[str] | None]
    kid: NotRequired[str | None]
    document: str
    phrases: list[str]
    collections: NotRequired[list[str] | None]
    where: NotRequired[str | None]
    top_n: NotRequired[int | None]
    min_relevance: NotRequired[float | None]


class SearchResultAnswer(TypedDict):
    """Passages as `search_result` blocks, best first."""

    content: list[SearchResultBlock]
    notice: str | None


class SearchResultBlock(TypedDict):
    """A passage as content of a tool result or a message of Anthropic's Messages API."""

    type: Literal["search_result"]
    source: str
    title: str
    content: list[TextBlock]
    citations: Citations


class SegmentRecord(TypedDict):
    """A passage; it has content if the key may search and its user may read the document."""

    ordinal: int
    uid: str
    page_first: int | None
    page_last: int | None
    pages: str | None
    heading_path: list[str]
    headline: str | None
    summary: str | None
    keywords: list[str]
    language: str
    characters: int
    text: str | None
    raw_values: list[str]
    windows: list[str] | None
    source_url: str | None


class SignedIn(TypedDict):
    """A page session; its secret is in the cookie alone."""

    expires_at: str


class SignedOut(TypedDict):
    """The end of a page session."""

    signed_out: bool


class Status(TypedDict):
    """State of the service for this key."""

    version: str
    tenant: str
    documents: dict[str, int] | None
    visible_after_seconds: int


class Steps(TypedDict):
    """Number of passages that the caller may read, after each step."""

    candidates: int
    fused: int
    admitted: int
    distinct: int
    reranked: int
    answer: int

TagOutcome = Literal["kept"] | Literal["outside_key"] | Literal["no_tag"] | Literal["mapped_to_nothing"]


class TagRecord(TypedDict):
    """Uses of a tag within the rights of the key."""

    tag: str
    documents: int
    collections: list[str]
    keys: int
    max_tags: int
    users: int | None
    groups: int | None
    sources: int | None
    last_used: str | None
    last_call: NotRequired[str | None]


class TagRecords(TypedDict):
    """Tags in use, by name."""

    tags: list[TagRecord]
    complete: bool
    unrecognised_calls: NotRequired[int]


class TagsToCheck(TypedDict):
    """Tags, or prefixes that end in `*`."""

    tags: list[str]


class TextBlock(TypedDict):
    """Text of a passage: a quotation, never an instruction."""

    type: Literal["text"]
    text: str


class TokenExplanation(TypedDict):
    """User and tags that a token gives; the decision is that of a call."""

    admitted: bool
    reason: str
    claim: ClaimProblem | None
    tenant: str | None
    user: str | None
    kid: str | None
    max_tags: list[str]
    scopes: list[Scope]
    tags: list[str]
    tags_ignored: int
    groups: list[GroupOutcome]


class TokenText(TypedDict):
    """An access token of the identity provider."""

    token: str


class UnblockedUsers(TypedDict):
    """Users whose block ended."""

    users: list[str]


class UploadOrder(TypedDict):
    """A file to upload, with its readers."""

    collection: str
    file_name: str
    size: int
    sha256: str
    policy: PolicyBody
    new_tags: NotRequired[bool]
    policy_source: NotRequired[Literal["option"] | Literal["file"] | Literal["none"]]
    content_type: NotRequired[str]
    doc_id: NotRequired[str | None]
    metadata: NotRequired[dict[str, bool | float | str | list[str] | list[float]]]
    restore: NotRequired[bool]
    source_url: NotRequired[str | None]


class UploadPlan(TypedDict):
    """What uploads would do, file by file in their order."""

    counts: dict[str, int]
    files: list[UploadPlanRecord]


class UploadPlanBody(TypedDict):
    """Files that might be uploaded."""

    files: list[UploadOrder]


class UploadPlanRecord(TypedDict):
    """Plan of one file."""

    file_name: str
    doc_id: str | None
    plan: Literal["new"] | Literal["changed"] | Literal["repolicied"] | Literal["updated"] | Literal["unchanged"] | Literal["held_back"] | Literal["refused"]
    reason: str | None
    readers_before: str | None
    readers_after: str | None
    adds_readers: bool
    removes_readers: bool


class UploadRecord(TypedDict):
    """State of an upload."""

    ticket: str
    doc_id: str
    state: Literal["awaiting"] | Literal["queued"] | Literal["parsing"] | Literal["waiting"] | Literal["failed"] | Literal["indexed"] | Literal["refused"] | Literal["held_back"]
    reason: str | None
    waiting_for: str | None
    visible_after_seconds: int


class UploadTicket(TypedDict):
    """A ticket for one `multipart/form-data` POST to `url`, with all `fields`, then `file`."""

    ticket: str
    doc_id: str
    url: str
    fields: dict[str, str]
    expires_at: str


class UsageAnswer(TypedDict):
    """Counts of the present audit log by month, the latest first."""

    months: list[MonthRecord]
    complete: bool


class UserIds(TypedDict):
    """Users, as ids of one person or of several."""

    users: list[str]


class UserList(TypedDict):
    """A page of the users with stored tags, by name."""

    users: list[UserRecord]
    next: str | None


class UserReaderRecord(TypedDict):
    """A user who can read the document."""

    user: str
    reason: str
    blocked: bool | None


class UserRecord(TypedDict):
    """A user with the stored tags."""

    user: str
    tags: list[str]


class UserTags(TypedDict):
    """Tags to store for a user."""

    tags: list[str]
    new_tags: NotRequired[bool]


class UserTagsChange(TypedDict):
    """Tags that a user gets, and tags that the user no longer has; all others stay."""

    add_tags: NotRequired[list[str]]
    remove_tags: NotRequired[list[str]]
    new_tags: NotRequired[bool]


class Visibility(TypedDict):
    """Explanation of why the caller may read the document of a passage, as of `POST /v1/access/check`."""

    reason: str
    policy_reason: str
    ceiling_reason: str | None
    needed_tags: list[str]
    needs_user: bool


class Why(TypedDict):
    """Explanation of the rank of a passage, among the passages that the caller may read."""

    brought_by: str
    excerpt: str | None
    ranks: Ranks
    rerank_score: float | None
    phrases: list[PhraseView]


class ApiError(Exception):
    """A failed call: its HTTP status, and the JSON of the error."""

    def __init__(self, status: int, body: object) -> None:
        super().__init__(f"HTTP {status}: {body}")
        self.status = status
        self.body = body


class Client:
    """Client of one server.

    Args:
        url: address of the server, without a path.
        key: key of the caller.
        user: user for whom a delegated key acts.
        tags: session tags of this user.
        seconds: time limit of one call.
    """

    def __init__(
        self, url: str, key: str, *, user: str | None = None, tags: Sequence[str] | None = None, seconds: float = 30
    ) -> None:
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {key}", "accept": "application/json"}
        if user is not None:
            self._headers["x-user-id"] = user
        if tags is not None:
            self._headers["x-session-tags"] = json.dumps([*tags])
        self._seconds = seconds

    def _send(
        self, method: str, path: str, query: Mapping[str, object | None], body: Mapping[str, Any] | None = None
    ) -> object:
        named = {name: _text(value) for name, value in query.items() if value is not None}
        headers = self._headers if body is None else {**self._headers, "content-type": "application/json"}
        request = Request(
            f"{self._url}{path}" + (f"?{urlencode(named)}" if named else ""),
            None if body is None else json.dumps(body).encode(),
            headers,
            method=method,
        )
        try:
            with urlopen(request, timeout=self._seconds) as response:
                return json.load(response)
        except HTTPError as error:
            content = error.read()
            try:
                problem: object = json.loads(content)
            except ValueError:
                problem = content.decode(errors="replace")
            raise ApiError(error.code, problem) from error

    def status(
        self,
    ) -> Status:
        """Show version, tenant, documents by state and the delay of the index."""
        answer = self._send("GET", "/v1/status", {})
        return cast('Status', answer)

    def doctor(
        self,
    ) -> CheckList:
        """Check documents, keys and index of the tenant; for a key without bounds also sign-in and sources."""
        answer = self._send("GET", "/v1/doctor", {})
        return cast('CheckList', answer)

    def sign_in(
        self,
    ) -> SignedIn:
        """Sign in to the page, for the user and tags of this call: set a cookie that /v1 accepts in place of the
        key.
        """
        answer = self._send("POST", "/v1/session", {})
        return cast('SignedIn', answer)

    def sign_out(
        self,
    ) -> SignedOut:
        """Sign out: end the session of this call's cookie. A call with a key changes nothing."""
        answer = self._send("DELETE", "/v1/session", {})
        return cast('SignedOut', answer)

    def whoami(
        self,
    ) -> Identity:
        """Show who calls: tenant, key, user, scopes, bounds, and the tags that count."""
        answer = self._send("GET", "/v1/whoami", {})
        return cast('Identity', answer)

    def list_keys(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> KeyList:
        """List the keys within the collections of this key, without secrets; revoked and expired keys are
        included.
        """
        answer = self._send("GET", "/v1/keys", {"after": after, "limit": limit})
        return cast('KeyList', answer)

    def create_key(
        self,
        body: KeyOrder,
    ) -> IssuedKey:
        """Create a key; only this answer contains its secret."""
        answer = self._send("POST", "/v1/keys", {}, cast('Mapping[str, Any]', body))
        return cast('IssuedKey', answer)

    def list_policy_tags(
        self,
    ) -> PolicyTagList:
        """List the tags that policies use in the collections of this key, as proposals for `max_tags`."""
        answer = self._send("GET", "/v1/keys/policy-tags", {})
        return cast('PolicyTagList', answer)

    def change_key(
        self,
        kid: str,
        body: KeyChangeOrder,
    ) -> KeyRecord:
        """Change a key that is in force, to one that you could create; the change holds from its next call on."""
        answer = self._send("PATCH", f"/v1/keys/{quote(kid, safe='')}", {}, cast('Mapping[str, Any]', body))
        return cast('KeyRecord', answer)

    def revoke_key(
        self,
        kid: str,
    ) -> KeyRecord:
        """Revoke a key; the server refuses its next call. You can repeat the call."""
        answer = self._send("DELETE", f"/v1/keys/{quote(kid, safe='')}", {})
        return cast('KeyRecord', answer)

    def rotate_key(
        self,
        kid: str,
        body: Rotation,
    ) -> IssuedKey:
        """Give a key a new secret; the old one works for `overlap_hours`."""
        answer = self._send("POST", f"/v1/keys/{quote(kid, safe='')}/rotate", {}, cast('Mapping[str, Any]', body))
        return cast('IssuedKey', answer)

    def list_users(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> UserList:
        """List the users with stored tags, by name; a page can have fewer users than `limit` and still a `next`."""
        answer = self._send("GET", "/v1/users", {"after": after, "limit": limit})
        return cast('UserList', answer)

    def list_blocked_users(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> BlockPage:
        """List the blocked users, the earliest block first."""
        answer = self._send("GET", "/v1/users/blocked", {"after": after, "limit": limit})
        return cast('BlockPage', answer)

    def block_users(
        self,
        body: BlockOrder,
    ) -> BlockList:
        """Block users: the server refuses their next call, whatever key or token names them. You can repeat the
        call.
        """
        answer = self._send("POST", "/v1/users/block", {}, cast('Mapping[str, Any]', body))
        return cast('BlockList', answer)

    def unblock_users(
        self,
        body: UserIds,
    ) -> UnblockedUsers:
        """End the blocks of users. Revoked keys stay revoked."""
        answer = self._send("POST", "/v1/users/unblock", {}, cast('Mapping[str, Any]', body))
        return cast('UnblockedUsers', answer)

    def offboard_user(
        self,
        body: OffboardingOrder,
    ) -> Receipt:
        """Block all ids of a person, revoke the keys and remove the stored tags. You can repeat the call."""
        answer = self._send("POST", "/v1/users/offboard", {}, cast('Mapping[str, Any]', body))
        return cast('Receipt', answer)

    def set_user(
        self,
        user: str,
        body: UserTags,
    ) -> UserRecord:
        """Replace the stored tags of a user."""
        answer = self._send("PUT", f"/v1/users/{quote(user, safe='')}", {}, cast('Mapping[str, Any]', body))
        return cast('UserRecord', answer)

    def change_user(
        self,
        user: str,
        body: UserTagsChange,
    ) -> UserRecord:
        """Add stored tags of a user and remove others; of two changes at once both count."""
        answer = self._send("PATCH", f"/v1/users/{quote(user, safe='')}", {}, cast('Mapping[str, Any]', body))
        return cast('UserRecord', answer)

    def delete_user(
        self,
        user: str,
    ) -> GoneUser:
        """Delete the stored tags of a user; the next call has none."""
        answer = self._send("DELETE", f"/v1/users/{quote(user, safe='')}", {})
        return cast('GoneUser', answer)

    def list_tags(
        self,
        *,
        last_calls: bool | None = None,
    ) -> TagRecords:
        """List the tags that documents, keys, users, groups and MCP sources use, within the collections of this
        key.
        """
        answer = self._send("GET", "/v1/tags", {"last_calls": last_calls})
        return cast('TagRecords', answer)

    def check_tags(
        self,
        body: TagsToCheck,
    ) -> NewTagList:
        """Return those of the tags that nobody has within the rights of this key, and the tag that was probably
        meant.
        """
        answer = self._send("POST", "/v1/tags/check", {}, cast('Mapping[str, Any]', body))
        return cast('NewTagList', answer)

    def rename_tag(
        self,
        body: RenameOrder,
    ) -> RenameResult:
        """Rename a tag wherever the tenant uses it; repeat the call if it was interrupted."""
        answer = self._send("POST", "/v1/tags/rename", {}, cast('Mapping[str, Any]', body))
        return cast('RenameResult', answer)

    def list_groups(
        self,
    ) -> GroupList:
        """List the groups of the identity provider that the tenant maps to tags."""
        answer = self._send("GET", "/v1/groups", {})
        return cast('GroupList', answer)

    def explain_token(
        self,
        body: TokenText,
    ) -> TokenExplanation:
        """Show which user and tags an access token of this tenant gives, and why; it counts as one call."""
        answer = self._send("POST", "/v1/groups/explain-token", {}, cast('Mapping[str, Any]', body))
        return cast('TokenExplanation', answer)

    def set_group(
        self,
        group: str,
        body: GroupEntry,
    ) -> GroupRecord:
        """Replace the tags of a group; they count from the next call on."""
        answer = self._send("PUT", f"/v1/groups/{quote(group, safe='')}", {}, cast('Mapping[str, Any]', body))
        return cast('GroupRecord', answer)

    def delete_group(
        self,
        group: str,
    ) -> GoneGroup:
        """Delete the mapping of a group; its own text is its tag again."""
        answer = self._send("DELETE", f"/v1/groups/{quote(group, safe='')}", {})
        return cast('GoneGroup', answer)

    def check_access(
        self,
        body: AccessQuestion,
    ) -> AccessAnswer:
        """Return whether a person may read a document, why, and what would change it."""
        answer = self._send("POST", "/v1/access/check", {}, cast('Mapping[str, Any]', body))
        return cast('AccessAnswer', answer)

    def list_readers(
        self,
        body: ReadersQuestion,
    ) -> ReadersAnswer:
        """List who can read a document: users, sets of tags, groups and keys within the bounds of this key."""
        answer = self._send("POST", "/v1/access/readers", {}, cast('Mapping[str, Any]', body))
        return cast('ReadersAnswer', answer)

    def list_readable(
        self,
        body: DocumentsQuestion,
    ) -> DocumentsAnswer:
        """List the documents that a person can read, among those that this key manages, by id."""
        answer = self._send("POST", "/v1/access/documents", {}, cast('Mapping[str, Any]', body))
        return cast('DocumentsAnswer', answer)

    def simulate_change(
        self,
        body: ChangeQuestion,
    ) -> ReadersEffectAnswer | DocumentsEffectAnswer:
        """Return who would gain and lose what by a change; nothing is changed."""
        answer = self._send("POST", "/v1/access/what-if", {}, cast('Mapping[str, Any]', body))
        return cast('ReadersEffectAnswer | DocumentsEffectAnswer', answer)

    def explain_search(
        self,
        body: SearchQuestionBody,
    ) -> SearchOutcomeAnswer:
        """Return why a search of a person does not show a document: the step at which it fell away."""
        answer = self._send("POST", "/v1/access/why-not", {}, cast('Mapping[str, Any]', body))
        return cast('SearchOutcomeAnswer', answer)

    def list_audit(
        self,
        *,
        user: str | None = None,
        document: str | None = None,
        kid: str | None = None,
        call: str | None = None,
        outcome: str | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> AuditList:
        """List the lines of the audit log, the latest first; a part can be short or empty and still have a
        `next`.
        """
        answer = self._send("GET", "/v1/audit", {"user": user, "document": document, "kid": kid, "call": call, "outcome": outcome, "since": since, "until": until, "after": after, "limit": limit})
        return cast('AuditList', answer)

    def verify_audit(
        self,
        *,
        after: str | None = None,
    ) -> AuditVerification:
        """Verify the chain of the audit log, part by part from its first line on."""
        answer = self._send("GET", "/v1/audit/verify", {"after": after})
        return cast('AuditVerification', answer)

    def list_callers(
        self,
        *,
        since: str | None = None,
        after: str | None = None,
    ) -> CallerList:
        """List who called lately, each user with the key and the tags of the calls."""
        answer = self._send("GET", "/v1/audit/callers", {"since": since, "after": after})
        return cast('CallerList', answer)

    def usage(
        self,
    ) -> UsageAnswer:
        """Count the calls of the tenant by month."""
        answer = self._send("GET", "/v1/usage", {})
        return cast('UsageAnswer', answer)

    def list_evaluations(
        self,
    ) -> EvaluationList:
        """List the evaluations that `groundwire eval` stored, the latest first."""
        answer = self._send("GET", "/v1/evaluations", {})
        return cast('EvaluationList', answer)

    def run_evaluation(
        self,
        body: EvaluationBody,
    ) -> NewEvaluation:
        """Search judged questions, store the results as `groundwire eval` does, and return them."""
        answer = self._send("POST", "/v1/evaluations", {}, cast('Mapping[str, Any]', body))
        return cast('NewEvaluation', answer)

    def show_evaluation(
        self,
        evaluation_id: str,
    ) -> EvaluationAnswer:
        """Show an evaluation with the results of its questions."""
        answer = self._send("GET", f"/v1/evaluations/{quote(evaluation_id, safe='')}", {})
        return cast('EvaluationAnswer', answer)

    def delete_evaluation(
        self,
        evaluation_id: str,
    ) -> DeletedEvaluation:
        """Delete an evaluation with its questions."""
        answer = self._send("DELETE", f"/v1/evaluations/{quote(evaluation_id, safe='')}", {})
        return cast('DeletedEvaluation', answer)

    def compare_evaluations(
        self,
        evaluation_id: str,
        *,
        earlier: str,
        max_loss: float | None = None,
    ) -> EvaluationComparison:
        """Compare an evaluation with an earlier one by question."""
        answer = self._send("GET", f"/v1/evaluations/{quote(evaluation_id, safe='')}/comparison", {"earlier": earlier, "max_loss": max_loss})
        return cast('EvaluationComparison', answer)

    def list_collections(
        self,
    ) -> CollectionList:
        """List the collections of the key with the number of documents that it manages."""
        answer = self._send("GET", "/v1/collections", {})
        return cast('CollectionList', answer)

    def set_collection(
        self,
        name: str,
        body: CollectionSettings,
    ) -> CollectionRecord:
        """Create or change a collection; a language counts for documents that are ingested later."""
        answer = self._send("PUT", f"/v1/collections/{quote(name, safe='')}", {}, cast('Mapping[str, Any]', body))
        return cast('CollectionRecord', answer)

    def delete_collection(
        self,
        name: str,
        *,
        reason: str | None = None,
    ) -> GoneCollection:
        """Delete a collection with its documents; no ingestion creates it again until a person does."""
        answer = self._send("DELETE", f"/v1/collections/{quote(name, safe='')}", {"reason": reason})
        return cast('GoneCollection', answer)

    def propose_description(
        self,
        name: str,
    ) -> DescriptionProposal:
        """Propose a description from the public documents of the collection; nothing is stored."""
        answer = self._send("GET", f"/v1/collections/{quote(name, safe='')}/proposal", {})
        return cast('DescriptionProposal', answer)

    def list_documents(
        self,
        *,
        collection: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        ceilings: bool | None = None,
        policy_differs: bool | None = None,
    ) -> DocumentList:
        """List the documents that the key manages, by id; a page can be short or empty and still have a `next`."""
        answer = self._send("GET", "/v1/documents", {"collection": collection, "after": after, "limit": limit, "ceilings": ceilings, "policy_differs": policy_differs})
        return cast('DocumentList', answer)

    def show_document(
        self,
        doc_id: str,
        *,
        segments: bool | None = None,
        from_passage: int | None = None,
        max_passages: int | None = None,
    ) -> DocumentWithPassages:
        """Show the record of a document."""
        answer = self._send("GET", f"/v1/documents/{quote(doc_id, safe='')}", {"segments": segments, "from_passage": from_passage, "max_passages": max_passages})
        return cast('DocumentWithPassages', answer)

    def delete_document(
        self,
        doc_id: str,
        *,
        reason: str | None = None,
    ) -> GoneDocument:
        """Delete a document; no answer contains it, and no ingestion brings it back until it is restored."""
        answer = self._send("DELETE", f"/v1/documents/{quote(doc_id, safe='')}", {"reason": reason})
        return cast('GoneDocument', answer)

    def set_policy(
        self,
        doc_id: str,
        body: PolicyOrder,
        *,
        reason: str | None = None,
    ) -> DocumentRecord:
        """Set the readers of a document from the next call on; beside declared readers, as a ceiling."""
        answer = self._send("PUT", f"/v1/documents/{quote(doc_id, safe='')}/policy", {"reason": reason}, cast('Mapping[str, Any]', body))
        return cast('DocumentRecord', answer)

    def close_document(
        self,
        doc_id: str,
        *,
        reason: str | None = None,
    ) -> DocumentRecord:
        """Close a document for everybody until its ceiling is lifted, whatever is ingested."""
        answer = self._send("POST", f"/v1/documents/{quote(doc_id, safe='')}/close", {"reason": reason})
        return cast('DocumentRecord', answer)

    def lift_ceiling(
        self,
        doc_id: str,
        *,
        reason: str | None = None,
    ) -> DocumentRecord:
        """End the ceiling of a document: its readers are those of the declared policy again."""
        answer = self._send("POST", f"/v1/documents/{quote(doc_id, safe='')}/lift", {"reason": reason})
        return cast('DocumentRecord', answer)

    def list_deletions(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> DeletionList:
        """List the deleted documents about which the key decides, by id."""
        answer = self._send("GET", "/v1/deletions", {"after": after, "limit": limit})
        return cast('DeletionList', answer)

    def restore_document(
        self,
        doc_id: str,
        *,
        reason: str | None = None,
    ) -> DeletionRecord:
        """End the deletion of a document: the next ingestion of its file brings it back."""
        answer = self._send("POST", f"/v1/deletions/{quote(doc_id, safe='')}/restore", {"reason": reason})
        return cast('DeletionRecord', answer)

    def forget_document(
        self,
        doc_id: str,
        *,
        reason: str | None = None,
    ) -> DeletionRecord:
        """Forget which file a deleted document had; then an ingestion can bring the file in as a new document."""
        answer = self._send("DELETE", f"/v1/deletions/{quote(doc_id, safe='')}", {"reason": reason})
        return cast('DeletionRecord', answer)

    def open_upload(
        self,
        body: UploadOrder,
    ) -> UploadTicket:
        """Create a ticket for this one file; the upload must start within 5 minutes."""
        answer = self._send("POST", "/v1/uploads", {}, cast('Mapping[str, Any]', body))
        return cast('UploadTicket', answer)

    def plan_uploads(
        self,
        body: UploadPlanBody,
    ) -> UploadPlan:
        """Return what these uploads would do to documents and readers; nothing is changed."""
        answer = self._send("POST", "/v1/uploads/plan", {}, cast('Mapping[str, Any]', body))
        return cast('UploadPlan', answer)

    def show_upload(
        self,
        ticket: str,
    ) -> UploadRecord:
        """Show the state of an upload."""
        answer = self._send("GET", f"/v1/uploads/{quote(ticket, safe='')}", {})
        return cast('UploadRecord', answer)

    def list_ingestions(
        self,
    ) -> IngestionList:
        """List the last runs of `groundwire ingest`, and count the documents that are not read yet."""
        answer = self._send("GET", "/v1/ingestions", {})
        return cast('IngestionList', answer)

    def show_ingestion(
        self,
        ingestion_id: str,
    ) -> IngestionRecord:
        """Show a run with its progress."""
        answer = self._send("GET", f"/v1/ingestions/{quote(ingestion_id, safe='')}", {})
        return cast('IngestionRecord', answer)

    def cancel_ingestion(
        self,
        ingestion_id: str,
    ) -> IngestionRecord:
        """End a run after its present file; finished files stay, and the same command continues it."""
        answer = self._send("POST", f"/v1/ingestions/{quote(ingestion_id, safe='')}/cancel", {})
        return cast('IngestionRecord', answer)

    def search(
        self,
        body: SearchBody,
        *,
        as_: Literal["passages"] | Literal["search_result"] | None = None,
    ) -> SearchAnswer | SearchResultAnswer:
        """Search; the answer has only passages that the caller, or the person of `as`, can read now."""
        answer = self._send("POST", "/v1/search", {"as": as_}, cast('Mapping[str, Any]', body))
        return cast('SearchAnswer | SearchResultAnswer', answer)

    def ask_dialect(
        self,
        body: DialectQuestion,
    ) -> DialectAnswer:
        """Ask a question over a dialect, whose own handler answers by the rights of the caller."""
        answer = self._send("POST", "/v1/search/dialects", {}, cast('Mapping[str, Any]', body))
        return cast('DialectAnswer', answer)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
