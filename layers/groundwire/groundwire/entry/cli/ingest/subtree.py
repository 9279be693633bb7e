"""Application of policy files to documents of a subtree whose files are not part of the run."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.audit.ingestion import FinishedDocument, RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.source_objects.sidecars import SidecarResolver

_REPOLICIED: Final = IngestStatus.POLICY_CHANGED.value


def repolicy_subtree(
    tenant: str, files: RequestedFiles, ingested_ids: Collection[str], decided_at: float, audit: RunAudit
) -> list[Document]:
    """Apply the nearest policy file to documents whose file is missing or that are in another collection.

    Documents without a policy file keep their policy, and a warning counts them: an earlier policy is unknown. So do
    those whose folder is missing, because a policy file in it may be missing with it.
    A manual override since `decided_at` is kept. Returns the changed documents.
    """
    services = wiring.local_services()
    sidecars = files.new_resolver()
    others = [each for each in documents_below(tenant, None, files.folders) if each.doc_id not in ingested_ids]
    nearest = {each.doc_id: declared_policy(sidecars, each) for each in others}
    changed: list[Document] = []
    for each in others:
        policy = nearest[each.doc_id]
        if policy is not None and policy != each.policy:
            # NotFound: the document was deleted meanwhile, or its policy overridden.
            with suppress(NotFound):
                after = services.document_admin.apply_file_policy(
                    tenant, each.doc_id, policy, lambda document: document.policy_overridden_at < decided_at
                )
                if after.policy != each.policy:
                    audit.finished(_REPOLICIED, FinishedDocument.of(after, _REPOLICIED, each.policy))
                    changed.append(after)
    if without_policy_file := sum(policy is None for policy in nearest.values()):
        warn(
            f"{without_policy_file} documents from beneath have no file any more, or lie in another collection, and no "
            ".policy.yaml speaks of them: their readers are unchanged."
        )
    return changed


def declared_policy(sidecars: SidecarResolver, document: Document) -> Policy | None:
    """Return the policy of the nearest policy file of a document; None without one, or without its folder.

    Raises:
        InvalidInput: the policy file is not valid.
    """
    try:
        return sidecars.nearest_policy(str(document.source_path)).policy
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
