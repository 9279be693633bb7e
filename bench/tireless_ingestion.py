"""Process that stores document after document, and prints for each a word that finds it and the time since when.

`python -m bench.tireless_ingestion HOME`; it ends when it is terminated.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import secrets
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

from bench.corpus import SEGMENTS_PER_DOCUMENT, Corpus
from bench.home import TENANT, one_more
from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion, SegmentInput
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home


def main() -> None:
    home = Path(sys.argv[1])
    services = open_home(environment.read_settings({**os.environ, "GROUNDWIRE_HOME": str(home)}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, seed=secrets.randbits(30))
    while True:
        word = f"zq{secrets.token_hex(6)}"
        document = one_more(word, SEGMENTS_PER_DOCUMENT)
        rows = list(corpus.document(document.doc_id, SEGMENTS_PER_DOCUMENT))
        first = replace(rows[0].segment, text=f"{word} {rows[0].segment.text}")
        # With the vector of the word: found by it alone among any number of others.
        rows[0] = SegmentInput(first, services.models.embedder.embed([word], "query")[0])
        services.stores.indexes.for_tenant(TENANT).put(
            DocumentVersion(document.doc_id, 1), single_policy(document.policy), rows
        )
        services.stores.documents.write(TENANT, document, None)
        sys.stdout.write(f"{word} {monotonic()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
