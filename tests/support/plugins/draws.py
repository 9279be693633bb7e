"""Drawing of histories: `make test` replays recorded ones first, `make test-all` draws all of them anew.

`make test-all` takes the day as its seed, so that every day tries other values and a failure can be repeated on them.
"""

import os
from typing import Final

DRAWS_ALL: Final = os.environ.get("TESTS_DRAW") == "all"
SEED: Final = int(os.environ.get("TESTS_SEED", "0"))
"""Seed of what is drawn: 0, or the day of `make test-all` as YYYYMMDD."""
