"""Source file of a document, as an ingestion names it."""

from dataclasses import dataclass

from groundwire.domain.access.policy_source import SourcedPolicy
from groundwire.domain.documents.contributor import NO_CONTRIBUTOR, Contributor


@dataclass(frozen=True, slots=True)
class SourceFile:
    """File from which a document is read, as its record takes it over.

    Attributes:
        path: path of ingestion. file_type: extension without its dot. parent: the document whose attachment it is.
        contributor: of the document that the file continues, or whoever brings the file in where it continues none.
    """

    collection: str
    path: str
    name: str
    file_type: str
    source_url: str | None
    parent: str | None
    policy: SourcedPolicy
    contributor: Contributor = NO_CONTRIBUTOR
