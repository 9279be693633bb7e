"""Reading: search, documents, citations and links, with the rights of a caller."""

from typing import TYPE_CHECKING

from groundwire.wiring.authorizer import AuthorizerServices
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.ports import CallPorts, DocumentPorts

if TYPE_CHECKING:
    from groundwire.ports import Collections, Embedders
    from groundwire.ports.models import QueryPlanner, QueryPlanners
    from groundwire.ports.sources import SourceGateway
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields
    from groundwire.services.definitions.admin import DefinitionAdmin
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.citation_verifier import CitationVerifier
    from groundwire.services.documents.images.reader import ImageReader
    from groundwire.services.documents.images.search import ImageSearch
    from groundwire.services.documents.link_opener import LinkOpener
    from groundwire.services.documents.source_links import SourceLinks
    from groundwire.services.search import Search
    from groundwire.services.search.listing import PassageListing
    from groundwire.services.search.per_collection import PerCollectionSearch
    from groundwire.services.search.planning.subqueries import SplitPhraseSearch, SubquerySearch
    from groundwire.services.sources.states import SourceStates


class SearchServices(AuthorizerServices, DocumentPorts, CallPorts):
    """Use cases that read."""

    @Lazy
    def collections_for_search(self) -> "Collections":
        """Names and weights, as searches read them."""
        return self.collections

    @Lazy
    def search(self) -> "Search":
        """Ranked passages."""
        return self._build_search(self.embedders)

    @Lazy
    def split_search(self) -> "SplitPhraseSearch":
        """Ranked passages of the phrases and of each question of the first one."""
        from groundwire.services.search.planning.subqueries import SplitPhraseSearch

        return SplitPhraseSearch(self.search)

    def _build_search(self, embedders: "Embedders") -> "Search":
        from groundwire.services.search import Search

        collections = self.collections_for_search
        return Search(
            self.indexes,
            embedders,
            self.documents,
            collections,
            self.reranker,
            self.settings.relevance_fits,
            self.clock,
        )

    def _build_image_search(self, embedders: "Embedders") -> "Search":
        from groundwire.services.documents.images.search import collapse_equal_images
        from groundwire.services.search import Search

        return Search(
            self.image_indexes,
            embedders,
            self.documents,
            self.collections_for_search,
            None,
            self.settings.relevance_fits,
            self.clock,
            collapse_equal_images,
        )

    @Lazy
    def per_collection_search(self) -> "PerCollectionSearch":
        """Ranked passages of several collections, for each of them."""
        from groundwire.services.search.per_collection import PerCollectionSearch

        return PerCollectionSearch(self._build_search, self.embedders)

    @Lazy
    def subquery_search(self) -> "SubquerySearch":
        """Ranked passages of the subqueries of a query plan."""
        from groundwire.services.search.planning.subqueries import SubquerySearch

        return SubquerySearch(self._build_search, self.embedders)

    @Lazy
    def query_planners(self) -> "QueryPlanners":
        """Query planners of tenants."""
        from groundwire.wiring.external_backends import build_planners

        return build_planners(self.settings, self.planner_key)

    @property
    def query_planner(self) -> "QueryPlanner":
        """The server's own planner, as evaluation uses it."""
        return self.query_planners.for_tenant("", ())

    def planner_key(self) -> str | None:
        """Return the API key of the server's own planning model; None without one."""
        planner = self.settings.planner
        return None if planner is None or planner.service is None else planner.service.key

    @Lazy
    def passage_listing(self) -> "PassageListing":
        """Passages without a phrase, listed and counted."""
        from groundwire.services.search.listing import PassageListing

        return PassageListing(self.indexes, self.documents)

    @Lazy
    def image_search(self) -> "ImageSearch":
        """Images of several collections, for each of them."""
        from groundwire.services.documents.images.embedding import ImageTextEmbedders
        from groundwire.services.documents.images.search import ImageSearch
        from groundwire.services.search.per_collection import PerCollectionSearch

        embedders = ImageTextEmbedders(self.embedders, self.image_embedder)
        search = PerCollectionSearch(self._build_image_search, embedders)
        return ImageSearch(search, self._picture_search, self.image_indexes.exists)

    def _picture_search(self, tenant: str) -> "PerCollectionSearch | None":
        """Return the search by pictures; None where no image model is set, or the tenant's index has none of its."""
        if self.image_embedder is None:
            return None
        from groundwire.services.documents.images.embedding import PictureEmbedders, has_pictures_of
        from groundwire.services.search.per_collection import PerCollectionSearch

        model = self.image_indexes.for_tenant(tenant).model
        if not has_pictures_of(model, self.image_embedder):
            return None
        return PerCollectionSearch(self._build_image_search, PictureEmbedders(self.image_embedder, model))

    @Lazy
    def image_reader(self) -> "ImageReader":
        """Images by their ids, and their pictures."""
        from groundwire.services.documents.browse import DocumentReader
        from groundwire.services.documents.images.reader import ImageReader
        from groundwire.services.documents.images.store import ImageStore

        return ImageReader(lambda: DocumentReader(self.documents, self.image_indexes), lambda: ImageStore(self.blobs))

    @Lazy
    def readable_collections(self) -> "ReadableCollections":
        """Collections in which a caller can read something."""
        from groundwire.services.collections.readable import ReadableCollections

        return ReadableCollections(lambda: self.indexes, lambda: self.documents, self.collections_for_search)

    @Lazy
    def readable_fields(self) -> "ReadableFields":
        """Metadata fields that exist for a caller."""
        from groundwire.services.collections.readable_fields import ReadableFields

        return ReadableFields(self.indexes, self.documents)

    @Lazy
    def source_links(self) -> "SourceLinks":
        """Addresses of source documents."""
        from groundwire.services.documents.source_links import SourceLinks

        return SourceLinks(self.seal, self.settings.public_url, self.settings.link_seconds, self.clock)

    @Lazy
    def citation_verifier(self) -> "CitationVerifier":
        """Citations against the rights of the moment."""
        from groundwire.services.documents.citation_verifier import CitationVerifier

        return CitationVerifier(self.documents, self.source_links)

    @Lazy
    def link_opener(self) -> "LinkOpener":
        """Links to stored originals."""
        from groundwire.services.documents.link_opener import LinkOpener

        return LinkOpener(self.seal, self.keys, self.users, self.documents, self.blobs, self.clock)

    @Lazy
    def document_reader(self) -> "DocumentReader":
        """Documents, page by page."""
        from groundwire.services.documents.browse import DocumentReader

        return DocumentReader(self.documents, self.indexes)

    @Lazy
    def document_catalog(self) -> "DocumentCatalog":
        """Lists of collections and documents."""
        from groundwire.services.documents.browse import DocumentCatalog

        return DocumentCatalog(self.documents, self.collections)

    @Lazy
    def definition_admin(self) -> "DefinitionAdmin":
        """Definitions that administrators make through dialects."""
        from groundwire.services.definitions.admin import DefinitionAdmin
        from groundwire.services.definitions.secrets import DefinitionSecrets

        return DefinitionAdmin(self.definitions, DefinitionSecrets(lambda: self.seal), _new_tag, self.clock)

    @Lazy
    def source_states(self) -> "SourceStates":
        """States of MCP sources, and the last listings of their tools."""
        from groundwire.services.sources.states import SourceStates

        return SourceStates(self.definitions, _new_tag, self.clock)

    @Lazy
    def source_gateway(self) -> "SourceGateway":
        """Calls to MCP sources, from this process."""
        return self._build_source_gateway()

    def _build_source_gateway(self) -> "SourceGateway":
        from groundwire.services.sources.guarded import GuardedSources
        from groundwire.wiring.external_backends import build_source_client

        return GuardedSources(build_source_client(self.settings), self.source_states, self.clock)


def _new_tag() -> str:
    """Return a version token that no other write has."""
    # Lazy import: a search makes none.
    from secrets import token_hex

    return token_hex(8)
