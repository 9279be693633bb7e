"""Chunking of blocks: a heading starts a chunk, no chunk spans two groups, no table row is cut, nothing overlaps.

Neighbours are found by ordinal, so a chunk repeats nothing of the one before it except a table's labels.
"""

from dataclasses import replace

from groundwire.domain.documents.segment import Chunk
from groundwire.domain.passages.chunking.packer import pack_fragments
from groundwire.domain.passages.chunking.sections import Section, sections
from groundwire.domain.passages.chunking.splitting import split_section
from groundwire_readers.contents.parsed import ParsedDocument

__all__ = ["chunk"]


def chunk(document: ParsedDocument) -> list[Chunk]:
    """Split a document into passages in reading order, each at most `limits.SEGMENT_MAX_CHARACTERS` long."""
    parts = [part for section in sections(document.blocks) for part in _chunks(section)]
    return [replace(part, ordinal=ordinal) for ordinal, part in enumerate(parts)]


def _chunks(section: Section) -> list[Chunk]:
    return [
        Chunk(
            0,
            part.text,
            section.path,
            part.page_first,
            part.page_last,
            has_column_names=part.has_column_names,
            is_unverified=part.is_unverified,
            raw_values=part.raw_values,
        )
        for part in pack_fragments(split_section(section.blocks))
    ]
