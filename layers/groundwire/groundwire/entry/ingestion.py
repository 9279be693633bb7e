"""The ingestion function: messages of its queue, most of them news of the bucket, each carried out by itself."""

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
from groundwire.domain.errors import Conflict, DomainError, InvalidInput, Unavailable
from groundwire.services.ingest.source_paths import split_source_path
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
    from groundwire.wiring.cloud.ingestion import IngestionServices

_LOG: Final = logging.getLogger(__name__)
RESERVED_MS: Final = 90_000
"""Of each invocation: for what was begun to come to its end, and for the rest to be sent on."""
_ATTEMPTS_EXHAUSTED: Final = (
    "it was not brought in by {} attempts, the last of which did not come to its end: put the file again"
)
_LAST_ATTEMPT_FAILED: Final = "it could not be brought in ({}): put the file again, or ask your operator"


def handler(event: Mapping[str, object], context: "LambdaContext") -> Mapping[str, object]:
    """The messages that failed, which the queue gives out again; a schedule may call it with `{"sweep": true}`."""
    services = wiring.ingestion_services()
    if "Records" not in event:
        event = {"Records": [_direct_record(event)]}
    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    carry_out = MessageBatch(services, lambda: context.get_remaining_time_in_millis() < RESERVED_MS)
    answer = process_partial_response(event=dict(event), record_handler=carry_out, processor=processor, context=context)
    return cast("Mapping[str, object]", answer)


class MessageBatch:
    """Carries out the messages of one invocation."""

    def __init__(self, services: "IngestionServices", is_time_up: Callable[[], bool]) -> None:
        self._services = services
        self._is_time_up = is_time_up
        self._has_started = False

    def __call__(self, record: SQSRecord) -> None:
        """Raises whatever keeps the message from being done, so that it comes again."""
        try:
            task = parse_task(record.body)
            if task is not None:
                self._process(task, int(record.attributes.approximate_receive_count))
        except Exception:
            _LOG.exception("a message was not carried out", extra={"message_id": record.message_id})
            raise

    def _process(self, task: Task, receive_count: int) -> None:
        if self._has_started and self._is_time_up():
            # Not failed: the queue would count it as an attempt.
            self._services.work_queue.send([to_message(task)], 0)
            return
        self._has_started = True
        attempts = receive_count if isinstance(task, ReconcileStale) else receive_count + task.tries
        given_up = _ATTEMPTS_EXHAUSTED.format(attempts) if receive_count >= self._services.max_receives else None
        try:
            _attempt(self._services.object_event_processor, task, self._is_time_up, given_up)
        except (Conflict, Unavailable) as trouble:
            again = quick_retry(task)
            if again is None or given_up is not None:
                raise
            _LOG.warning("a message is tried again soon", extra={"reason": str(trouble)})
            self._services.work_queue.send([to_message(again.task)], again.delay_seconds)


def parse_task(body: str) -> Task | None:
    """What a message asks for; None for news of nothing of ours. Raises Invalid."""
    try:
        loaded: object = json.loads(body)
    except ValueError as error:
        raise InvalidInput("A message of the queue is not JSON.") from error
    if not isinstance(loaded, dict):
        raise InvalidInput("A message of the queue is not a JSON object.")
    message = cast("dict[str, object]", loaded)
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
            object_events.refuse(task, _LAST_ATTEMPT_FAILED.format(_owner_message(error).rstrip(".")))
        raise


def _owner_message(error: Exception) -> str:
    """For the owner of the file; the names of our own parts, which some texts hold, are for the operator alone."""
    if isinstance(error, Unavailable):
        return "a part of the service did not answer"
    return str(error) if isinstance(error, DomainError) else "an unforeseen fault of the service"


def _parse_bucket_event(message: Mapping[str, object]) -> ObjectChanged | None:
    """S3's event by way of EventBridge: its keys come as they are, not in the letters of an address."""
    try:
        stored = cast("dict[str, dict[str, str]]", message["detail"])["object"]
        place = split_source_path(stored["key"])
        at = datetime.fromisoformat(str(message["time"])).timestamp()
        return None if place is None else ObjectChanged(*place, stored["sequencer"], at)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("A message of the queue is no event of the bucket.") from error


def _direct_record(event: Mapping[str, object]) -> Mapping[str, object]:
    return {"messageId": "direct", "body": json.dumps(event), "attributes": {"ApproximateReceiveCount": "1"}}
