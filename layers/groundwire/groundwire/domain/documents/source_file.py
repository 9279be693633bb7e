"""Source file of a document, as an ingestion names it."""

from dataclasses import dataclass

from groundwire.domain.access.policy_source import SourcedPolicy


@dataclass(frozen=True, slots=True)
class SourceFile:
    """File from which a document is read, as its record takes it over.

    Attributes:
        path: path of ingestion. file_type: extension without its dot. parent: the document whose attachment it is.
    """

    collection: str
    path: str
    name: str
    file_type: str
    source_url: str | None
    parent: str | None
    policy: SourcedPolicy
