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
from groundwire.domain.errors import Conflict, Invalid, Problem, Unavailable
from groundwire.services.arrivals.places import split_source_path
from groundwire.services.arrivals.tasks import FileNews, Sweep, Task, again_soon, from_message, to_message

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from groundwire.services.arrivals.arrivals import Arrivals
    from groundwire.wiring.ingestion_function import IngestionServices

_LOG: Final = logging.getLogger(__name__)
KEPT_BACK_MS: Final = 90_000
"""Of each invocation: for what was begun to come to its end, and for the rest to be sent on."""
_GIVEN_UP: Final = "it was not brought in by {} attempts, the last of which did not come to its end: put the file again"
_GAVE_UP: Final = "it could not be brought in ({}): put the file again, or ask your operator"


def handler(event: Mapping[str, object], context: "LambdaContext") -> Mapping[str, object]:
    """The messages that failed, which the queue gives out again; a schedule may call it with `{"sweep": true}`."""
    services = wiring.ingestion()
    if "Records" not in event:
        event = {"Records": [_as_record(event)]}
    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    carry_out = Batch(services, lambda: context.get_remaining_time_in_millis() < KEPT_BACK_MS)
    answer = process_partial_response(event=dict(event), record_handler=carry_out, processor=processor, context=context)
    return cast("Mapping[str, object]", answer)


class Batch:
    """Carries out the messages of one invocation."""

    def __init__(self, services: "IngestionServices", is_spent: Callable[[], bool]) -> None:
        self._services = services
        self._is_spent = is_spent
        self._begun = False

    def __call__(self, record: SQSRecord) -> None:
        """Raises whatever keeps the message from being done, so that it comes again."""
        try:
            task = task_of(record.body)
            if task is not None:
                self._carry_out(task, int(record.attributes.approximate_receive_count))
        except Exception:
            _LOG.exception("a message was not carried out", extra={"message_id": record.message_id})
            raise

    def _carry_out(self, task: Task, receives: int) -> None:
        if self._begun and self._is_spent():
            # Not failed: the queue would count it as an attempt.
            self._services.queue.send([to_message(task)], 0)
            return
        self._begun = True
        attempts = receives if isinstance(task, Sweep) else receives + task.tries
        given_up = _GIVEN_UP.format(attempts) if receives >= self._services.max_receives else None
        try:
            _attempt(self._services.arrivals, task, self._is_spent, given_up)
        except (Conflict, Unavailable) as trouble:
            again = again_soon(task)
            if again is None or given_up is not None:
                raise
            _LOG.warning("a message is tried again soon", extra={"reason": str(trouble)})
            self._services.queue.send([to_message(again.task)], again.delay_s)


def task_of(body: str) -> Task | None:
    """What a message asks for; None for news of nothing of ours. Raises Invalid."""
    try:
        loaded: object = json.loads(body)
    except ValueError as error:
        raise Invalid("A message of the queue is not JSON.") from error
    if not isinstance(loaded, dict):
        raise Invalid("A message of the queue is not a JSON object.")
    message = cast("dict[str, object]", loaded)
    if message.get("sweep") is True:
        return Sweep(None)
    return from_message(message) if "task" in message else _news(message)


def _attempt(arrivals: "Arrivals", task: Task, is_spent: Callable[[], bool], given_up: str | None) -> None:
    try:
        arrivals(task, is_spent, given_up)
    except Exception as error:
        if given_up is not None:
            arrivals.refuse(task, _GAVE_UP.format(_why(error).rstrip(".")))
        raise


def _why(error: Exception) -> str:
    """For the owner of the file; the names of our own parts, which some texts hold, are for the operator alone."""
    if isinstance(error, Unavailable):
        return "a part of the service did not answer"
    return str(error) if isinstance(error, Problem) else "an unforeseen fault of the service"


def _news(message: Mapping[str, object]) -> FileNews | None:
    """S3's event by way of EventBridge: its keys come as they are, not in the letters of an address."""
    try:
        stored = cast("dict[str, dict[str, str]]", message["detail"])["object"]
        place = split_source_path(stored["key"])
        at = datetime.fromisoformat(str(message["time"])).timestamp()
        return None if place is None else FileNews(*place, stored["sequencer"], at)
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid("A message of the queue is no event of the bucket.") from error


def _as_record(event: Mapping[str, object]) -> Mapping[str, object]:
    return {"messageId": "direct", "body": json.dumps(event), "attributes": {"ApproximateReceiveCount": "1"}}
