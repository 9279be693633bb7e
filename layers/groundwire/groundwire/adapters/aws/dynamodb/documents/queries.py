"""Queries of the documents table, as `template.yaml` defines it; all but `index_entries` read strongly consistent."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from groundwire.adapters.aws.dynamodb.documents.items import PREFIX
from groundwire.domain.documents.record import TOMBSTONE_STATES, DocumentState

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import QueryInputTypeDef

_TOMBSTONES: Final[Mapping[str, Any]] = {f":{state.value}": {"S": state.value} for state in sorted(TOMBSTONE_STATES)}
_LIVING: Final = f"attribute_exists(#version) AND NOT #state IN ({', '.join(_TOMBSTONES)})"
_LIVING_NAMES: Final = {"#version": "version", "#state": "state"}
_DELETED_BY_PERSONS: Final = f"#state IN ({', '.join(_TOMBSTONES)}) AND #deleted > :zero"
_AFTER_ALL_DOCUMENTS: Final = PREFIX[:-1] + chr(ord(PREFIX[-1]) + 1)


def living_documents(table: str, tenant: str, collection: str | None) -> "QueryInputTypeDef":
    """Return the query of the tenant's living documents, of one collection or of all."""
    condition, names, values = _LIVING, _LIVING_NAMES, _TOMBSTONES
    if collection is not None:
        condition += " AND #collection = :collection"
        names = {**names, "#collection": "collection"}
        values = {**values, ":collection": {"S": collection}}
    return {**_items_by_prefix(table, tenant, PREFIX, names, values), "FilterExpression": condition}


def living_documents_from(table: str, tenant: str, doc_id: str | None) -> "QueryInputTypeDef":
    """Return the query of the tenant's living documents by id, from this one on."""
    return {**_documents_from(table, tenant, doc_id, _LIVING_NAMES, _TOMBSTONES), "FilterExpression": _LIVING}


def deletions_from(table: str, tenant: str, doc_id: str | None) -> "QueryInputTypeDef":
    """Return the query of the tenant's tombstones with a deletion in force by id, from this one on."""
    names = {"#state": "state", "#deleted": "deleted_at"}
    query = _documents_from(table, tenant, doc_id, names, {":zero": {"N": "0"}, **_TOMBSTONES})
    return {**query, "FilterExpression": _DELETED_BY_PERSONS}


def records_from(table: str, tenant: str, doc_id: str | None) -> "QueryInputTypeDef":
    """Return the query of the tenant's documents and tombstones by id, from this one on."""
    return _documents_from(table, tenant, doc_id, {}, {})


def sketches(table: str, tenant: str) -> "QueryInputTypeDef":
    """Return the query of the sketches of indexed documents: `id`, `sketch` and `created_at` alone."""
    names = {"#state": "state", "#sketch": "sketch", "#created": "created_at"}
    values = {":indexed": {"S": DocumentState.INDEXED.value}, ":none": {"N": "0"}}
    return {
        **_items_by_prefix(table, tenant, PREFIX, names, values),
        "FilterExpression": "#state = :indexed AND size(#sketch) > :none",
        "ProjectionExpression": "#id, #sketch, #created",
    }


def ids_by_prefix(table: str, tenant: str, prefix: str) -> "QueryInputTypeDef":
    """Return the query of the ids that begin with the prefix."""
    return {**_items_by_prefix(table, tenant, prefix, {}, {}), "ProjectionExpression": "#id"}


def index_entries(
    table: str, index: str, attribute: str, key: str, after: str | None, page_size: int | None
) -> "QueryInputTypeDef":
    """Return the query of a secondary index: its entries under the key by id, after that of the document `after`."""
    request: QueryInputTypeDef = {
        "TableName": table,
        "IndexName": index,
        "KeyConditionExpression": "#key = :key AND #id > :after",
        "ExpressionAttributeNames": {"#key": attribute, "#id": "id"},
        "ExpressionAttributeValues": {":key": {"S": key}, ":after": {"S": PREFIX + (after or "")}},
    }
    if page_size is not None:
        request["Limit"] = page_size
    return request


def _documents_from(
    table: str, tenant: str, doc_id: str | None, names: Mapping[str, str], values: Mapping[str, Any]
) -> "QueryInputTypeDef":
    return {
        "TableName": table,
        "ConsistentRead": True,
        "KeyConditionExpression": "#tenant = :tenant AND #id BETWEEN :from AND :to",
        "ExpressionAttributeNames": {"#tenant": "tenant", "#id": "id", **names},
        "ExpressionAttributeValues": {
            ":tenant": {"S": tenant},
            ":from": {"S": PREFIX + (doc_id or "")},
            ":to": {"S": _AFTER_ALL_DOCUMENTS},
            **values,
        },
    }


def _items_by_prefix(
    table: str, tenant: str, prefix: str, names: Mapping[str, str], values: Mapping[str, Any]
) -> "QueryInputTypeDef":
    return {
        "TableName": table,
        "ConsistentRead": True,
        "KeyConditionExpression": "#tenant = :tenant AND begins_with(#id, :prefix)",
        "ExpressionAttributeNames": {"#tenant": "tenant", "#id": "id", **names},
        "ExpressionAttributeValues": {":tenant": {"S": tenant}, ":prefix": {"S": prefix}, **values},
    }
