"""Reading: search, documents, citations and links, with the rights of a caller."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.ports import Clock, Embedders, Sealer
    from groundwire.ports.models import QueryPlanners
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields
    from groundwire.services.collections.unreadable_names import UnreadableNames
    from groundwire.services.documents.browse import DocumentCatalog, DocumentReader
    from groundwire.services.documents.images.reader import ImageReader
    from groundwire.services.documents.images.search import ImageSearch
    from groundwire.services.documents.links.citation_verifier import CitationVerifier
    from groundwire.services.documents.links.link_opener import LinkOpener
    from groundwire.services.documents.links.source_links import ShortLinks, SourceLinks
    from groundwire.services.evaluate.measurement import SearchEvaluator
    from groundwire.services.search import Search
    from groundwire.services.search.listing import PassageListing
    from groundwire.services.search.per_collection import PerCollectionSearch
    from groundwire.services.search.planning.subqueries import SplitPhraseSearch, SubquerySearch
    from groundwire.services.sources.joins.joined_search import JoinedPerCollectionSearch, JoinedSearch
    from groundwire.wiring.backends import Backends
    from groundwire.wiring.use_cases.sources import SourceUseCases


class ReadingUseCases:
    """Use cases that read; they are `dialects.declaration.services.ReadingServices`, too."""

    def __init__(self, backends: "Backends", sources: "SourceUseCases") -> None:
        self._backends = backends
        self._sources = sources
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models = backends.stores, backends.models

    @Lazy
    def search(self) -> "Search":
        """Ranked passages."""
        return self._build_search(self._models.embedders)

    @Lazy
    def split_search(self) -> "SplitPhraseSearch":
        """Ranked passages of the phrases and of each question of the first one."""
        from groundwire.services.search.planning.subqueries import SplitPhraseSearch

        return SplitPhraseSearch(self.search)

    @Lazy
    def per_collection_search(self) -> "PerCollectionSearch":
        """Ranked passages of several collections, for each of them."""
        from groundwire.services.search.per_collection import PerCollectionSearch

        return PerCollectionSearch(self._build_search, self._models.embedders)

    @Lazy
    def subquery_search(self) -> "SubquerySearch":
        """Ranked passages of the subqueries of a query plan."""
        from groundwire.services.search.planning.subqueries import SubquerySearch

        return SubquerySearch(self._build_search, self._models.embedders)

    @Lazy
    def joined_search(self) -> "JoinedSearch":
        """Ranked passages, joined by those of MCP sources."""
        from groundwire.services.sources.joins.joined_search import JoinedSearch

        return JoinedSearch(self.search, self._sources.joins)

    @Lazy
    def phrase_search(self) -> "JoinedSearch":
        """Search as `joined_search`, which for some keys also takes each question of the first phrase."""
        from groundwire.services.sources.joins.joined_search import JoinedSearch

        return JoinedSearch(self.search, self._sources.joins, lambda: self.split_search)

    @Lazy
    def joined_per_collection_search(self) -> "JoinedPerCollectionSearch":
        """Ranked passages of several collections, each joined by those of MCP sources."""
        from groundwire.services.sources.joins.joined_search import JoinedPerCollectionSearch

        return JoinedPerCollectionSearch(self.per_collection_search, self._sources.joins)

    @Lazy
    def search_evaluator(self) -> "SearchEvaluator":
        """Evaluation of search with judged questions."""
        from groundwire.services.evaluate.measurement import SearchEvaluator
        from groundwire.services.search import Search

        # The report shows both orders, so that a reader sees what the reranker adds.
        search_without_reranker = Search(
            self._stores.indexes,
            self._models.embedders,
            self._stores.documents,
            self._stores.collections,
            None,
            self._settings.relevance_fits,
            self._clock,
        )
        return SearchEvaluator(self.search, search_without_reranker)

    @Lazy
    def query_planners(self) -> "QueryPlanners":
        """Query planners of tenants."""
        from groundwire.wiring.external_backends import build_planners

        return build_planners(self._settings, self._backends.installation.planner_key)

    @Lazy
    def passage_listing(self) -> "PassageListing":
        """Passages without a phrase, listed and counted."""
        from groundwire.services.search.listing import PassageListing

        return PassageListing(self._stores.indexes, self._stores.documents)

    @Lazy
    def image_search(self) -> "ImageSearch":
        """Images of several collections, for each of them."""
        from groundwire.services.documents.images.embedding import ImageTextEmbedders
        from groundwire.services.documents.images.search import ImageSearch
        from groundwire.services.search.per_collection import PerCollectionSearch

        embedders = ImageTextEmbedders(self._models.embedders, self._models.image_embedder)
        search = PerCollectionSearch(self._build_image_search, embedders)
        return ImageSearch(search, self._picture_search, self._stores.image_indexes.exists)

    @Lazy
    def image_reader(self) -> "ImageReader":
        """Images by their ids, and their pictures."""
        from groundwire.services.documents.browse import DocumentReader
        from groundwire.services.documents.images.reader import ImageReader
        from groundwire.services.documents.images.store import ImageStore

        return ImageReader(
            # Opened late: most answers have no image.
            lambda: DocumentReader(self._stores.documents, self._stores.image_indexes),
            lambda: ImageStore(self._stores.blobs),
            lambda: self._stores.collections,
        )

    @Lazy
    def readable_collections(self) -> "ReadableCollections":
        """Collections in which a caller can read something."""
        from groundwire.services.collections.readable import ReadableCollections

        return ReadableCollections(
            lambda: self._stores.indexes, lambda: self._stores.documents, self._stores.collections_for_search
        )

    @Lazy
    def unreadable_names(self) -> "UnreadableNames":
        """Sentences about names of collections in which a caller can read nothing."""
        from groundwire.services.collections.unreadable_names import UnreadableNames

        return UnreadableNames(lambda: self.readable_collections)

    @Lazy
    def readable_fields(self) -> "ReadableFields":
        """Metadata fields that exist for a caller."""
        from groundwire.services.collections.readable_fields import ReadableFields

        return ReadableFields(self._stores.indexes, self._stores.documents)

    @Lazy
    def source_links(self) -> "SourceLinks":
        """Addresses of source documents."""
        from groundwire.services.documents.links.source_links import SourceLinks

        settings = self._settings
        return SourceLinks(self._stores.seal, self.short_links, settings.public_url, settings.link_seconds, self._clock)

    @property
    def opening_note(self) -> str | None:
        """Line about how to open the sources of an answer, for a model; None where the settings want none."""
        from groundwire.services.documents.links.source_links import opening_note

        if self._settings.links == "none":
            return None
        return opening_note(self._settings.public_url if self._settings.links == "full" else "")

    @Lazy
    def short_links(self) -> "ShortLinks":
        """Codes of links, and the grants behind them."""
        from groundwire.adapters.codecs.block_codes import AesBlockCodes
        from groundwire.services.documents.links.source_links import ShortLinks

        codes = AesBlockCodes(self._stores.secrets.sealing_key)
        return ShortLinks(self._stores.seal, codes, self._stores.link_grants, self._clock)

    @Lazy
    def citation_verifier(self) -> "CitationVerifier":
        """Citations against the rights of the moment."""
        from groundwire.services.documents.links.citation_verifier import CitationVerifier

        return CitationVerifier(self._stores.documents, lambda: self._stores.indexes, self.source_links)

    @Lazy
    def link_opener(self) -> "LinkOpener":
        """Links to stored originals."""
        from groundwire.services.documents.links.link_opener import LinkOpener

        return LinkOpener(
            self._stores.seal,
            self._stores.keys,
            self._stores.users,
            self._stores.documents,
            self._stores.collections,
            self._stores.blobs,
            self._clock,
        )

    @Lazy
    def document_reader(self) -> "DocumentReader":
        """Documents, page by page."""
        from groundwire.services.documents.browse import DocumentReader

        return DocumentReader(self._stores.documents, self._stores.indexes)

    @Lazy
    def document_catalog(self) -> "DocumentCatalog":
        """Lists of collections and documents."""
        from groundwire.services.documents.browse import DocumentCatalog

        return DocumentCatalog(self._stores.documents, self._stores.collections)

    @property
    def sealer(self) -> "Sealer":
        """Sealing of positions in lists."""
        return self._stores.seal

    @property
    def has_reranker(self) -> bool:
        """Return whether a reranker is configured."""
        return self._models.reranker is not None

    @property
    def clock(self) -> "Clock":
        """Epoch seconds."""
        return self._clock

    def _build_search(self, embedders: "Embedders") -> "Search":
        from groundwire.services.search import Search

        return Search(
            self._stores.indexes,
            embedders,
            self._stores.documents,
            self._stores.collections_for_search,
            self._models.reranker,
            self._settings.relevance_fits,
            self._clock,
        )

    def _build_image_search(self, embedders: "Embedders") -> "Search":
        from groundwire.services.documents.images.search import collapse_equal_images
        from groundwire.services.search import Search

        return Search(
            self._stores.image_indexes,
            embedders,
            self._stores.documents,
            self._stores.collections_for_search,
            None,
            self._settings.relevance_fits,
            self._clock,
            # A logo on every page is one image.
            collapse_equal_images,
        )

    def _picture_search(self, tenant: str) -> "PerCollectionSearch | None":
        """Return the search by pictures; None where no image model is set, or the tenant's index has none of its."""
        if self._models.image_embedder is None:
            return None
        from groundwire.services.documents.images.embedding import PictureEmbedders, has_pictures_of
        from groundwire.services.search.per_collection import PerCollectionSearch

        model = self._stores.image_indexes.for_tenant(tenant).model
        # The index may be older than the setting of the image model.
        if not has_pictures_of(model, self._models.image_embedder):
            return None
        return PerCollectionSearch(self._build_image_search, PictureEmbedders(self._models.image_embedder, model))
