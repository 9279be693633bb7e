"""Records with every field set, for the stores' suites; a test names only what it is about."""

from dataclasses import replace

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.options import KeyOptions
from groundwire.domain.keys.tenant import Tenant
from tests.support.registry.key_options import with_options

NOW = 1_800_000_030.0
CURRENT = b"c" * 32
OTHER = b"o" * 32

PERSONAL_KEY = ApiKey(
    kid="4fGh7Kq2LmNp",
    tenant="t-acme",
    name="laptop",
    kind=KeyKind.PERSONAL,
    user="ann",
    tags=frozenset({"department:sales", "Q4-2024", "größe"}),
    max_tags=(),
    strict_tags=False,
    scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
    collections=frozenset({"handbook", "prices"}),
    options=KeyOptions(
        toolset="mindset",
        dialects=frozenset({"mindset", "openai"}),
        sources=True,
        expand_tokens=400,
        floor=0.25,
        split_first_phrase=True,
    ),
    rate_per_minute=60,
    burst=20,
    created_at=NOW - 100,
    expires_at=NOW + 1_000,
    revoked=False,
    previous_until=None,
    last_used=None,
)
ACT_AS_KEY = replace(
    with_options(PERSONAL_KEY, dialects=None),
    kid="9xYz0AbCdEfG",
    kind=KeyKind.ACT_AS,
    user=None,
    tags=frozenset[str](),
    max_tags=("region:*", "department:sales"),
    collections="every",
    expires_at=None,
    strict_tags=True,
)
DOCUMENT = Document(
    doc_id="d-1",
    collection="handbook",
    source_file_name="leave.pdf",
    source_file_type="pdf",
    source_path="/docs/leave.pdf",
    source_url="https://intranet.example/leave",
    blob="d-1/1",
    title="Leave",
    policy=Policy(
        public=False,
        users=frozenset({"ann", "bob"}),
        any_tags=frozenset({"department:hr", "größe"}),
        all_tags=frozenset({"staff"}),
    ),
    policy_source=PolicySource.OPTION,
    ceiling=None,
    version=1,
    policy_version=1,
    ingestion=Ingestion(DocumentState.INDEXED),
    sync=IndexSync(is_stale=False),
    content_hash="ab" * 32,
    recipe="parser 1, chunker 1, model 1",
    segments=12,
    pages=3,
    pages_without_text=1,
    size_bytes=4_096,
    created_at=NOW - 50.5,
    updated_at=NOW,
)
MARIAS_DOCUMENT = Document(
    doc_id="doc_1",
    collection="handbook",
    source_file_name='Preis "Liste" * 2026/é.html',
    source_file_type="html",
    source_path=None,
    source_url=None,
    blob="doc_1-1",
    title="Prices",
    policy=Policy(public=False, users=frozenset({"maria"}), any_tags=frozenset(), all_tags=frozenset()),
    policy_source=PolicySource.OPTION,
    ceiling=None,
    version=1,
    policy_version=1,
    ingestion=Ingestion(DocumentState.INDEXED),
    sync=IndexSync(is_stale=False),
    content_hash="00",
    recipe="r",
    segments=1,
    pages=None,
    pages_without_text=0,
    size_bytes=3,
    created_at=0.0,
    updated_at=0.0,
)
"""A document that the user `maria` alone may read; its file name needs quoting."""


def tenant(tenant_id: str, *, rate_per_minute: int = 60_000, burst: int = 10_000) -> Tenant:
    name = tenant_id.removeprefix("t-")
    return Tenant(tenant_id, name, rate_per_minute=rate_per_minute, burst=burst, created_at=NOW - 1_000)


def key(kid: str, *, rate_per_minute: int, burst: int) -> ApiKey:
    return replace(PERSONAL_KEY, kid=kid, rate_per_minute=rate_per_minute, burst=burst)


def in_state(document: Document, state: DocumentState) -> Document:
    return replace(document, ingestion=replace(document.ingestion, state=state))


def stale(document: Document, *, is_stale: bool = True) -> Document:
    return replace(document, sync=replace(document.sync, is_stale=is_stale))


def tombstone(document: Document) -> Document:
    return replace(in_state(document, DocumentState.DELETED), version=document.version + 1)
