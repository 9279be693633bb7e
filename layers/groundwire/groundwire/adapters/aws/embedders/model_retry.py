"""One retry of a model call, if the caller's deadline leaves time for it."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.domain.errors import Unavailable
from groundwire.domain.passages.embedding_request import EmbeddingKind
from groundwire.ports.deadline import remaining_seconds

Result = TypeVar("Result")
Pause = Callable[[], None]

QUERY_TIMEOUT_SECONDS: Final = 8
"""Timeout of one attempt that a search waits for: a cold function answers within it."""
PASSAGE_TIMEOUT_SECONDS: Final = 65
"""Timeout of one attempt that an ingestion waits for: longer than the function itself may run."""
_MIN_REMAINING_SECONDS: Final = 20
"""Seconds that the deadline must leave for a second attempt: one attempt, and half of the call for the rest."""
_MIN_PAUSE_SECONDS: Final = 0.05
_MAX_PAUSE_SECONDS: Final = 0.25


class NotRetryable(Unavailable):
    """Error that a second attempt would meet too: the deployment's operator has to change something."""


def attempt_timeout_seconds(kind: EmbeddingKind) -> float:
    """Return the timeout of one attempt, in seconds."""
    return QUERY_TIMEOUT_SECONDS if kind == "query" else PASSAGE_TIMEOUT_SECONDS


def random_pause() -> None:
    """Sleep for a random time, so that callers that failed at the same moment do not retry at the same moment."""
    time.sleep(random.uniform(_MIN_PAUSE_SECONDS, _MAX_PAUSE_SECONDS))  # noqa: S311 - no secret


def retry_once(attempt: Callable[[], Result], pause: Pause) -> Result:
    """Return the result of the first attempt, or of a second after a pause.

    Raises:
        Unavailable: the last attempt failed.
    """
    try:
        return attempt()
    except NotRetryable:
        raise
    except Unavailable:
        if remaining_seconds(_MIN_REMAINING_SECONDS) < _MIN_REMAINING_SECONDS:
            raise
    pause()
    return attempt()
