"""Use cases that dialects translate to."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from groundwire.ports.models import QueryPlanners
    from groundwire.ports.system import Clock, Sealer
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields
    from groundwire.services.definitions.admin import DefinitionAdmin
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.citation_verifier import CitationVerifier
    from groundwire.services.documents.images.reader import ImageReader
    from groundwire.services.documents.images.search import ImageSearchFunction
    from groundwire.services.documents.source_links import SourceLinks
    from groundwire.services.search import SearchFunction
    from groundwire.services.search.listing import PassageListing
    from groundwire.services.search.per_collection import PerCollectionSearchFunction
    from groundwire.services.search.planning.subqueries import SubquerySearchFunction
    from groundwire.services.sources.admin import SourceAdmin
    from groundwire.services.sources.tools import SourceTools


class DialectServices(NamedTuple):
    """The use cases that a dialect translates to, each behind a function: it is built when a call first needs it.

    Attributes:
        search: ranked passages, those of MCP sources among them. own_search: those of this server's documents alone,
            for dialects whose passages are read again by their ids.
        split_search: those of the phrases, and of each question of the first one.
        document_reader: documents, page by page. document_catalog: lists of documents.
        source_links: addresses of source documents. citation_verifier: citations against the rights of the moment.
        readable_collections: collections in which a caller can read something.
        sealer: sealed positions in lists. has_reranker: whether a reranker is configured.
        readable_fields: fields of the documents that a caller may read, for filters.
        per_collection_search: ranked passages of several collections, for each of them. image_search: images.
        image_reader: images by their ids, and their pictures.
        subquery_search: ranked passages of the queries of a plan. query_planners: planners of a tenant's conversations.
        passage_listing: passages without a phrase, listed and counted.
        clock: epoch seconds. definition_admin: definitions that administrators make through the dialect.
        source_admin: MCP sources of a tenant. source_tools: their tools, by the rights of a caller.
    """

    search: "Callable[[], SearchFunction]"
    own_search: "Callable[[], SearchFunction]"
    split_search: "Callable[[], SearchFunction]"
    source_links: "Callable[[], SourceLinks]"
    citation_verifier: "Callable[[], CitationVerifier]"
    document_reader: "Callable[[], DocumentReader]"
    document_catalog: "Callable[[], DocumentCatalog]"
    readable_collections: "Callable[[], ReadableCollections]"
    readable_fields: "Callable[[], ReadableFields]"
    sealer: "Callable[[], Sealer]"
    has_reranker: Callable[[], bool]
    per_collection_search: "Callable[[], PerCollectionSearchFunction]"
    image_search: "Callable[[], ImageSearchFunction]"
    image_reader: "Callable[[], ImageReader]"
    subquery_search: "Callable[[], SubquerySearchFunction]"
    query_planners: "Callable[[], QueryPlanners]"
    passage_listing: "Callable[[], PassageListing]"
    clock: "Callable[[], Clock]"
    definition_admin: "Callable[[], DefinitionAdmin]"
    source_admin: "Callable[[], SourceAdmin]"
    source_tools: "Callable[[], SourceTools]"
