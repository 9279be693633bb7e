"""Something of every kind that a tenant of a stack can have."""

from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion
from groundwire.services.ingest.rows.segments import embed_segments
from groundwire_mcp.definitions.sessions import Session, SessionOwner
from tests.support.aws.operator_stack import Stack
from tests.support.engines import dynamodb
from tests.support.registry.records import DOCUMENT

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import ApiFunction

AGENT = {"kind": "act_as", "scopes": ["search"], "max_tags": ["*"], "collections": "every"}
ADMIN = {"kind": "personal", "user": "ann", "scopes": ["admin"], "collections": "every"}


def fill(stack: Stack, tenant: str, documents: int = 1) -> str:
    """A key's text; of the tenant there are a user, a collection, a session, files, records, rows and a delivery."""
    key = stack.done("key.create", tenant=tenant, **AGENT)["key"]
    services = stack.services
    services.stores.users.set(tenant, "ann", frozenset({"staff"}))
    services.stores.collections.put(tenant, Collection("handbook", 0.4))
    owner = SessionOwner(tenant, key["kid"], None)
    services.stores.sessions.add(
        Session("s" * 43, owner, "2025-11-25", "agent", "1", created_at=0.0, expires_at=4e9, log_level=None)
    )
    for number in range(documents):
        _add_document(services, tenant, f"doc-{number}")
    later(stack, tenant)
    return str(key["key"])


def later(stack: Stack, tenant: str) -> None:
    """What the path of ingestion notes of an object."""
    row = {"tenant": {"S": tenant}, "id": {"S": "delivery#object"}}
    dynamodb.client(None).put_item(TableName=stack.variables["DOCUMENTS_TABLE"], Item=row)


def _add_document(services: "ApiFunction", tenant: str, doc_id: str) -> None:
    version = DocumentVersion(doc_id, 1)
    text = f"The ledger of {doc_id}."
    segment = Segment(f"{doc_id}.0123456789abcdef", doc_id, 1, "handbook", 0, text, (), None, None, text, text)
    embedded = embed_segments(services.models.embedders.default, [segment], {}, lambda _done, _total: None)
    record = replace(DOCUMENT, doc_id=doc_id, version=1, segments=1, blob=f"{doc_id}/1", model="hashed-words")
    services.stores.documents.write(tenant, record, None)
    services.stores.blobs.put(tenant, f"{doc_id}/1", b"The ledger.")
    services.stores.indexes.for_tenant(tenant).put(version, record.readers, embedded.inputs, record.metadata)
