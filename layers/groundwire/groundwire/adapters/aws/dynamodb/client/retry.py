"""Retries of transactions that conflict on one row."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.adapters.aws.dynamodb.client.errors import TransactionConflict
from groundwire.retry import Backoff, RetryPolicy, retry_on

Result = TypeVar("Result")

_CONFLICTS: Final = RetryPolicy(8, Backoff(time.sleep, random.random, first_s=0.01, longest_s=0.64))


def retry_on_conflict(write: Callable[[], Result]) -> Result:
    """Return the result of `write`; call it again after a growing pause each time it raises `TransactionConflict`."""
    return retry_on(TransactionConflict, write, _CONFLICTS)
