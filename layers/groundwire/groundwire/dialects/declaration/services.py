"""Use cases that dialects translate to."""

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from groundwire.ports.models import QueryPlanners
    from groundwire.ports.system import Clock, Sealer
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields
    from groundwire.services.collections.unreadable_names import UnreadableNamesFunction
    from groundwire.services.definitions.admin import DefinitionAdmin
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.images.reader import ImageReader
    from groundwire.services.documents.images.search import ImageSearchFunction
    from groundwire.services.documents.links.citation_verifier import CitationVerifier
    from groundwire.services.documents.links.source_links import SourceLinks
    from groundwire.services.documents.tags.new_tags import NewTagFinder
    from groundwire.services.search import SearchFunction
    from groundwire.services.search.listing import PassageListing
    from groundwire.services.search.per_collection import PerCollectionSearchFunction
    from groundwire.services.search.planning.subqueries import SubquerySearchFunction
    from groundwire.services.sources.admin import SourceAdmin
    from groundwire.services.sources.tools import SourceTools


# A protocol, so that to read the declarations imports no use case.
class ReadingServices(Protocol):
    """Use cases that read, each built when a call first needs it."""

    @property
    def search(self) -> "SearchFunction":
        """Ranked passages of this server's documents, for dialects whose passages are read again by their ids."""
        ...

    @property
    def joined_search(self) -> "SearchFunction":
        """Ranked passages, joined by those of MCP sources."""
        ...

    @property
    def phrase_search(self) -> "SearchFunction":
        """Search as `joined_search`, which for some keys also takes each question of the first phrase."""
        ...

    @property
    def joined_per_collection_search(self) -> "PerCollectionSearchFunction":
        """Ranked passages of several collections, for each of them, joined by those of MCP sources."""
        ...

    @property
    def subquery_search(self) -> "SubquerySearchFunction":
        """Ranked passages of the queries of a plan."""
        ...

    @property
    def query_planners(self) -> "QueryPlanners":
        """Planners of a tenant's conversations."""
        ...

    @property
    def passage_listing(self) -> "PassageListing":
        """Passages without a phrase, listed and counted."""
        ...

    @property
    def image_search(self) -> "ImageSearchFunction":
        """Images of several collections, for each of them."""
        ...

    @property
    def image_reader(self) -> "ImageReader":
        """Images by their ids, and their pictures."""
        ...

    @property
    def source_links(self) -> "SourceLinks":
        """Addresses of source documents."""
        ...

    @property
    def opening_note(self) -> str | None:
        """Line about how to open the sources of an answer, for a model; None where the settings want none."""
        ...

    @property
    def citation_verifier(self) -> "CitationVerifier":
        """Citations against the rights of the moment."""
        ...

    @property
    def document_reader(self) -> "DocumentReader":
        """Documents, page by page."""
        ...

    @property
    def document_catalog(self) -> "DocumentCatalog":
        """Lists of collections and documents."""
        ...

    @property
    def readable_collections(self) -> "ReadableCollections":
        """Collections in which a caller can read something."""
        ...

    @property
    def unreadable_names(self) -> "UnreadableNamesFunction":
        """Sentences about names of collections in which a caller can read nothing."""
        ...

    @property
    def readable_fields(self) -> "ReadableFields":
        """Fields of the documents that a caller may read, for filters."""
        ...

    @property
    def sealer(self) -> "Sealer":
        """Sealing of positions in lists."""
        ...

    @property
    def has_reranker(self) -> bool:
        """Return whether a reranker is configured."""
        ...

    @property
    def clock(self) -> "Clock":
        """Epoch seconds."""
        ...


class SourceServices(Protocol):
    """Use cases about MCP sources and definitions, each built when a call first needs it."""

    @property
    def definition_admin(self) -> "DefinitionAdmin":
        """Definitions that administrators make through the dialect."""
        ...

    @property
    def admin(self) -> "SourceAdmin":
        """MCP sources of a tenant."""
        ...

    @property
    def new_tags(self) -> "NewTagFinder":
        """Tags that are not in use yet, for policies of sources."""
        ...

    @property
    def tools(self) -> "SourceTools":
        """Tools of MCP sources, by the rights of a caller."""
        ...


class DialectServices(NamedTuple):
    """Use cases that a dialect translates to."""

    reading: ReadingServices
    sources: SourceServices
