"""Retries on a new index: a serverless collection takes up to 15 s before it can be used."""

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.adapters.opensearch.connection.errors import IndexMissing
from groundwire.retry import Backoff, RetryPolicy, retry_on

_BACKOFF: Final = Backoff(time.sleep, random.random, first_s=1.0, longest_s=1.0, least_share=1.0)

T = TypeVar("T")


def retry_while_absent(send: Callable[[], T], deadline: Deadline) -> T:
    """Repeat the request until the index exists; any request may be repeated, because an absent index does nothing."""
    return retry_on(IndexMissing, send, RetryPolicy(None, _BACKOFF, deadline.allows))
