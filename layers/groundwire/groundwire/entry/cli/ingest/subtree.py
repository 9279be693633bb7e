"""Application of policy files to documents of a subtree whose files are not part of the run."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Final

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import PolicySource, followed_policy
from groundwire.domain.audit.ingestion import FinishedDocument, RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.source_objects.sidecars import SidecarResolver

_REPOLICIED: Final = IngestStatus.POLICY_CHANGED.value


def repolicy_subtree(
    tenant: str, files: RequestedFiles, ingested_ids: Collection[str], audit: RunAudit
) -> list[Document]:
    """Apply the policy files, by the rule of `followed_policy`, to documents whose file is not part of the run.

    Their file is missing, or they are in another collection. A warning counts those of unknown source that no policy
    file names. Returns the changed documents.
    """
    services = wiring.local_services()
    sidecars = files.new_resolver()
    others = [each for each in documents_below(tenant, None, files.folders) if each.doc_id not in ingested_ids]
    changed: list[Document] = []
    unknown = 0
    for each in others:
        policy = file_policy_of(sidecars, each)
        unknown += policy is None and each.policy_source is PolicySource.UNKNOWN
        if followed_policy(policy, each.sourced_policy) == each.sourced_policy:
            continue
        # NotFound: the document was deleted meanwhile.
        with suppress(NotFound):
            after = services.document_admin.apply_file_policy(tenant, each.doc_id, policy)
            if after.policy != each.policy:
                audit.finished(_REPOLICIED, FinishedDocument.of(after, _REPOLICIED, each.policy))
                changed.append(after)
    if unknown:
        warn(
            f"{unknown} documents of these folders have no file in this run, and no .policy.yaml names their readers. "
            "An earlier release did not record the source of their policy, so their readers are unchanged."
        )
    return changed


def file_policy_of(sidecars: SidecarResolver, document: Document) -> Policy | None:
    """Return the policy of the nearest policy file of a document; None without one.

    A folder that is missing or was exchanged has taken its policy file with it, and an outer one was never meant for
    the documents in it. So they have no policy file.

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
