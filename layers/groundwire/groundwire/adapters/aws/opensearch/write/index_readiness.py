"""Patience with an index that was just made: a serverless collection takes up to 15 s before it can be used."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.adapters.aws.opensearch.connection.deadline import Deadline
from groundwire.adapters.aws.opensearch.connection.errors import IndexMissing

_PAUSE_S: Final = 1.0

T = TypeVar("T")


def retry_while_absent(send: Callable[[], T], deadline: Deadline) -> T:
    """Send again until the index is there, under any rules: where it is absent, nothing was done."""
    while True:
        try:
            return send()
        except IndexMissing:
            if not deadline.allows(_PAUSE_S):
                raise
        time.sleep(_PAUSE_S)
