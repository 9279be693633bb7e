"""Reading: search, documents, citations and links, with the rights of a caller."""

from typing import TYPE_CHECKING

from groundwire.wiring.authorizer import AuthorizerServices
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.ports import CallPorts, DocumentPorts

if TYPE_CHECKING:
    from groundwire.ports import Collections, Embedders
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.citation_verifier import CitationVerifier
    from groundwire.services.documents.link_opener import LinkOpener
    from groundwire.services.documents.source_links import SourceLinks
    from groundwire.services.search import Search
    from groundwire.services.search.image_search import ImageSearchFunction
    from groundwire.services.search.per_collection import PerCollectionSearch


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

    @Lazy
    def per_collection_search(self) -> "PerCollectionSearch":
        """Ranked passages of several collections, for each of them."""
        from groundwire.services.search.per_collection import PerCollectionSearch

        return PerCollectionSearch(self._build_search, self.embedders)

    @property
    def image_search(self) -> "ImageSearchFunction":
        """Search for images; no collection holds any."""
        from groundwire.services.search.image_search import search_no_images

        return search_no_images

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
