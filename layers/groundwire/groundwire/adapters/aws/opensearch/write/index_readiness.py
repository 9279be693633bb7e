"""Retries on a new index: a serverless collection takes up to 15 s before it can be used."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.adapters.aws.opensearch.connection.deadline import Deadline
from groundwire.adapters.aws.opensearch.connection.errors import IndexMissing

_PAUSE_S: Final = 1.0

T = TypeVar("T")


def retry_while_absent(send: Callable[[], T], deadline: Deadline) -> T:
    """Repeat the request until the index exists; any request may be repeated, because an absent index does nothing."""
    while True:
        try:
            return send()
        except IndexMissing:
            if not deadline.allows(_PAUSE_S):
                raise
        time.sleep(_PAUSE_S)
