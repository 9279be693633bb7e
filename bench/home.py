"""Home folder with one tenant whose documents have many policies, of which a caller may read a tenth."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from bench.corpus import COLLECTION, SEGMENTS_PER_DOCUMENT, Corpus
from groundwire.domain.access.policy import Policy, Principal, decide, single_policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.domain.limits import MAX_BURST, MAX_RATE_PER_MINUTE
from groundwire.ports import DocumentVersion
from groundwire.services.keys.admin import KeySpec
from groundwire.wiring.local.services import LocalServices

TENANT: Final = "t_00000000000bench"
USER: Final = "reader@bench.example"
EVERYTHING: Final = ("auditor", "clearance:internal", *(f"department:{number}" for number in range(10)))
"""Tags of somebody who may read all."""
TAGS: Final = ("clearance:internal", "department:0", "office:north", "project:apollo", "quarter:4", "role:engineer")
POLICIES: Final = 200
_DEPARTMENTS: Final = 10
_MOST_DOCUMENTS: Final = 5_000
"""Of a home with few policies: more of them would only take longer to make."""

_UNLIMITED: Final = 10_000_000
_BM25_WEIGHT: Final = 0.4


@dataclass(frozen=True, slots=True)
class Filled:
    """A home that is ready to be served.

    Attributes:
        key: text of a key that acts for others.
        admitted: share of the segments that the caller may read.
    """

    key: str
    caller: Principal
    segments: int
    policies: int
    admitted: float


def fill(services: LocalServices, corpus: Corpus, segments: int, policies: int = POLICIES) -> Filled:
    """The home holds a tenant, a key without a rate worth the name, and `segments` segments."""
    services.stores.tenants.add(Tenant(TENANT, "bench", _UNLIMITED, _UNLIMITED, time.time()))
    services.stores.collections.put(TENANT, Collection(COLLECTION, _BM25_WEIGHT))
    documents = list(_documents(segments, policies))
    for document in documents:
        _store(services, corpus, document)
    caller = Principal(TENANT, USER, frozenset(TAGS))
    readable = sum(document.segments for document in documents if decide(caller, single_policy(document.policy)))
    distinct = len({document.policy for document in documents})
    return Filled(_key(services), caller, segments, distinct, readable / segments)


def one_more(name: str, segments: int) -> Document:
    """A document that the caller may read, of a name that no other has."""
    document = _document(0, segments, POLICIES)
    return replace(document, doc_id=f"doc_{name}", source_file_name=f"{name}.pdf", source_path=f"/made-up/{name}.pdf")


def _store(services: LocalServices, corpus: Corpus, document: Document) -> None:
    rows = list(corpus.document(document.doc_id, document.segments))
    services.stores.indexes.for_tenant(TENANT).put(
        DocumentVersion(document.doc_id, document.version),
        single_policy(document.policy),
        rows,
        # Without them, a server would write all rows anew beside the measured calls.
        indexed_fields(document),
    )
    services.stores.documents.write(TENANT, document, None)


def _documents(segments: int, policies: int) -> Iterator[Document]:
    """Each of about `SEGMENTS_PER_DOCUMENT`, of more where there are very many, of fewer where policies are."""
    each = max(1, min(max(SEGMENTS_PER_DOCUMENT, segments // _MOST_DOCUMENTS), segments // policies))
    for number in count():
        left = segments - number * each
        if left <= 0:
            return
        yield _document(number, min(left, each), policies)


def _document(number: int, segments: int, policies: int) -> Document:
    now = time.time()
    name = f"report-{number:05d}.pdf"
    return Document(
        doc_id=f"doc_{number:016x}", collection=COLLECTION, source_file_name=name, source_file_type="pdf",
        source_path=f"/made-up/{name}", source_url=None, blob=None, title=f"Report {number}",
        policy=_policy(number % policies), policy_source=PolicySource.OPTION, ceiling=None, version=1, policy_version=1,
        ingestion=Ingestion(DocumentState.INDEXED), sync=IndexSync(is_stale=False),
        content_hash=f"{number:064x}", recipe="made up", segments=segments, pages=segments, pages_without_text=0,
        size_bytes=100_000, created_at=now, updated_at=now,
    )  # fmt: skip


def _policy(number: int) -> Policy:
    """In one of the four forms that policies take; those of department 0 admit the caller."""
    department, form = f"department:{number % _DEPARTMENTS}", number // _DEPARTMENTS % 4
    own = f"project:{number}"
    if form == 0:
        return _of_tags(any_tags=(department, own))
    if form == 1:
        return _of_tags(any_tags=(department, own), all_tags=("clearance:internal",))
    if form == 2:
        return _of_tags(all_tags=(department, "clearance:internal"), users=(f"owner-{number}@bench.example",))
    named = USER if number % _DEPARTMENTS == 0 else f"colleague-{number}@bench.example"
    return _of_tags(any_tags=(own, "auditor"), users=(named, f"owner-{number}@bench.example"))


def _of_tags(any_tags: Sequence[str] = (), all_tags: Sequence[str] = (), users: Sequence[str] = ()) -> Policy:
    return Policy(public=False, users=frozenset(users), any_tags=frozenset(any_tags), all_tags=frozenset(all_tags))


def _key(services: LocalServices) -> str:
    order = KeySpec(
        tenant=TENANT,
        name="bench",
        kind=KeyKind.ACT_AS,
        user=None,
        tags=frozenset(),
        max_tags=("*",),
        scopes=frozenset({Scope.SEARCH}),
        collections=ALL_COLLECTIONS,
        # The vectors are made up, so that no passage is relevant to a phrase.
        options=replace(USUAL_OPTIONS, floor=0.0),
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    return services.administration.key_admin.create(order).secret.reveal()
