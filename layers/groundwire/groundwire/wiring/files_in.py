"""What brings files in, made of the ports of one machine or of the ingestion function."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.services.ingest.ingest import Ingest, IngestPorts

if TYPE_CHECKING:
    from groundwire.ports import Embedders, Enricher, Parser
    from groundwire.wiring.care import CareServices


def ingest_of(
    services: "CareServices",
    parser: "Parser",
    embedders: "Embedders",
    path_exists: Callable[[str], bool],
    enricher: "Enricher | None",
) -> Ingest:
    """Ingestion of single files into the stores of `services`; each new document gets a random id."""
    return Ingest(
        IngestPorts(
            documents=services.documents,
            indexes=services.indexes,
            blobs=services.blobs,
            parser=parser,
            embedders=embedders,
            clock=services.clock,
            new_id=lambda: f"doc_{secrets.token_hex(8)}",
            path_exists=path_exists,
            enricher=enricher,
        )
    )
