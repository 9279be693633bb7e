"""Blocks to chunks: a heading starts one, none spans two groups, no table row is cut, nothing overlaps.

Neighbours are found by ordinal, so a chunk repeats nothing of the one before it but a table's header row.
"""

from groundwire.domain.chunking.packing import pack
from groundwire.domain.chunking.pieces import pieces
from groundwire.domain.chunking.sections import Section, sections
from groundwire.domain.documents import Chunk, ParsedDocument

__all__ = ["chunk"]


def chunk(document: ParsedDocument) -> list[Chunk]:
    """The passages of a document in reading order, each at most `limits.SEGMENT_MAX_CHARACTERS` long."""
    cut = [part for section in sections(document.blocks) for part in _chunks(section)]
    return [
        Chunk(ordinal, part.text, part.heading_path, part.page_first, part.page_last)
        for ordinal, part in enumerate(cut)
    ]


def _chunks(section: Section) -> list[Chunk]:
    return [Chunk(0, part.text, section.path, part.page_first, part.page_last) for part in pack(pieces(section.blocks))]
