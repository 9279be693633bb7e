"""One more attempt at what did not answer, as long as somebody still waits for it."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.domain.embedding_call import Kind
from groundwire.domain.errors import Unavailable
from groundwire.ports.deadline import remaining

Result = TypeVar("Result")
Pause = Callable[[], None]

QUERY_SECONDS: Final = 8
"""Of one attempt at what a search waits for: a function that starts anew answers in that time."""
PASSAGE_SECONDS: Final = 65
"""Of one attempt at what an ingestion waits for: longer than the function itself may take."""
_WORTH_IT: Final = 20
"""Seconds that must be left of a call for a second attempt: as much as one takes, and half of the call for the rest."""
_SHORTEST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 0.25


class Refused(Unavailable):
    """A second attempt would be refused, too: whoever runs the deployment has to change something."""


def patience(kind: Kind) -> float:
    """How long one attempt may take."""
    return QUERY_SECONDS if kind == "query" else PASSAGE_SECONDS


def short_pause() -> None:
    """Of random length, so that those who failed together do not come back together."""
    time.sleep(random.uniform(_SHORTEST_PAUSE, _LONGEST_PAUSE))  # noqa: S311 - no secret


def with_second_attempt(attempt: Callable[[], Result], pause: Pause) -> Result:
    """What the first or the second attempt gives; Raises Unavailable as the last of them does."""
    try:
        return attempt()
    except Refused:
        raise
    except Unavailable:
        if remaining(_WORTH_IT) < _WORTH_IT:
            raise
    pause()
    return attempt()
