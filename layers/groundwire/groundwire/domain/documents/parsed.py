"""Parsed documents: blocks and attachments that a parser returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class BlockKind(StrEnum):
    """Kind of a block; the chunker treats each kind differently."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Block:
    """Unit of a parsed document, in reading order, with normalised text.

    Attributes:
        level: 1 for the outermost heading; 0 for all blocks that are not headings.
        page: page, slide or sheet, from 1; None where the format has none.
        rows: the cells of a table, header row first; empty for other kinds.
        group: sheet or slide of the block; a segment never spans two groups.
    """

    kind: BlockKind
    text: str
    level: int = 0
    page: int | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """File within a file, such as a mail's attachment; it becomes a document under the policy of its parent."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """Result of parsing a file's bytes.

    Attributes:
        media_type: type sniffed from the bytes, e.g. "application/pdf".
        title: from the document's own metadata or first heading; None when it has neither, so that the file name is
            used; empty when the file name would not be informative, either.
        pages: number of pages, slides or sheets; None where the format has none.
        pages_without_text: number of pages with images only.
        language: ISO 639-1; None where the detector is not sure.
        front_matter: fields of the file's own header, as written there.
    """

    media_type: str
    title: str | None
    blocks: tuple[Block, ...]
    pages: int | None
    pages_without_text: int
    language: str | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict[str, object])
    attachments: tuple[Attachment, ...] = ()
