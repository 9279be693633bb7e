"""Documents that came from beneath a folder but whose file is not in the run: a policy file reaches them, too."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from groundwire import wiring
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import warn


def repolicy_subtree(
    tenant: str, paths: list[Path], ingested_ids: Collection[str], decided_at: float
) -> list[Document]:
    """The nearest policy file is in force for documents whose file is gone or that lie in another collection.

    Where no policy file speaks, nobody knows whether one ever did: such documents stay as they are, and a line
    says so, and what is given by hand since `decided_at` stands. Returns those that were changed.
    """
    services = wiring.local_services()
    policies = services.policy_files()
    others = [each for each in documents_below(tenant, None, paths) if each.doc_id not in ingested_ids]
    nearest = {each.doc_id: policies.nearest(Path(str(each.source_path))) for each in others}
    changed: list[Document] = []
    for each in others:
        policy = nearest[each.doc_id]
        if policy is not None and policy != each.policy:
            # One that is not there: it was deleted meanwhile, or its policy was given.
            with suppress(NotFound):
                after = services.document_admin.apply_file_policy(
                    tenant, each.doc_id, policy, lambda document: document.policy_overridden_at < decided_at
                )
                if after.policy != each.policy:
                    changed.append(after)
    if unspoken := sum(policy is None for policy in nearest.values()):
        warn(
            f"{unspoken} documents from beneath have no file any more, or lie in another collection, and no "
            ".policy.yaml speaks of them: their readers are unchanged."
        )
    return changed


def documents_below(tenant: str, collection: str | None, paths: list[Path]) -> list[Document]:
    """The documents, of one collection or of all, whose files lie or lay beneath the folders; no attachments."""
    return filter_below(wiring.local_services().documents.all(tenant, collection), paths)


def filter_below(documents: Iterable[Document], paths: list[Path]) -> list[Document]:
    """Return the documents whose files are or were below the folders, without attachments."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    return [
        document
        for document in documents
        if document.source_path
        and document.parent is None
        and any(Path(document.source_path).is_relative_to(folder) for folder in folders)
    ]
