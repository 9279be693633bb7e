"""The use cases of the ingestion function."""

from contextlib import nullcontext
from typing import TYPE_CHECKING

from groundwire.settings import environment
from groundwire.wiring.cloud.services import CloudServices
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
    from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
    from groundwire.ports import Parsers
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.object_events.embedding_cache import CachingEmbedders
    from groundwire.services.object_events.processor import ObjectEventProcessor
    from groundwire.services.uploads.ingestion import UploadIngestion


class IngestionServices(CloudServices):
    """Services that process object events of the bucket."""

    @Lazy
    def object_event_processor(self) -> "ObjectEventProcessor":
        """Processing of object events, one at a time per tenant."""
        from groundwire.services.documents.admin import DocumentAdmin
        from groundwire.services.object_events.object_ingestion import ObjectIngestion
        from groundwire.services.object_events.processor import ObjectEventProcessor, ProcessorDependencies
        from groundwire.services.object_events.subtree import SubtreeUpdater, defer_reconciliation

        object_ingestion = ObjectIngestion(
            self.source_objects,
            self.sidecar_parser,
            self.documents,
            self.document_admin,
            self.ingest_batch,
            self.caching_embedders,
            self.ingestion_audit,
        )
        deferring_admin = DocumentAdmin(self.documents, self.collections, defer_reconciliation, self.clock)
        subtree_updater = SubtreeUpdater(
            self.source_objects,
            self.sidecar_parser,
            self.documents,
            self.document_admin,
            deferring_admin,
            self.clock,
            self.ingestion_audit,
        )
        return ObjectEventProcessor(
            ProcessorDependencies(
                lock=self.ingest_lock,
                event_claims=self.event_claims,
                documents=self.documents,
                sources=self.source_objects,
                object_ingestion=object_ingestion,
                upload_ingestion=self.upload_ingestion,
                subtree_updater=subtree_updater,
                embedders=self.caching_embedders,
                reconciler=self.reconciler,
                indexes=(self.indexes, self.image_indexes),
                queue=self.work_queue,
                clock=self.clock,
            )
        )

    @Lazy
    def upload_ingestion(self) -> "UploadIngestion":
        """Ingestion of uploaded files."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        return UploadIngestion(self.uploads, self.ingest_batch, self.ingest_lock, self.ingestion_audit)

    @Lazy
    def ingest_batch(self) -> "IngestBatch":
        """Ingestion of batches of files."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.services.object_events.processor import is_deferred_to_sweep
        from groundwire.wiring.ingest import build_file_ingestion

        ingest = build_file_ingestion(self, self.parser, self.caching_embedders, self._path_exists, None)
        return IngestBatch(
            ingest,
            self.reconciler,
            self.collections,
            self.ingest_lock,
            self.clock,
            # Each message is about one file, so there are no runs to hold off.
            lambda _tenant: nullcontext(),
            is_deferred_to_sweep(self.clock),
        )

    @Lazy
    def caching_embedders(self) -> "CachingEmbedders":
        """The embedding models with a cache of vectors across invocations."""
        from groundwire.services.object_events.embedding_cache import CachingEmbedders

        return CachingEmbedders(self.embedders, self.blobs)

    @Lazy
    def sidecar_parser(self) -> "YamlSidecarParser":
        """Parser of policy files and metadata files."""
        from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser

        return YamlSidecarParser()

    @Lazy
    def event_claims(self) -> "DynamoEventClaims":
        """Claims of processed object events."""
        from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims

        return DynamoEventClaims(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def parser(self) -> "Parsers":
        """The parser function, as this function has neither the libraries of parsers nor a sandbox for them."""
        from groundwire.adapters.aws.clients import lambda_functions
        from groundwire.adapters.aws.parser_function import FunctionParsers
        from groundwire.adapters.parse.function.limits import CLIENT_SECONDS
        from groundwire.adapters.parse.function.messages import read_isolation
        from groundwire.wiring.cloud.failure_counts import CountedParsers

        parsers = FunctionParsers(
            lambda_functions(CLIENT_SECONDS),
            self._deployment_setting("PARSER_FUNCTION"),
            read_isolation(self._deployment_setting("PARSER_ISOLATION")),
            self.bucket,
            self.settings.ocr,
        )
        return CountedParsers(parsers)

    @property
    def max_receives(self) -> int:
        """Number of times that the queue delivers a message.

        Raises:
            InvalidInput: the setting is missing or not a positive number.
        """
        return environment.max_receives(self._deployment_setting("MAX_RECEIVES"))

    def _path_exists(self, path: str) -> bool:
        from groundwire.services.ingest.source_objects.source_paths import split_source_path

        tenant_and_path = split_source_path(path)
        return tenant_and_path is None or self.source_objects.find(*tenant_and_path) is not None
