"""Access of a caller to documents and their originals, as the registry has them now."""

from collections.abc import Callable
from enum import StrEnum

from groundwire.domain.access.policy import AccessDecision, Allow, Principal, decide
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.keys.caller import Caller
from groundwire.ports import Collections, Documents


class DocumentDenial(StrEnum):
    """Reason why a document is forbidden before its readers are compared."""

    NOT_INDEXED = "not_indexed"
    COLLECTION = "collection_not_covered"


def decide_reading(
    principal: Principal, covers: Callable[[str], bool], document: Document
) -> AccessDecision | DocumentDenial:
    """Return the decision whether a principal may read a document now.

    Args:
        principal: whose rights decide.
        covers: whether the key of the call covers a collection.
        document: as the registry has it now.
    """
    if document.state is not DocumentState.INDEXED:
        return DocumentDenial.NOT_INDEXED
    return decide(principal, document.readers) if covers(document.collection) else DocumentDenial.COLLECTION


def may_read(caller: Caller, document: Document) -> bool:
    """Return whether the document is indexed, the key covers its collection, and its readers admit the principal."""
    return isinstance(decide_reading(caller.principal, caller.allows_collection, document), Allow)


def find_readable(caller: Caller, documents: Documents, doc_id: str) -> Document | None:
    """Return the record; None when it is missing, deleted, forbidden or not covered by the key, without distinction."""
    if not is_doc_id(doc_id):
        return None
    document = documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
    return document if document is not None and may_read(caller, document) else None


def is_original_withheld(collections: Collections, tenant: str, document: Document, *, by_key: bool) -> bool:
    """Return whether the file and its pictures stay here: the key withholds every one, or the collection its own.

    Args:
        collections: not cached, as the setting is in force on the next call.
        tenant: the one of the document.
        document: as the registry has it now.
        by_key: the option of the caller's key.
    """
    if by_key:
        return True
    return any(each.name == document.collection and each.no_originals for each in collections.all(tenant))
