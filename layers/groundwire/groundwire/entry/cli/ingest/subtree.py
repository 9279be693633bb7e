"""Application of policy files to documents of a subtree whose files are not part of the run."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final

from groundwire import wiring
from groundwire.domain.access.policy_source import followed_policy
from groundwire.domain.audit.ingestion import FinishedDocument, RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.source_objects.sidecars import FilePolicy, SidecarResolver

_REPOLICIED: Final = IngestStatus.POLICY_CHANGED.value


def repolicy_subtree(
    tenant: str, files: RequestedFiles, ingested_ids: Collection[str], audit: RunAudit
) -> list[Document]:
    """Apply the policy files to documents whose file is missing or that are in another collection.

    What an option or a manual override gave stays. So do the readers of a document whose folder is missing, because a
    policy file in it may be missing with it. A warning counts the documents that no policy file reaches. Returns the
    changed documents.
    """
    services = wiring.local_services()
    sidecars = files.new_resolver()
    others = [each for each in documents_below(tenant, None, files.folders) if each.doc_id not in ingested_ids]
    followed = [(each, file_policy_of(sidecars, each)) for each in others]
    changed: list[Document] = []
    for each, nearest in followed:
        if nearest is None or followed_policy(nearest.policy, each.sourced_policy) == each.sourced_policy:
            continue
        # NotFound: the document was deleted meanwhile.
        with suppress(NotFound):
            after = services.document_admin.apply_file_policy(tenant, each.doc_id, nearest.policy)
            if after.policy != each.policy:
                audit.finished(_REPOLICIED, FinishedDocument.of(after, _REPOLICIED, each.policy))
                changed.append(after)
    changed_ids = {each.doc_id for each in changed}
    if unreached := [
        each
        for each, nearest in followed
        if each.doc_id not in changed_ids and (nearest is None or nearest.policy is None)
    ]:
        warn(
            f"{len(unreached)} documents from beneath have no file any more, or lie in another collection, and no "
            ".policy.yaml speaks of them: their readers are unchanged."
        )
    return changed


def file_policy_of(sidecars: SidecarResolver, document: Document) -> FilePolicy | None:
    """Return what policy files declare for a document now; None where its folder is missing.

    Raises:
        InvalidInput: the policy file is not valid.
    """
    try:
        return sidecars.nearest_policy(str(document.source_path))
    except NotFound:
        return None


def documents_below(tenant: str, collection: str | None, folders: Sequence[str]) -> list[Document]:
    """Return the documents, of one collection or of all, whose files are or were below the folders; no attachments."""
    return filter_below(wiring.local_services().documents.all(tenant, collection), folders)


def filter_below(documents: Iterable[Document], folders: Sequence[str]) -> list[Document]:
    """Return the documents whose files are or were below the folders, without attachments."""
    return [
        document
        for document in documents
        if document.source_path and document.parent is None and document.source_path.startswith(tuple(folders))
    ]
