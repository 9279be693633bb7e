"""Transactions on one row meet each other: who comes second tries again a moment later."""

import time
from collections.abc import Callable
from random import SystemRandom
from typing import Final, TypeVar

from groundwire.adapters.aws.dynamodb.client.errors import TransactionConflict

Result = TypeVar("Result")

_ATTEMPTS: Final = 8
_FIRST_PAUSE_S: Final = 0.01
_RANDOM: Final = SystemRandom()


def retry_on_conflict(write: Callable[[], Result]) -> Result:
    """What `write` returns, which is called again, after a pause that grows, each time it raises Contended."""
    for attempt in range(_ATTEMPTS - 1):
        try:
            return write()
        except TransactionConflict:
            # Different pauses, so that those that met do not meet again.
            time.sleep(_FIRST_PAUSE_S * 2**attempt * _RANDOM.random())
    return write()
