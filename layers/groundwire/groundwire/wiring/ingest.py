"""Composition of file ingestion from the ports of one machine or of the ingestion function."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.ingest_ports import IngestPorts

if TYPE_CHECKING:
    from groundwire.ports import Embedders, Enricher, Parsers
    from groundwire.wiring.admin import AdminServices


def build_file_ingestion(
    services: "AdminServices",
    parser: "Parsers",
    embedders: "Embedders",
    path_exists: Callable[[str], bool],
    enricher: "Enricher | None",
) -> FileIngestion:
    """Return the ingestion of single files into the stores of `services`; new documents get random ids."""
    return FileIngestion(
        IngestPorts(
            documents=services.documents,
            indexes=services.indexes,
            image_indexes=services.image_indexes,
            blobs=services.blobs,
            parser=parser,
            embedders=embedders,
            clock=services.clock,
            new_id=lambda: f"doc_{secrets.token_hex(8)}",
            path_exists=path_exists,
            enricher=enricher,
            image_embedder=services.image_embedder,
        )
    )
