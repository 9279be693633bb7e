"""A process that writes versions in turn, in the folder of its argument, until it is killed."""

import sys
from itertools import cycle
from pathlib import Path

from groundwire.adapters.local.index import EmbeddedIndexes
from tests.support.documents.index_documents import MODEL, TENANT, for_tags, put


def main() -> None:
    index = EmbeddedIndexes(Path(sys.argv[1]), MODEL).for_tenant(TENANT)
    for version, tag in cycle([(1, "odd"), (2, "even")]):
        put(index, "d", [f"{tag} text {number}" for number in range(25)], for_tags(tag), version)
        index.prune("d", version)
        sys.stdout.write("written\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
