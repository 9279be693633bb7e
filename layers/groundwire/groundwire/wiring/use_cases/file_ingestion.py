"""Composition of file ingestion from the ports of one machine or of the ingestion function."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.services.ingest.file_ingestion import FileIngestion
from groundwire.services.ingest.ingest_ports import IngestPorts

if TYPE_CHECKING:
    from groundwire.ports import Embedders, Enricher, Parsers
    from groundwire.wiring.backends import Backends
    from groundwire.wiring.use_cases.administration import AdministrationUseCases


def build_file_ingestion(
    backends: "Backends",
    parser: "Parsers",
    embedders: "Embedders",
    path_exists: Callable[[str], bool],
    administration: "AdministrationUseCases",
    enricher: "Enricher | None",
) -> FileIngestion:
    """Return the ingestion of single files into the stores of `backends`; new documents get random ids."""
    return FileIngestion(
        IngestPorts(
            documents=backends.stores.documents,
            indexes=backends.stores.indexes,
            image_indexes=backends.stores.image_indexes,
            blobs=backends.stores.blobs,
            parser=parser,
            embedders=embedders,
            clock=backends.clock,
            # Random, so that an id tells nothing of other documents.
            new_id=lambda: f"doc_{secrets.token_hex(8)}",
            path_exists=path_exists,
            deletions=administration.deletion_memory,
            record_restoration=administration.ingestion_audit.restoring,
            enricher=enricher,
            image_embedder=backends.models.image_embedder,
        )
    )
