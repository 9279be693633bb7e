"""Check of a person's policy against the authority that the document's collection names."""

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.collection import Collection, PolicyAuthority
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict

_REFUSED: Final = (
    "In the collection {}, files and options name the readers. Change {}, and ingest the file again. `documents close` "
    "and `documents delete` are possible, and last."
)


def check_people_decide(collections: Iterable[Collection], document: Document) -> None:
    """Check that a person may name the readers of the document; `collections` are those of its tenant.

    Raises:
        Conflict: its collection leaves that to files and options; the message names the one that declares.
    """
    name = document.collection
    authority = next((each.policy_authority for each in collections if each.name == name), None)
    # A collection without a record of its own has the default.
    if authority is PolicyAuthority.FILES:
        raise Conflict(_REFUSED.format(name, _declaration(document)))


def _declaration(document: Document) -> str:
    """Return the words for what declares the readers of the document, or could declare them."""
    if document.policy_source is PolicySource.OPTION:
        return f"the option of the run or upload that ingested {document.source_file_name}"
    folder = None if document.source_path is None else PurePosixPath(document.source_path).parent
    nearest = "" if folder is None else f": the nearest one in {folder} or above"
    return f"the .policy.yaml file of {document.source_file_name}{nearest}"
