"""The use cases of the ingestion function."""

from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.wiring.cloud.services import CloudServices

if TYPE_CHECKING:
    from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
    from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
    from groundwire.adapters.aws.sqs import SqsWorkQueue
    from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser
    from groundwire.ports import Parser
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.object_events.embedding_cache import CachingEmbedders
    from groundwire.services.object_events.processor import ObjectEventProcessor
    from groundwire.services.uploads.ingestion import UploadIngestion


class IngestionServices(CloudServices):
    """What carries out news of the bucket."""

    @cached_property
    def object_event_processor(self) -> "ObjectEventProcessor":
        """News of files, one at a time per tenant."""
        from groundwire.services.documents.admin import DocumentAdmin
        from groundwire.services.object_events.object_ingestion import ObjectIngestion
        from groundwire.services.object_events.processor import ObjectEventProcessor, ProcessorDependencies
        from groundwire.services.object_events.subtree import SubtreeUpdater, defer_reconciliation

        files = ObjectIngestion(
            self.source_objects,
            self.sidecar_parser,
            self.documents,
            self.document_admin,
            self.ingest_batch,
            self.caching_embedders,
        )
        later = DocumentAdmin(self.documents, self.collections, defer_reconciliation, self.clock)
        beneath = SubtreeUpdater(
            self.source_objects, self.sidecar_parser, self.documents, self.document_admin, later, self.clock
        )
        return ObjectEventProcessor(
            ProcessorDependencies(
                lock=self.ingest_lock,
                event_claims=self.event_claims,
                documents=self.documents,
                sources=self.source_objects,
                object_ingestion=files,
                upload_ingestion=self.upload_ingestion,
                subtree_updater=beneath,
                embedders=self.caching_embedders,
                reconciler=self.reconciler,
                queue=self.work_queue,
                clock=self.clock,
            )
        )

    @cached_property
    def upload_ingestion(self) -> "UploadIngestion":
        """Files that came by ticket."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        return UploadIngestion(self.uploads, self.ingest_batch, self.ingest_lock)

    @cached_property
    def ingest_batch(self) -> "IngestBatch":
        """Files in."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.services.object_events.processor import is_deferred_to_sweep
        from groundwire.wiring.ingest import build_file_ingestion

        ingest = build_file_ingestion(self, self.parser, self.caching_embedders, self._source_exists, None)
        return IngestBatch(
            ingest, self.reconciler, self.collections, self.ingest_lock, is_deferred_to_sweep(self.clock)
        )

    @cached_property
    def caching_embedders(self) -> "CachingEmbedders":
        """The models, with vectors that outlive one piece of work."""
        from groundwire.services.object_events.embedding_cache import CachingEmbedders

        return CachingEmbedders(self.embedders, self.blobs)

    @cached_property
    def source_objects(self) -> "S3SourceObjects":
        """Files of the owners."""
        from groundwire.adapters.aws.s3.source_objects import S3SourceObjects

        return S3SourceObjects(self.bucket)

    @cached_property
    def sidecar_parser(self) -> "YamlSidecarParser":
        """What policy files and metadata files say."""
        from groundwire.adapters.codecs.sidecar_yaml import YamlSidecarParser

        return YamlSidecarParser()

    @cached_property
    def event_claims(self) -> "DynamoEventClaims":
        """Which news was carried out."""
        from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims

        return DynamoEventClaims(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @cached_property
    def work_queue(self) -> "SqsWorkQueue":
        """What remains to be done."""
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.sqs import SqsWorkQueue

        return SqsWorkQueue(sqs(), self._deployment_setting("QUEUE"))

    @cached_property
    def parser(self) -> "Parser":
        """The confined parser; its process starts with the first document and serves those after it."""
        from groundwire.adapters.parse import ParserLimits, WorkerParser, find_ocr_settings

        return WorkerParser(ParserLimits(), ocr=find_ocr_settings(self.settings.ocr, self.settings.tessdata))

    @property
    def max_receives(self) -> int:
        """How often the queue gives a message out; Raises Invalid."""
        given = self._deployment_setting("MAX_RECEIVES")
        if not given.isascii() or not given.isdigit() or int(given) < 1:
            raise InvalidInput(f"GROUNDWIRE_MAX_RECEIVES must be a whole number of 1 or more, not {given!r}.")
        return int(given)

    def _source_exists(self, stored: str) -> bool:
        from groundwire.services.ingest.source_paths import is_uploaded_by_ticket, split_source_path

        place = split_source_path(stored)
        return is_uploaded_by_ticket(stored) or place is None or self.source_objects.find(*place) is not None
