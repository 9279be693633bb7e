"""Application of policy files to documents of a subtree whose files are not part of the run."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire import wiring
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import PolicySource, followed_policy
from groundwire.domain.audit.ingestion import FinishedDocument, RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.services.ingest.request import IngestStatus
from groundwire.services.ingest.source_objects.sidecars import UNDECLARED, FilePolicy, SidecarResolver

_REPOLICIED: Final = IngestStatus.POLICY_CHANGED.value


@dataclass(frozen=True, slots=True)
class SubtreeResult:
    """Result of applying policy files to a subtree.

    Attributes:
        changed: records, before and after, of documents without a file in the run whose policy was changed.
        failures: why documents keep their readers, by the name of their file.
    """

    changed: list[tuple[Document, Document]]
    failures: dict[str, str]


def repolicy_subtree(
    tenant: str, files: RequestedFiles, ingested_ids: Collection[str], audit: RunAudit
) -> SubtreeResult:
    """Apply the policy files as they are now to all documents below the folders, by the rule of `followed_policy`.

    Those without a file in the run have a file that is missing, or are in another collection; a warning counts those of
    unknown source that no policy file names. The others follow a policy file that was changed after their ingestion.
    """
    services = wiring.local_services()
    sidecars = files.new_resolver()
    result = SubtreeResult([], {})
    unknown = 0
    for each in documents_below(tenant, None, files.folders):
        found = policy_to_follow(sidecars, each)
        if found is None:
            result.failures[each.source_file_name] = "the nearest .policy.yaml cannot be read"
            continue
        policy = found.policy
        is_ingested = each.doc_id in ingested_ids
        unknown += policy is None and not is_ingested and each.policy_source is PolicySource.UNKNOWN
        if followed_policy(policy, each.sourced_policy) == each.sourced_policy:
            continue
        try:
            after = services.administration.document_admin.apply_file_policy(
                tenant, each.doc_id, policy, partial(_announce, audit)
            )
        except NotFound:
            # It was deleted meanwhile.
            continue
        except (Conflict, Unavailable) as error:
            result.failures[each.source_file_name] = str(error)
            continue
        if after.policy != each.policy and not is_ingested:
            result.changed.append((each, after))
    if unknown:
        warn(
            f"{unknown} documents of these folders have no file in this run, and no .policy.yaml names "
            "their readers. An earlier release did not record the source of their policy, so their "
            "access is unchanged."
        )
    return result


def _announce(audit: RunAudit, before: Document, after: Document) -> None:
    if after.policy != before.policy:
        audit.changing(_REPOLICIED, FinishedDocument.of(after, _REPOLICIED, before.policy))


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


def policy_to_follow(sidecars: SidecarResolver, document: Document) -> FilePolicy | None:
    """Return the policy that the document follows, as `file_policy_of`; None where a policy file is refused."""
    try:
        return sidecars.policy_to_follow(str(document.source_path))
    except NotFound:
        return UNDECLARED


def documents_below(tenant: str, collection: str | None, folders: Sequence[str]) -> list[Document]:
    """Return the documents, of one collection or of all, whose files are or were below the folders; no attachments."""
    return filter_below(wiring.local_services().stores.documents.all(tenant, collection), folders)


def filter_below(documents: Iterable[Document], folders: Sequence[str]) -> list[Document]:
    """Return the documents whose files are or were below the folders, without attachments."""
    return [
        document
        for document in documents
        if document.source_path and document.parent is None and document.source_path.startswith(tuple(folders))
    ]
