"""What the use cases need of the world. Every adapter of a port passes the same contract suite.

Each method may raise `errors.Unavailable` when the store behind it does not answer; anything else it may
raise is named. Nothing that identifies a tenant has a default.
"""

from groundwire.ports.calls import Audit, Clock, Seal
from groundwire.ports.index import (
    DocumentVersion,
    Embedder,
    Embedders,
    Index,
    Indexes,
    IndexGeneration,
    ModelId,
    Phrase,
    SegmentInput,
    SegmentVectors,
    Span,
    Standing,
    Standings,
    Vector,
)
from groundwire.ports.ingestion import Blobs, Deliveries, Delivery, IngestLock, LockHolder, Parser, Uploads
from groundwire.ports.models import Enricher, Enrichment, Reranker
from groundwire.ports.registry import WRITTEN_TOGETHER, Collections, Documents, Keys, Tenants, Users
from groundwire.ports.sessions import Sessions
from groundwire.ports.sources import SideTexts, SourceObject, SourceObjects, WorkQueue

__all__ = [
    "WRITTEN_TOGETHER",
    "Audit",
    "Blobs",
    "Clock",
    "Collections",
    "Deliveries",
    "Delivery",
    "DocumentVersion",
    "Documents",
    "Embedder",
    "Embedders",
    "Enricher",
    "Enrichment",
    "Index",
    "IndexGeneration",
    "Indexes",
    "IngestLock",
    "Keys",
    "LockHolder",
    "ModelId",
    "Parser",
    "Phrase",
    "Reranker",
    "Seal",
    "SegmentInput",
    "SegmentVectors",
    "Sessions",
    "SideTexts",
    "SourceObject",
    "SourceObjects",
    "Span",
    "Standing",
    "Standings",
    "Tenants",
    "Uploads",
    "Users",
    "Vector",
    "WorkQueue",
]
