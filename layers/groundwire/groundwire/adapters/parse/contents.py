"""What one reader finds in one file, before what all formats share is done to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire.domain.documents.parsed import Attachment, Block


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's blocks and what it says of itself.

    Attributes:
        title: as its author gave it; None when there is none.
        pages: pages, slides or sheets; None where the format has none.
        properties: what its header or properties say, by the names that become metadata fields.
        attachments: the files it carries.
    """

    blocks: list[Block]
    title: str | None = None
    pages: int | None = None
    pages_without_text: int = 0
    properties: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()
