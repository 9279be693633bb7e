"""Ports: the interfaces between the use cases and stores, models and queues.

All adapters of a port pass the same contract suite. Each method may raise `errors.Unavailable` when the store behind it
does not respond; its docstring names all other errors. Parameters that identify a tenant have no default.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
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
    from groundwire.ports.ingestion import Blobs, IngestionRuns, IngestLock, LockHolder, Parser, Parsers
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
    from groundwire.ports.registry.documents import MAX_ATOMIC_WRITES, Documents, SourceRecords
    from groundwire.ports.registry.evaluations import Evaluations
    from groundwire.ports.registry.keys import Keys
    from groundwire.ports.registry.tenants import Collections, Tenants
    from groundwire.ports.registry.users import Users
    from groundwire.ports.system import (
        AuditLog,
        AuditTrail,
        AuthorizationServer,
        BlockCodes,
        Clock,
        Groups,
        HeaderChecks,
        LinkGrants,
        ProviderSessions,
        ScratchTenants,
        Sealer,
        Sessions,
    )
    from groundwire.ports.uploads import Uploads

__all__ = [
    "MAX_ATOMIC_WRITES",
    "AuditLog",
    "AuditTrail",
    "AuthorizationServer",
    "Blobs",
    "BlockCodes",
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
    "Evaluations",
    "EventClaims",
    "FirstRows",
    "GenerationState",
    "Groups",
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
    "IngestionRuns",
    "Keys",
    "LexicalIndex",
    "LinkGrants",
    "LockHolder",
    "ModelDeployment",
    "ModelId",
    "ModelUsage",
    "Parser",
    "Parsers",
    "Phrase",
    "ProviderSessions",
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

_MODULES: Final = {
    "AuditLog": "system",
    "AuditTrail": "system",
    "AuthorizationServer": "system",
    "Blobs": "ingestion",
    "BlockCodes": "system",
    "ClaimResult": "object_events",
    "Clock": "system",
    "Collections": "registry.tenants",
    "DefinitionKind": "definitions",
    "Definitions": "definitions",
    "DeletableObjects": "object_events",
    "DocumentVersion": "index.rows",
    "Documents": "registry.documents",
    "DocumentsByCollection": "index.row_queries",
    "DocumentsByField": "index.row_queries",
    "Embedder": "models",
    "Embedders": "models",
    "Enricher": "models",
    "Enrichment": "models",
    "Evaluations": "registry.evaluations",
    "EventClaims": "object_events",
    "FirstRows": "index.row_queries",
    "GenerationState": "indexes",
    "Groups": "system",
    "HeaderChecks": "system",
    "Hits": "index.searches",
    "ImageEmbedder": "models",
    "Index": "index.halves",
    "IndexGeneration": "indexes",
    "IndexGenerations": "indexes",
    "IndexInspection": "indexes",
    "IndexQuery": "index.searches",
    "Indexes": "indexes",
    "IngestLock": "ingestion",
    "IngestionRuns": "ingestion",
    "Keys": "registry.keys",
    "LexicalIndex": "index.halves",
    "LinkGrants": "system",
    "LockHolder": "ingestion",
    "MAX_ATOMIC_WRITES": "registry.documents",
    "ModelDeployment": "models",
    "ModelId": "models",
    "ModelUsage": "models",
    "Parser": "ingestion",
    "Parsers": "ingestion",
    "Phrase": "index.searches",
    "ProviderSessions": "system",
    "QueryPlan": "models",
    "QueryPlanner": "models",
    "QueryPlanners": "models",
    "Reranker": "models",
    "RowKey": "index.searches",
    "RowListing": "index.row_queries",
    "RowQuery": "index.row_queries",
    "RowSelection": "index.row_queries",
    "RowsByCollection": "index.row_queries",
    "RowsByValue": "index.row_queries",
    "ScratchTenants": "system",
    "Sealer": "system",
    "SegmentInput": "index.rows",
    "SegmentVectors": "index.rows",
    "SelectRows": "index.searches",
    "Sessions": "system",
    "SidecarParser": "object_events",
    "SourceObject": "object_events",
    "SourceObjects": "object_events",
    "SourceRecords": "registry.documents",
    "Span": "index.rows",
    "StoredDefinition": "definitions",
    "Tenants": "registry.tenants",
    "Uploads": "uploads",
    "Users": "registry.users",
    "Vector": "models",
    "VectorIndex": "index.halves",
    "WakeableIndexes": "indexes",
    "WorkQueue": "object_events",
    "lexical_half": "index.halves",
}
"""Modules of the names: each is loaded with the first use of a name, as a cold start waits for every import."""


def __getattr__(name: str) -> object:
    """Return a name of a port after loading its module.

    Raises:
        AttributeError: no port has the name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    # The next access finds the name in the module and does not come here (PEP 562).
    globals()[name] = value
    return value
