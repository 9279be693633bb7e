"""Process that carries out on the index each line of its input and answers with a line.

Its argument is FOLDER; a line is `put DOC TAG`, `policy DOC TAG`, `prune DOC`, `read TAG` or `drop`.
"""

import sys
from pathlib import Path

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.access.policy import single_policy
from tests.support.documents.index_documents import MODEL, TENANT, for_tags, put, readable, someone


def answer(indexes: EmbeddedIndexes, words: list[str]) -> str:
    match words:
        case ["put", doc_id, tag]:
            put(indexes.for_tenant(TENANT), doc_id, [f"text of {doc_id}"], for_tags(tag))
        case ["policy", doc_id, tag]:
            indexes.for_tenant(TENANT).set_readers(doc_id, single_policy(for_tags(tag)))
        case ["prune", doc_id]:
            indexes.for_tenant(TENANT).prune(doc_id, None)
        case ["drop"]:
            indexes.drop(TENANT)
        case _:
            return " ".join(sorted(readable(indexes.for_tenant(TENANT), someone(words[1]))))
    return "done"


def main() -> None:
    indexes = EmbeddedIndexes(Path(sys.argv[1]), MODEL)
    for line in sys.stdin:
        sys.stdout.write(answer(indexes, line.split()) + "\n")
        sys.stdout.flush()
    indexes.close()


if __name__ == "__main__":
    main()
