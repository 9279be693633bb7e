"""What makes a document's segments: a document made by another recipe is read again."""

import hashlib
from dataclasses import dataclass
from typing import Final

from groundwire.domain import metadata
from groundwire.domain.documents import Document
from groundwire.ports import Enricher, Parser
from groundwire.services.ingest.request import IngestRequest

CHUNKING: Final = "chunks-4"
"""Changed whenever the same file would be cut or described differently, so that it is read again."""
_RECOGNITION: Final = " recognition="


@dataclass(frozen=True, slots=True)
class Recipe:
    """Parser, chunking and what the owner says of the document; the model is no part of it, as the index has one.

    Attributes:
        recognition: how pages without text are read; empty where they are not.
    """

    base: str
    recognition: str

    def of(self, pages_without_text: int) -> str:
        """As a record keeps it."""
        read_pages = pages_without_text > 0 and self.recognition
        return f"{self.base}{_RECOGNITION}{self.recognition}" if read_pages else self.base

    def failed(self, pages_without_text: int) -> str:
        """As a record keeps it whose enrichment failed: it is no recipe, so that the next run asks again."""
        return f"{self.of(pages_without_text)} enrichment failed"

    def made(self, document: Document) -> bool:
        """Whether the document needs not be read again: recognition, turned on, is tried on each missing page once."""
        base, _, recognition = document.recipe.partition(_RECOGNITION)
        tried = not document.pages_without_text or recognition == self.recognition
        return base == self.base and (tried or not self.recognition)


def recipe_of(request: IngestRequest, parser: Parser, enricher: Enricher | None) -> Recipe:
    """The recipe by which this file would be read now."""
    parts = [parser.version, CHUNKING]
    if request.language is not None:
        parts.append(f"language={request.language}")
    if request.metadata:
        said = metadata.to_json(request.metadata).encode("utf-8", "surrogatepass")
        parts.append(f"metadata={hashlib.sha256(said).hexdigest()[:16]}")
    if enricher is not None:
        parts.append(f"enricher={enricher.version}")
    return Recipe(" ".join(parts), parser.recognition)
