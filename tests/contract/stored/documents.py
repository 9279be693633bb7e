"""Documents of the first release with their rows, from its items and the copy of its index."""

import base64
from collections.abc import Mapping
from typing import Any

from groundwire.adapters.aws.dynamodb.documents import items as document_items
from groundwire.adapters.local.index_export import IndexExportFile
from groundwire.ports import ModelId
from tests.contract.stored.conftest import FIRST
from tests.contract.stored.reading.fixture import Fixture
from tests.contract.stored.writing.rows import Copied


def items() -> dict[str, Mapping[str, Any]]:
    """Return the items of documents by document id."""
    stored = Fixture(FIRST, FIRST).json("items")["items"]["DocumentsTable"]
    decoded: list[Any] = [{name: _value(value) for name, value in item.items()} for item in stored]
    found = [item for item in decoded if item["id"]["S"].startswith(document_items.PREFIX)]
    return {document_items.doc_id_of(item): item for item in found}


def copied() -> tuple[Copied, ModelId]:
    """Return the documents with their rows, and the model of the vectors."""
    copy, found = IndexExportFile(FIRST / "index-export.ndjson.gz"), items()
    header = copy.header()
    read = [(each, document_items.from_item(found[each.version.doc_id]).document) for each in copy.documents(header)]
    return [(document, each.rows) for each, document in read if document is not None], header.model


def _value(value: Mapping[str, Any]) -> dict[str, Any]:
    return {kind: base64.b64decode(held) if kind == "B" else held for kind, held in value.items()}
