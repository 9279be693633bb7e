"""Retries of transactions that conflict on one row."""

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
    """Return the result of `write`; call it again after a growing pause each time it raises `TransactionConflict`."""
    for attempt in range(_ATTEMPTS - 1):
        try:
            return write()
        except TransactionConflict:
            # Random pauses, so that the same transactions do not conflict again.
            time.sleep(_FIRST_PAUSE_S * 2**attempt * _RANDOM.random())
    return write()
