"""One retry of a model call, if the caller's deadline leaves time for it."""

import random
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.domain.errors import Unavailable
from groundwire.domain.passages.embedding_request import EmbeddingKind
from groundwire.ports.deadline import remaining_seconds
from groundwire.retry import Backoff, RetryPolicy, retry_on

Result = TypeVar("Result")
Pause = Callable[[float], None]
"""Function that waits for so many seconds."""

QUERY_TIMEOUT_SECONDS: Final = 8
"""Timeout of one attempt that a search waits for: a cold function answers within it."""
PASSAGE_TIMEOUT_SECONDS: Final = 65
"""Timeout of one attempt that an ingestion waits for: longer than the function itself may run."""
_MIN_REMAINING_SECONDS: Final = 20
"""Seconds that the deadline must leave for a second attempt: one attempt, and half of the call for the rest."""
_MAX_PAUSE_SECONDS: Final = 0.25
_LEAST_PAUSE_SHARE: Final = 0.2


class NotRetryable(Unavailable):
    """Error that a second attempt would meet too: the deployment's operator has to change something."""


def attempt_timeout_seconds(kind: EmbeddingKind) -> float:
    """Return the timeout of one attempt, in seconds."""
    return QUERY_TIMEOUT_SECONDS if kind == "query" else PASSAGE_TIMEOUT_SECONDS


def retry_once(attempt: Callable[[], Result], pause: Pause) -> Result:
    """Return the result of the first attempt, or of a second after a pause.

    Raises:
        Unavailable: the last attempt failed.
    """
    backoff = Backoff(pause, random.random, _MAX_PAUSE_SECONDS, _MAX_PAUSE_SECONDS, _LEAST_PAUSE_SHARE)
    return retry_on(Unavailable, attempt, RetryPolicy(2, backoff), _is_repeatable)


def _is_repeatable(error: Unavailable) -> bool:
    has_time = remaining_seconds(_MIN_REMAINING_SECONDS) >= _MIN_REMAINING_SECONDS
    return has_time and not isinstance(error, NotRetryable)
