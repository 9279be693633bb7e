"""All rows of a tenant but its own one, erased in an order in which an erasure that was cut off can be repeated."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import read_text, text
from groundwire.adapters.aws.collections import COLLECTION_PREFIX
from groundwire.adapters.aws.deliveries import PREFIX as DELIVERY_PREFIX
from groundwire.adapters.aws.document_items import PREFIX as DOCUMENT_PREFIX
from groundwire.adapters.aws.key_rows import MEMBERS, key_row, kid_of, members, rate_row
from groundwire.adapters.aws.table import Table

if TYPE_CHECKING:
    from groundwire.adapters.aws.attribute_values import Item

_OF_TENANT: Final = "tenant = :tenant"
_ALWAYS_TOLD: Final = ("keys", "users", "collections", "documents", "sessions")
_KINDS: Final = {COLLECTION_PREFIX: "collections", DELIVERY_PREFIX: "deliveries", "upload#": "uploads"}


def erase(tenant: str, keys: Table, users: Table, documents: Table, sessions: Table) -> Mapping[str, int]:
    """Counts of keys, users, collections, documents and sessions, and of what else there was.

    Keys go first, so that nobody calls meanwhile.
    """
    erased = Counter({"keys": _erase_keys(tenant, keys)})
    erased["users"] = users.delete_all(_rows(users, tenant, "user"))
    erased.update(_erase_documents(tenant, documents))
    erased["sessions"] = sessions.delete_all(_rows(sessions, tenant, "id"))
    return {kind: erased[kind] for kind in _ALWAYS_TOLD} | {kind: n for kind, n in sorted(erased.items()) if n}


def _erase_keys(tenant: str, keys: Table) -> int:
    listed = list(keys.query(MEMBERS, members(tenant)))
    # Who is on the list may be gone already; who is gone from the list must be.
    keys.delete_all(key_row(kid_of(member)) for member in listed)
    keys.delete_all([rate_row(tenant)])
    return keys.delete_all(_only(listed, "id", "part"))


def _erase_documents(tenant: str, documents: Table) -> Counter[str]:
    erased: Counter[str] = Counter()
    # Of a document that was never there itself a row may tell what came with it: it has no version.
    rows = documents.query(_OF_TENANT, {":tenant": text(tenant)}, ("tenant", "id", "version"))
    documents.delete_all(_only(_counted(rows, erased), "tenant", "id"))
    return erased


def _counted(rows: "Iterable[Item]", kinds: Counter[str]) -> "Iterator[Item]":
    for row in rows:
        id_ = read_text(row, "id")
        if id_.startswith(DOCUMENT_PREFIX):
            kinds["documents"] += "version" in row
        elif kind := _KINDS.get(id_.partition("#")[0] + "#"):
            kinds[kind] += 1
        yield row


def _rows(table: Table, tenant: str, range_name: str) -> "Iterator[Item]":
    return table.query(_OF_TENANT, {":tenant": text(tenant)}, ("tenant", range_name))


def _only(rows: "Iterable[Item]", *names: str) -> "Iterator[Item]":
    return ({name: row[name] for name in names} for row in rows)
