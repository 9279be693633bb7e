"""Ingestion function: processes each message of its queue on its own; most are object events of the bucket."""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final, cast

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,  # pyright: ignore[reportUnknownVariableType] - takes a handler of any form
)
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from groundwire import wiring
from groundwire.domain.documents.record import Refusal, RefusalCause
from groundwire.domain.errors import Conflict, DomainError, InvalidInput, ParserBusy, Unavailable
from groundwire.domain.text.json_values import require_mapping
from groundwire.services.ingest.source_objects.source_paths import split_source_path
from groundwire.services.object_events.tasks import (
    ObjectChanged,
    ReconcileStale,
    Task,
    from_message,
    quick_retry,
    to_message,
)

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from groundwire.services.object_events.processor import ObjectEventProcessor
    from groundwire.wiring.cloud.services import IngestionFunction

_LOG: Final = logging.getLogger(__name__)
RESERVED_MS: Final = 90_000
"""Time reserved at the end of an invocation: to finish the started message and send back the others."""
_ATTEMPTS_EXHAUSTED: Final = "{} attempts to ingest it failed, and the last one did not end: upload the file again"
_PARSER_STAYED_BUSY: Final = (
    "the parser was busy, or did not answer, in all attempts: the operator of the service can rebuild the tenant"
)
_LAST_ATTEMPT_FAILED: Final = "it could not be ingested ({}): upload the file again, or ask the operator of the service"


def handler(event: Mapping[str, object], context: "LambdaContext") -> Mapping[str, object]:
    """Process a batch of messages and return the failed ones, which the queue delivers again.

    A schedule may call it directly with `{"sweep": true}`.
    """
    services = wiring.ingestion_services()
    if "Records" not in event:
        event = {"Records": [_direct_record(event)]}
    # By default it raises where all messages fail, which would count as an error of the function.
    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    process_record = MessageBatch(services, lambda: context.get_remaining_time_in_millis() < RESERVED_MS)
    response = process_partial_response(
        event=dict(event), record_handler=process_record, processor=processor, context=context
    )
    return cast("Mapping[str, object]", response)


class MessageBatch:
    """Processing of the messages of one invocation."""

    def __init__(self, services: "IngestionFunction", is_time_up: Callable[[], bool]) -> None:
        self._services = services
        self._is_time_up = is_time_up
        self._has_started = False

    def __call__(self, record: SQSRecord) -> None:
        """Process one message; any exception makes the queue deliver it again."""
        try:
            task = parse_task(record.body)
            if task is not None:
                self._process(task, int(record.attributes.approximate_receive_count))
        except Exception:
            _LOG.exception("processing of a message failed", extra={"message_id": record.message_id})
            raise

    def _process(self, task: Task, receive_count: int) -> None:
        if self._has_started and self._is_time_up():
            # The message is sent again instead of failing, since the queue would count a failure as an attempt.
            self._services.stores.work_queue.send([to_message(task)], 0)
            return
        self._has_started = True
        attempts = receive_count if isinstance(task, ReconcileStale) else receive_count + task.tries
        given_up = (
            _ATTEMPTS_EXHAUSTED.format(attempts) if receive_count >= self._services.ingestion.max_receives else None
        )
        try:
            _attempt(self._services.ingestion.object_event_processor, task, self._is_time_up, given_up)
        except (Conflict, Unavailable) as error:
            retry = quick_retry(task)
            if retry is None or given_up is not None:
                raise
            _LOG.warning("a message will be processed again soon", extra={"reason": str(error)})
            self._services.stores.work_queue.send([to_message(retry.task)], retry.delay_seconds)


def parse_task(body: str) -> Task | None:
    """Return the task in a message; None for an event of an object that is no source file.

    Raises:
        InvalidInput: the message is malformed.
    """
    try:
        loaded: object = json.loads(body)
    except ValueError as error:
        raise InvalidInput("A message of the queue is not JSON.") from error
    message = require_mapping(loaded, InvalidInput("A message of the queue is not a JSON object."))
    if message.get("sweep") is True:
        return ReconcileStale(None)
    return from_message(message) if "task" in message else _parse_bucket_event(message)


def _attempt(
    object_events: "ObjectEventProcessor", task: Task, is_time_up: Callable[[], bool], final_failure: str | None
) -> None:
    try:
        object_events(task, is_time_up, final_failure)
    except Exception as error:
        if final_failure is not None:
            object_events.refuse(task, _final_refusal(error))
        raise


def _final_refusal(error: Exception) -> Refusal:
    if isinstance(error, ParserBusy):
        return Refusal(RefusalCause.PARSER_BROKEN, _PARSER_STAYED_BUSY)
    return Refusal(RefusalCause.CONTENT, _LAST_ATTEMPT_FAILED.format(_owner_message(error).rstrip(".")))


def _owner_message(error: Exception) -> str:
    """Return the reason for the file's owner; names of internal parts are for the operator only."""
    if isinstance(error, Unavailable):
        return "a part of the service did not answer"
    return str(error) if isinstance(error, DomainError) else "an unexpected error of the service"


def _parse_bucket_event(message: Mapping[str, object]) -> ObjectChanged | None:
    """Return the change in an S3 event from EventBridge, whose keys are not URL-encoded.

    Raises:
        InvalidInput: the message is no such event.
    """
    try:
        s3_object = cast("dict[str, dict[str, str]]", message["detail"])["object"]
        path_parts = split_source_path(s3_object["key"])
        changed_at = datetime.fromisoformat(str(message["time"])).timestamp()
        return None if path_parts is None else ObjectChanged(*path_parts, s3_object["sequencer"], changed_at)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("A message of the queue is not an event of the bucket.") from error


def _direct_record(event: Mapping[str, object]) -> Mapping[str, object]:
    return {"messageId": "direct", "body": json.dumps(event), "attributes": {"ApproximateReceiveCount": "1"}}
