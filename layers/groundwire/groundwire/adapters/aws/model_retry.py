"""One more attempt at what did not answer, as long as somebody still waits for it."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.domain.embedding_request import EmbeddingKind
from groundwire.domain.errors import Unavailable
from groundwire.ports.deadline import remaining_seconds

Result = TypeVar("Result")
Pause = Callable[[], None]

QUERY_TIMEOUT_SECONDS: Final = 8
"""Of one attempt at what a search waits for: a function that starts anew answers in that time."""
PASSAGE_TIMEOUT_SECONDS: Final = 65
"""Of one attempt at what an ingestion waits for: longer than the function itself may take."""
_MIN_REMAINING_SECONDS: Final = 20
"""Seconds that must be left of a call for a second attempt: as much as one takes, and half of the call for the rest."""
_MIN_PAUSE_SECONDS: Final = 0.05
_MAX_PAUSE_SECONDS: Final = 0.25


class NotRetryable(Unavailable):
    """A second attempt would be refused, too: whoever runs the deployment has to change something."""


def attempt_timeout_seconds(kind: EmbeddingKind) -> float:
    """How long one attempt may take."""
    return QUERY_TIMEOUT_SECONDS if kind == "query" else PASSAGE_TIMEOUT_SECONDS


def random_pause() -> None:
    """Of random length, so that those who failed together do not come back together."""
    time.sleep(random.uniform(_MIN_PAUSE_SECONDS, _MAX_PAUSE_SECONDS))  # noqa: S311 - no secret


def retry_once(attempt: Callable[[], Result], pause: Pause) -> Result:
    """What the first or the second attempt gives; Raises Unavailable as the last of them does."""
    try:
        return attempt()
    except NotRetryable:
        raise
    except Unavailable:
        if remaining_seconds(_MIN_REMAINING_SECONDS) < _MIN_REMAINING_SECONDS:
            raise
    pause()
    return attempt()
