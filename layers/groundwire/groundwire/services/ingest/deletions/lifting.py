"""End of the deletions that a request to ingest a file restores."""

from groundwire.ports import Documents
from groundwire.services.ingest.deletions.administration import DeletionAdmin, everybody_decides
from groundwire.services.ingest.deletions.memory import DeletionMemory
from groundwire.services.ingest.document_match import FileMatch
from groundwire.services.ingest.request import IngestRequest


def lift_deletions(request: IngestRequest, match: FileMatch, documents: Documents, memory: DeletionMemory) -> None:
    """End the deletions of the request's collection, path and chosen id; the caller holds the tenant's lock.

    Whether the person may decide was checked when the request was made. A deletion of the same content at another path
    stays in force: the request brings back its own file alone.
    """
    tenant = request.tenant
    collection = memory.deleted_collection(tenant, request.collection)
    if collection is not None and request.restores_after(collection.deleted_at):
        memory.collection_created(tenant, request.collection)
    for each in match.deletions:
        if request.restores_after(each.deletion.deleted_at):
            DeletionAdmin(documents).restore(tenant, each.doc_id, everybody_decides)
