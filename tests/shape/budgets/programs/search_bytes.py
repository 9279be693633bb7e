"""Bytes that a search of 10,000 passages reads: `python -m tests.shape.budgets.programs.search_bytes`.

Prints an object with the bytes of all arrays of the index that a hybrid search with five phrases reads, for a caller
who may read a tenth of the passages, and for one who may read all.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.corpus import Corpus, index_query, select_nothing
from bench.home import EVERYTHING, TAGS, TENANT, USER, fill
from groundwire.adapters.local.index.arrays import prefetch
from groundwire.domain.access.policy import Principal
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL
from groundwire.ports import Phrase
from groundwire.ports.index.halves import lexical_half
from groundwire.settings.environment import read_settings
from groundwire.wiring.local.services import open_home

_SEGMENTS: Final = 10_000
_PHRASES: Final = 5
_SEED: Final = 7


def bytes_of_a_search(home: Path) -> dict[str, int]:
    """Return the bytes by what the caller may read, in a home that is filled for it."""
    services = open_home(read_settings({"GROUNDWIRE_HOME": str(home)}))
    try:
        corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, _SEED)
        fill(services, corpus, _SEGMENTS)
        phrases = [Phrase(text, corpus.question()) for text in corpus.phrases(_PHRASES)]
        index = lexical_half(services.stores.indexes.for_tenant(TENANT))

        def read_by(tags: Sequence[str]) -> int:
            query = index_query(Principal(TENANT, USER, frozenset(tags)), phrases, CANDIDATES_PER_SIGNAL)
            # The first search of a process opens the index.
            index.search(query, select_nothing)
            with prefetch.counting() as counts:
                index.search(query, select_nothing)
            return counts.total()

        return {"a_tenth": read_by(TAGS), "all": read_by(EVERYTHING)}
    finally:
        services.close()


if __name__ == "__main__":
    with TemporaryDirectory(prefix="groundwire-budgets-") as folder:
        read = bytes_of_a_search(Path(folder) / "home")
    sys.stdout.write(json.dumps({"bytes.search": read}) + "\n")
