"""Facts of an index that are the same for everybody, and its mapping from the fields that the caller may read."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from groundwire.dialects.opensearch.query.fields import CONTENT, PAGE, TITLE, URL, VECTOR
from groundwire.domain.filters.field_types import FieldType, FieldTypes

_UUID_BYTES: Final = 16
_CREATED_BY_VERSION: Final = "137267827"
"""Version of the engine as its own settings number it."""
_KEYWORD: Final[Mapping[str, Any]] = {"type": "keyword"}
_TYPES: Final[Mapping[FieldType, str]] = {
    FieldType.BOOLEAN: "boolean",
    FieldType.DATE: "date",
    FieldType.NUMBER: "double",
    FieldType.NUMBERS: "double",
}


class IndexFacts(NamedTuple):
    """Facts of a collection as an index, from what the caller may read.

    Attributes:
        uuid: 22 characters, from tenant and name. documents: number of passages.
        created_at: epoch seconds; None: not recorded.
    """

    name: str
    uuid: str
    documents: int
    created_at: float | None


def index_uuid(tenant: str, name: str) -> str:
    """Return the index's id: URL-safe base64 of a digest, so that nothing in the collection changes it."""
    digest = hashlib.sha256(f"index\0{tenant}\0{name}".encode()).digest()[:_UUID_BYTES]
    return urlsafe_b64encode(digest).decode().rstrip("=")


def settings_of(facts: IndexFacts) -> dict[str, str]:
    """Return the settings of an index by their flat names, in alphabetical order."""
    created = {} if facts.created_at is None else {"index.creation_date": str(round(facts.created_at * 1000))}
    return {
        **created,
        "index.number_of_replicas": "0",
        "index.number_of_shards": "1",
        "index.provided_name": facts.name,
        "index.replication.type": "DOCUMENT",
        "index.uuid": facts.uuid,
        "index.version.created": _CREATED_BY_VERSION,
    }


def mapping_of(metadata: FieldTypes, dimension: int) -> dict[str, Any]:
    """Return the mapping of an index.

    Args:
        metadata: fields of the documents that the caller may read.
        dimension: of the vectors.
    """
    fields: dict[str, Any] = {
        CONTENT: {"type": "text"},
        # A client that searches by vector learns the field's name from the mapping alone.
        VECTOR: {"type": "knn_vector", "dimension": dimension},
        "language": _KEYWORD,
        PAGE: {"type": "integer"},
        "source_file_name": _KEYWORD,
        TITLE: {"type": "text", "fields": {"keyword": _KEYWORD}},
        # No filter can name the address, which the mapping tells by these two members.
        URL: {"type": "keyword", "index": False, "doc_values": False},
    }
    if metadata:
        fields["metadata"] = {"properties": {name: {"type": _type(metadata[name])} for name in sorted(metadata)}}
    return {"properties": dict(sorted(fields.items()))}


def _type(types: frozenset[FieldType]) -> str:
    """Return the type that all values have; a field with values of several types has keywords."""
    found = {_TYPES.get(each, "keyword") for each in types if each is not FieldType.EMPTY_LIST}
    return found.pop() if len(found) == 1 else "keyword"
