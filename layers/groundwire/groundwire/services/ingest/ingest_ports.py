"""Ports that the ingestion of files uses."""

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.ports import Blobs, Clock, Documents, Embedders, Enricher, ImageEmbedder, Indexes, Parsers


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """Ports and functions that ingestion uses.

    Attributes:
        new_id: returns a new document id. path_exists: returns whether a source path still exists.
        enricher: adds text to passages before they are embedded; None without one.
        image_embedder: embeds pictures; None without one.
    """

    documents: Documents
    indexes: Indexes
    image_indexes: Indexes
    blobs: Blobs
    parser: Parsers
    embedders: Embedders
    clock: Clock
    new_id: Callable[[], str]
    path_exists: Callable[[str], bool]
    enricher: Enricher | None = None
    image_embedder: ImageEmbedder | None = None
