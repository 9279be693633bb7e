"""The use cases of the ingestion function."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

from groundwire.settings import environment
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
    from groundwire.ports import Parsers
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.object_events.embedding_cache import CachingEmbedders
    from groundwire.services.object_events.processor import ObjectEventProcessor
    from groundwire.services.uploads.ingestion import UploadIngestion
    from groundwire.wiring.cloud.backends import CloudBackends
    from groundwire.wiring.use_cases.administration import AdministrationUseCases


class CloudIngestion:
    """Use cases that process object events of the bucket."""

    def __init__(self, backends: "CloudBackends", administration: "AdministrationUseCases") -> None:
        self._backends = backends
        self._administration = administration
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models = backends.stores, backends.models
        self._deployment = backends.installation.deployment

    @Lazy
    def object_event_processor(self) -> "ObjectEventProcessor":
        """Processing of object events, one at a time per tenant."""
        from groundwire.services.documents.admin import DocumentAdmin
        from groundwire.services.object_events.object_ingestion import ObjectIngestion
        from groundwire.services.object_events.processor import ObjectEventProcessor, ProcessorDependencies
        from groundwire.services.object_events.subtree import SubtreeUpdater, defer_reconciliation

        object_ingestion = ObjectIngestion(
            self._stores.source_objects,
            self.sidecar_parser,
            self._stores.documents,
            self._administration.document_admin,
            self.batch,
            self.caching_embedders,
            self._administration.ingestion_audit,
        )
        # A policy file may concern many documents: their records change at once, and their rows afterwards.
        deferring_admin = DocumentAdmin(
            self._stores.documents,
            self._stores.collections,
            self._administration.deletion_memory,
            defer_reconciliation,
            self._administration.write_line,
            self._clock,
        )
        subtree_updater = SubtreeUpdater(
            self._stores.source_objects,
            self.sidecar_parser,
            self._stores.documents,
            self._administration.document_admin,
            deferring_admin,
            self._clock,
            self._administration.ingestion_audit,
        )
        return ObjectEventProcessor(
            ProcessorDependencies(
                lock=self._stores.ingest_lock,
                event_claims=self._stores.event_claims,
                documents=self._stores.documents,
                sources=self._stores.source_objects,
                object_ingestion=object_ingestion,
                upload_ingestion=self.uploads,
                subtree_updater=subtree_updater,
                embedders=self.caching_embedders,
                reconciler=self._administration.reconciler,
                indexes=(self._stores.indexes, self._stores.image_indexes),
                queue=self._stores.work_queue,
                clock=self._clock,
            )
        )

    @Lazy
    def uploads(self) -> "UploadIngestion":
        """Ingestion of uploaded files."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        stores = self._stores
        return UploadIngestion(
            stores.uploads,
            stores.keys,
            stores.users,
            self.batch,
            stores.ingest_lock,
            self._administration.ingestion_audit,
        )

    @Lazy
    def batch(self) -> "IngestBatch":
        """Ingestion of batches of files."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.services.object_events.processor import is_deferred_to_sweep
        from groundwire.wiring.use_cases.file_ingestion import build_file_ingestion

        # No enricher, which is a program on the operator's machine.
        ingest = build_file_ingestion(
            self._backends, self.parser, self.caching_embedders, self._path_exists, self._administration, None
        )
        return IngestBatch(
            ingest,
            self._administration.reconciler,
            self._stores.collections,
            self._stores.ingest_lock,
            self._clock,
            # The queue delivers one file for each message, so no lock of whole runs is needed.
            lambda _tenant: nullcontext(),
            is_deferred_to_sweep(self._clock),
        )

    @Lazy
    def caching_embedders(self) -> "CachingEmbedders":
        """The embedding models with a cache of vectors across invocations."""
        from groundwire.services.object_events.embedding_cache import CachingEmbedders

        # A large file may take several deliveries of its message; each keeps its vectors.
        return CachingEmbedders(self._models.embedders, self._stores.blobs)

    @Lazy
    def sidecar_parser(self) -> "YamlSidecarParser":
        """Parser of policy files and metadata files."""
        from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser

        return YamlSidecarParser()

    @Lazy
    def parser(self) -> "Parsers":
        """The parser function, as this function has neither the libraries of parsers nor a sandbox for them."""
        from groundwire.adapters.parse.function.limits import CLIENT_SECONDS
        from groundwire.wiring.cloud.failure_counts import CountedParsers
        from groundwire.wiring.cloud.parser_client import parser_client

        return CountedParsers(parser_client(self._deployment, CLIENT_SECONDS, self._settings.ocr))

    @property
    def max_receives(self) -> int:
        """Number of times that the queue delivers a message.

        Raises:
            InvalidInput: the setting is missing or not a positive number.
        """
        return environment.max_receives(self._deployment.require("MAX_RECEIVES"))

    def _path_exists(self, path: str) -> bool:
        from groundwire.services.ingest.source_objects.source_paths import split_source_path

        tenant_and_path = split_source_path(path)
        # A path outside the bucket cannot be checked: its document is not taken for a moved one.
        return tenant_and_path is None or self._stores.source_objects.find(*tenant_and_path) is not None
