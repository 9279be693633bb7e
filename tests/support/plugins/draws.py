"""Drawing of examples and histories: `make test` draws few and repeats them, `make test-all` draws all of them anew.

`make test-all` takes the day as its seed, so that every day tries other values and a failure can be repeated on them.
"""

import os
from typing import Final

DRAWS_ALL: Final = os.environ.get("TESTS_DRAW") == "all"
SEED: Final = int(os.environ.get("TESTS_SEED", "0"))
"""Seed of what is drawn: 0, or the day of `make test-all` as YYYYMMDD."""

_SHARE: Final = 4
_FEWEST: Final = 20


def examples(full: int) -> int:
    """Return how many examples a property tries: all in `make test-all`, else a quarter of them, but 20 at least."""
    return full if DRAWS_ALL else min(full, max(_FEWEST, full // _SHARE))
