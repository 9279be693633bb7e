"""Deletion of all rows of a tenant but its own, in an order that allows an interrupted deletion to be repeated."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.administered.collections import COLLECTION_PREFIX
from groundwire.adapters.aws.dynamodb.administered.definitions import DEFINITION_PREFIX, STATE_PARTITION_PREFIX
from groundwire.adapters.aws.dynamodb.administered.groups import group_row
from groundwire.adapters.aws.dynamodb.administered.users import BLOCK_PARTITION_PREFIX
from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.documents.items import PREFIX as DOCUMENT_PREFIX
from groundwire.adapters.aws.dynamodb.event_claims import PREFIX as DELIVERY_PREFIX
from groundwire.adapters.aws.dynamodb.keys.row_keys import MEMBER_CONDITION, key_row, kid_of, member_values, rate_row

if TYPE_CHECKING:
    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_OF_TENANT: Final = "tenant = :tenant"
_ALWAYS_COUNTED: Final = ("keys", "users", "collections", "documents", "sessions")
_KIND_BY_PREFIX: Final = {
    COLLECTION_PREFIX: "collections",
    DEFINITION_PREFIX: "definitions",
    DELIVERY_PREFIX: "deliveries",
    "upload#": "uploads",
}


def erase_tenant_rows(
    tenant: str, keys: DynamoTable, users: DynamoTable, documents: DynamoTable, sessions: DynamoTable
) -> Mapping[str, int]:
    """Delete the rows; return counts of keys, users, collections, documents, sessions, and of other kinds found.

    Keys are deleted first, so that no call is admitted meanwhile.
    """
    erased = Counter({"keys": _erase_keys(tenant, keys)})
    erased["users"] = users.delete_all(_rows(users, tenant, "user"))
    users.delete_all([group_row(tenant)])
    erased["blocked_users"] = users.delete_all(_rows(users, BLOCK_PARTITION_PREFIX + tenant, "user"))
    erased.update(_erase_documents(tenant, documents))
    rows = list(_rows(sessions, tenant, "id"))
    sessions.delete_all(rows)
    erased["sessions"] = sum("#" not in read_text(row, "id") for row in rows)
    return {kind: erased[kind] for kind in _ALWAYS_COUNTED} | {kind: n for kind, n in sorted(erased.items()) if n}


def _erase_keys(tenant: str, keys: DynamoTable) -> int:
    listed = list(keys.query(MEMBER_CONDITION, member_values(tenant)))
    # A listed key may be deleted already; a key without its membership row must be.
    keys.delete_all(key_row(kid_of(member)) for member in listed)
    keys.delete_all([rate_row(tenant)])
    return keys.delete_all(_primary_keys(listed, "id", "part"))


def _erase_documents(tenant: str, documents: DynamoTable) -> Counter[str]:
    erased: Counter[str] = Counter()
    for partition in (tenant, STATE_PARTITION_PREFIX + tenant):
        # A row without a version only lists attachments of a document that never existed itself.
        rows = documents.query(_OF_TENANT, {":tenant": text(partition)}, ("tenant", "id", "version"))
        documents.delete_all(_primary_keys(_count_kinds(rows, erased), "tenant", "id"))
    return erased


def _count_kinds(rows: "Iterable[Item]", kinds: Counter[str]) -> "Iterator[Item]":
    for row in rows:
        id_ = read_text(row, "id")
        if id_.startswith(DOCUMENT_PREFIX):
            kinds["documents"] += "version" in row
        elif kind := _KIND_BY_PREFIX.get(id_.partition("#")[0] + "#"):
            kinds[kind] += 1
        yield row


def _rows(table: DynamoTable, tenant: str, range_name: str) -> "Iterator[Item]":
    return table.query(_OF_TENANT, {":tenant": text(tenant)}, ("tenant", range_name))


def _primary_keys(rows: "Iterable[Item]", *names: str) -> "Iterator[Item]":
    return ({name: row[name] for name in names} for row in rows)
