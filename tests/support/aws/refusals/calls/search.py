"""Rules of requests to a vector collection."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source


@dataclass(frozen=True, slots=True)
class BulkWrite:
    """Body of a `_bulk` request to a vector collection."""

    body: bytes


def _custom_ids(write: BulkWrite) -> Iterator[str]:
    for line in write.body.splitlines():
        action: Any = json.loads(line) if line.strip() else {}
        for kind in ("index", "create", "update"):
            if isinstance(action, dict) and len(action) == 1 and "_id" in (action.get(kind) or {}):
                yield f"{kind} with _id {action[kind]['_id']}"
                return


SEARCH_RULES: Final = (
    Rule(
        "custom-document-id",
        "A write to a vector collection chooses the id of a document.",
        '"Document ID is not supported in create/index operation request"',
        Source(
            "OpenSearch Serverless developer guide: Working with vector search collections; "
            "Migration Assistant: Collection types",
            LOOKED_UP,
        ),
        _custom_ids,
        doubt="On the first page NextGen collections take ids. On the second the server makes them.",
    ),
)
