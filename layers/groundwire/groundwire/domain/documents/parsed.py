"""Parsed documents: blocks and attachments that a parser returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    """What a parser saw: the chunker treats each kind differently."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """One unit of a parsed document, in reading order, text normalised.

    Attributes:
        level: 1 is the outermost heading; 0 for everything that is not a heading.
        page: 1-based page, slide or sheet; None where the format has none.
        rows: the cells of a table, header row first; empty for other kinds.
        group: sheet or slide that the block belongs to; a segment never spans two groups.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file within a file, such as a mail's; a document of its own under the policy of what carries it."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a parser makes of a file's bytes.

    Attributes:
        media_type: what the bytes are, as sniffed, e.g. "application/pdf".
        title: from the document's own metadata or first heading; None when it has neither, so that its file's name
            stands for it; empty where that would say nothing, either.
        pages: number of pages, slides or sheets; None where the format has none.
        pages_without_text: pages on which nothing but images was found.
        language: ISO 639-1; None where the detector is not sure.
        front_matter: what the file says of itself in a header of its own, as it was written there.
    """

    media_type: str
    title: str | None
    blocks: tuple[Block, ...]
    pages: int | None
    pages_without_text: int
    language: str | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()
