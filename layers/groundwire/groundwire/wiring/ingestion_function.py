"""The use cases of the ingestion function."""

from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.domain.errors import Invalid
from groundwire.wiring.cloud import CloudServices

if TYPE_CHECKING:
    from groundwire.adapters.aws.deliveries import DynamoDeliveries
    from groundwire.adapters.aws.source_objects import S3SourceObjects
    from groundwire.adapters.aws.work_queue import SqsWorkQueue
    from groundwire.adapters.side_texts import YamlTexts
    from groundwire.ports import Parser
    from groundwire.services.arrivals.arrivals import Arrivals
    from groundwire.services.arrivals.budget import RememberingEmbedders
    from groundwire.services.arrivals.uploaded import UploadArrival
    from groundwire.services.ingest.batch import IngestBatch


class IngestionServices(CloudServices):
    """What carries out news of the bucket."""

    @cached_property
    def arrivals(self) -> "Arrivals":
        """News of files, one at a time per tenant."""
        from groundwire.services.arrivals.arrivals import ArrivalParts, Arrivals
        from groundwire.services.arrivals.beneath import FollowBeneath, settle_later
        from groundwire.services.arrivals.files import Files
        from groundwire.services.documents import DocumentCare

        files = Files(
            self.sources, self.side_texts, self.documents, self.document_care, self.ingest_batch, self.remembering
        )
        later = DocumentCare(self.documents, self.collections, settle_later, self.clock)
        beneath = FollowBeneath(self.sources, self.side_texts, self.documents, self.document_care, later, self.clock)
        return Arrivals(
            ArrivalParts(
                lock=self.ingest_lock,
                deliveries=self.deliveries,
                documents=self.documents,
                sources=self.sources,
                files=files,
                uploaded=self.upload_arrival,
                beneath=beneath,
                memory=self.remembering,
                settle=self.settle,
                queue=self.queue,
                clock=self.clock,
            )
        )

    @cached_property
    def upload_arrival(self) -> "UploadArrival":
        """Files that came by ticket."""
        from groundwire.services.arrivals.uploaded import UploadArrival

        return UploadArrival(self.uploads, self.ingest_batch, self.ingest_lock)

    @cached_property
    def ingest_batch(self) -> "IngestBatch":
        """Files in."""
        from groundwire.services.arrivals.arrivals import left_to_the_sweep
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.wiring.files_in import ingest_of

        ingest = ingest_of(self, self.parser, self.remembering, self._is_there, None)
        return IngestBatch(ingest, self.settle, self.collections, self.ingest_lock, left_to_the_sweep(self.clock))

    @cached_property
    def remembering(self) -> "RememberingEmbedders":
        """The models, with vectors that outlive one piece of work."""
        from groundwire.services.arrivals.budget import RememberingEmbedders

        return RememberingEmbedders(self.embedders, self.blobs)

    @cached_property
    def sources(self) -> "S3SourceObjects":
        """Files of the owners."""
        from groundwire.adapters.aws.source_objects import S3SourceObjects

        return S3SourceObjects(self.bucket)

    @cached_property
    def side_texts(self) -> "YamlTexts":
        """What policy files and metadata files say."""
        from groundwire.adapters.side_texts import YamlTexts

        return YamlTexts()

    @cached_property
    def deliveries(self) -> "DynamoDeliveries":
        """Which news was carried out."""
        from groundwire.adapters.aws.deliveries import DynamoDeliveries

        return DynamoDeliveries(self._dynamodb, self._named("DOCUMENTS_TABLE"))

    @cached_property
    def queue(self) -> "SqsWorkQueue":
        """What remains to be done."""
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.work_queue import SqsWorkQueue

        return SqsWorkQueue(sqs(), self._named("QUEUE"))

    @cached_property
    def parser(self) -> "Parser":
        """The confined parser; its process starts with the first document and serves those after it."""
        from groundwire.adapters.parse import Limits, WorkerParser, recognition

        return WorkerParser(Limits(), recognition=recognition(self.settings.ocr, self.settings.tessdata))

    @property
    def max_receives(self) -> int:
        """How often the queue gives a message out; Raises Invalid."""
        given = self._named("MAX_RECEIVES")
        if not given.isascii() or not given.isdigit() or int(given) < 1:
            raise Invalid(f"GROUNDWIRE_MAX_RECEIVES must be a whole number of 1 or more, not {given!r}.")
        return int(given)

    def _is_there(self, stored: str) -> bool:
        from groundwire.services.arrivals.places import came_by_ticket, split_source_path

        place = split_source_path(stored)
        return came_by_ticket(stored) or place is None or self.sources.find(*place) is not None
