"""The result of one format's reader, before the processing that all formats share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire_readers.contents.parsed import Attachment, Block, ReadingDefect


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's blocks and properties.

    Attributes:
        title: as its author gave it; None when there is none.
        pages: number of pages, slides or sheets; None where the format has none.
        properties: from its header or properties, by the names that become metadata fields.
        attachments: the files attached to it.
        defects: number of each defect of the reading.
    """

    blocks: list[Block]
    title: str | None = None
    pages: int | None = None
    pages_without_text: int = 0
    properties: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()
    defects: Mapping[ReadingDefect, int] = field(default_factory=dict[ReadingDefect, int])
