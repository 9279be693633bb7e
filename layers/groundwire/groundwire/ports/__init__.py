"""Ports: the interfaces between the use cases and stores, models and queues.

All adapters of a port pass the same contract suite. Each method may raise `errors.Unavailable` when the store behind it
does not respond; its docstring names all other errors. Parameters that identify a tenant have no default.
"""

from groundwire.ports.definitions import DefinitionKind, Definitions, StoredDefinition
from groundwire.ports.index.halves import Index, LexicalIndex, VectorIndex, lexical_half
from groundwire.ports.index.row_queries import (
    DocumentsByCollection,
    DocumentsByField,
    FirstRows,
    RowListing,
    RowQuery,
    RowsByCollection,
    RowsByValue,
    RowSelection,
)
from groundwire.ports.index.rows import DocumentVersion, SegmentInput, SegmentVectors, Span
from groundwire.ports.index.searches import Hits, IndexQuery, Phrase, RowKey, SelectRows
from groundwire.ports.indexes import (
    GenerationState,
    Indexes,
    IndexGeneration,
    IndexGenerations,
    IndexInspection,
    WakeableIndexes,
)
from groundwire.ports.ingestion import Blobs, IngestLock, LockHolder, Parser, Parsers
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
from groundwire.ports.system import AuditLog, Clock, HeaderChecks, ScratchTenants, Sealer, Sessions
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
    "DocumentsByCollection",
    "DocumentsByField",
    "Embedder",
    "Embedders",
    "Enricher",
    "Enrichment",
    "EventClaims",
    "FirstRows",
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
    "LexicalIndex",
    "LockHolder",
    "ModelDeployment",
    "ModelId",
    "ModelUsage",
    "Parser",
    "Parsers",
    "Phrase",
    "QueryPlan",
    "QueryPlanner",
    "QueryPlanners",
    "Reranker",
    "RowKey",
    "RowListing",
    "RowQuery",
    "RowSelection",
    "RowsByCollection",
    "RowsByValue",
    "ScratchTenants",
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
    "VectorIndex",
    "WakeableIndexes",
    "WorkQueue",
    "lexical_half",
]
