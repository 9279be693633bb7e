"""Ports: the interfaces between the use cases and stores, models and queues.

All adapters of a port pass the same contract suite. Each method may raise `errors.Unavailable` when the store behind it
does not respond; its docstring names all other errors. Parameters that identify a tenant have no default.
"""

from groundwire.ports.definitions import DefinitionKind, Definitions, StoredDefinition
from groundwire.ports.index import (
    DocumentVersion,
    Hits,
    Index,
    IndexQuery,
    Phrase,
    RowKey,
    RowListing,
    RowSelection,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    Span,
)
from groundwire.ports.indexes import (
    GenerationState,
    Indexes,
    IndexGeneration,
    IndexGenerations,
    IndexInspection,
    WakeableIndexes,
)
from groundwire.ports.ingestion import Blobs, IngestLock, LockHolder, Parser
from groundwire.ports.models import (
    Embedder,
    Embedders,
    Enricher,
    Enrichment,
    ImageEmbedder,
    ModelDeployment,
    ModelId,
    ModelUsage,
    QueryPlan,
    QueryPlanner,
    QueryPlanners,
    Reranker,
    Vector,
)
from groundwire.ports.object_events import (
    ClaimResult,
    DeletableObjects,
    EventClaims,
    SidecarParser,
    SourceObject,
    SourceObjects,
    WorkQueue,
)
from groundwire.ports.registry import MAX_ATOMIC_WRITES, Collections, Documents, Keys, SourceRecords, Tenants, Users
from groundwire.ports.sessions import Sessions
from groundwire.ports.system import AuditLog, Clock, HeaderChecks, Sealer
from groundwire.ports.uploads import Uploads

__all__ = [
    "MAX_ATOMIC_WRITES",
    "AuditLog",
    "Blobs",
    "ClaimResult",
    "Clock",
    "Collections",
    "DefinitionKind",
    "Definitions",
    "DeletableObjects",
    "DocumentVersion",
    "Documents",
    "Embedder",
    "Embedders",
    "Enricher",
    "Enrichment",
    "EventClaims",
    "GenerationState",
    "HeaderChecks",
    "Hits",
    "ImageEmbedder",
    "Index",
    "IndexGeneration",
    "IndexGenerations",
    "IndexInspection",
    "IndexQuery",
    "Indexes",
    "IngestLock",
    "Keys",
    "LockHolder",
    "ModelDeployment",
    "ModelId",
    "ModelUsage",
    "Parser",
    "Phrase",
    "QueryPlan",
    "QueryPlanner",
    "QueryPlanners",
    "Reranker",
    "RowKey",
    "RowListing",
    "RowSelection",
    "Sealer",
    "SegmentInput",
    "SegmentVectors",
    "SelectRows",
    "Sessions",
    "SidecarParser",
    "SourceObject",
    "SourceObjects",
    "SourceRecords",
    "Span",
    "StoredDefinition",
    "Tenants",
    "Uploads",
    "Users",
    "Vector",
    "WakeableIndexes",
    "WorkQueue",
]
