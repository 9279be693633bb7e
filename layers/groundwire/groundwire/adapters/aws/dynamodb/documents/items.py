"""Document as an item of the documents table.

The item's id is the document's id. It holds the record and the ids of all documents that were ever ingested as the
document's attachments. Its write token shows a writer whether somebody else has written since. Further attributes put
the item into the table's secondary indexes; without the attribute it is not in that index.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.aws.dynamodb.client.attributes import blob, flag, number, optional_text, read_text, text
from groundwire.adapters.codecs.document_fields import STORED_PATHS, StoredValue, from_stored, to_stored
from groundwire.domain import errors
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import (
    TOMBSTONE_STATES,
    UNDETERMINED_LANGUAGE,
    Document,
    DocumentState,
    names_digest,
)

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

PREFIX: Final = "document#"
MAX_ITEM_BYTES: Final = 400 * 1024
"""DynamoDB's limit for names and values together."""
COLLECTION_INDEX_KEY: Final = "listed"
CONTENT_INDEX_KEY: Final = "content"
STALE_INDEX_KEY: Final = "stale"

_DEFAULTS: Final[Mapping[str, StoredValue]] = {
    "source_path": None,
    "source_url": None,
    "blob": None,
    "reason": None,
    "pages": None,
    "parent": None,
    "language": UNDETERMINED_LANGUAGE,
    "metadata": "{}",
    "timings": "{}",
    "windows": 0,
    "images": 0,
    "parser": "",
    "model": "",
    "sketch": b"",
    "policy_from_files": False,
    "policy_from_option": False,
    "refusal_cause": "",
    "defects": "",
    "failed_step": "",
    "parser_state": "",
    "ceiling": "",
    "begun_version": 0,
    "last_rows_at": 0.0,
    "policy_given_at": 0.0,
    "deleted_from": "",
    "deleted_at": 0.0,
    "deleted_content": "",
    "deleted_by": "",
    "deleted_with_key": "",
    "deleted_because": "",
    "deleted_own": False,
    "brought_with_key": "",
    "brought_by": "",
}
"""Values of attributes that an item may lack."""
_ABSENT_WHERE_EMPTY: Final = frozenset(
    {
        *("images", "refusal_cause", "defects", "failed_step", "parser_state", "ceiling"),
        *("deleted_content", "deleted_by", "deleted_with_key", "deleted_because", "deleted_own"),
        *("brought_with_key", "brought_by"),
    }
)
"""Attributes that an item has only where there is something to say."""
_TIMES: Final = frozenset({"created_at", "updated_at", "last_rows_at", "policy_given_at", "deleted_at"})
_DOC_ID: Final = "doc_id"
"""Field that is part of the item's key."""
_NEVER_WRITTEN: Final = frozenset({_DOC_ID, "policy_from_option"})
"""Fields that an item does not have: a policy that is not from a file and not manual came with the file."""


@dataclass(frozen=True, slots=True)
class DocumentItem:
    """Stored state of a document.

    Attributes:
        document: None where only its attachments are known, or nothing at all.
        attachment_ids: ids of all documents ingested as its attachments, deleted ones included.
        write_token: names the latest write; None for a row that does not exist.
    """

    document: Document | None
    attachment_ids: frozenset[str]
    write_token: str | None

    @property
    def is_empty(self) -> bool:
        """Return whether the item holds nothing to store."""
        return self.document is None and not self.attachment_ids


ABSENT_ITEM: Final = DocumentItem(None, frozenset(), None)


def is_living(document: Document | None) -> bool:
    """Return whether there is a record that is no tombstone."""
    return document is not None and document.state not in TOMBSTONE_STATES


def collection_index_key(tenant: str, collection: str) -> str:
    """Return the key in the index of a collection's indexed documents."""
    return names_digest(tenant, collection)


def content_index_key(tenant: str, collection: str, content_hash: str) -> str:
    """Return the key in the index of living documents by content."""
    return names_digest(tenant, collection, content_hash)


def to_item(tenant: str, doc_id: str, row: DocumentItem) -> "dict[str, AttributeValueTypeDef]":
    """Write the item.

    Raises:
        InvalidInput: it exceeds DynamoDB's size limit.
    """
    item: dict[str, AttributeValueTypeDef] = {
        "tenant": text(tenant),
        "id": text(PREFIX + doc_id),
        "written": text(row.write_token or ""),
    }
    # A set of DynamoDB cannot be empty.
    if row.attachment_ids:
        item["carries"] = {"SS": sorted(row.attachment_ids)}
    if row.document is not None:
        item |= {name: _encoded(value) for name, value in to_stored(row.document).items() if _is_present(name, value)}
        item |= {name: text(key) for name, key in _index_keys(tenant, row.document).items()}
    if item_bytes(item) > MAX_ITEM_BYTES:
        raise errors.InvalidInput(
            f"The record of the document {doc_id!r} is larger than {MAX_ITEM_BYTES // 1024} KB. Name a "
            "common tag in its policy instead of many users, or reduce its metadata."
        )
    return item


def from_item(item: "Item") -> DocumentItem:
    """Read an item that `to_item` wrote."""
    document = _document(item) if "version" in item else None
    return DocumentItem(document, frozenset(item.get("carries", {}).get("SS", ())), optional_text(item, "written"))


def doc_id_of(item: "Item") -> str:
    """Return the id of the document of an item, from the table or one of its indexes."""
    return read_text(item, "id").removeprefix(PREFIX)


def item_bytes(item: "Item") -> int:
    """Return the item's size as DynamoDB counts it, or a little more."""
    return sum(len(name) + sum(map(_value_bytes, value.values())) for name, value in item.items())


def _value_bytes(value: object) -> int:
    match value:
        case str():
            return len(value.encode())
        case bytes():
            return len(value)
        case list():
            return sum(map(_value_bytes, value))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return 1


def _index_keys(tenant: str, document: Document) -> dict[str, str]:
    keys: dict[str, str] = {}
    if document.state is DocumentState.INDEXED:
        keys[COLLECTION_INDEX_KEY] = collection_index_key(tenant, document.collection)
    # A queued document has no content hash: one key for all of them would only crowd a partition.
    if is_living(document) and document.content_hash:
        keys[CONTENT_INDEX_KEY] = content_index_key(tenant, document.collection, document.content_hash)
    if document.sync.is_stale:
        keys[STALE_INDEX_KEY] = tenant
    return keys


def _is_present(name: str, value: StoredValue) -> bool:
    return name not in _NEVER_WRITTEN and value is not None and (bool(value) or name not in _ABSENT_WHERE_EMPTY)


def _encoded(value: StoredValue) -> "AttributeValueTypeDef":
    match value:
        case bool():
            return flag(value)
        case int() | float():
            return number(value)
        case bytes():
            return blob(value)
        case _:
            return text(str(value))


def _document(item: "Item") -> Document:
    stored = {name: _decoded(name, item[name]) for name in STORED_PATHS if name in item}
    fields = {**_DEFAULTS, **stored, _DOC_ID: doc_id_of(item)}
    return from_stored(fields, earlier_source=PolicySource.OPTION)


def _decoded(name: str, value: "AttributeValueTypeDef") -> Any:
    ((kind, stored),) = value.items()
    if kind != "N":
        return stored
    return float(str(stored)) if name in _TIMES else int(str(stored))
