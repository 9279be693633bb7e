"""Page sessions of a key: a map in the key's row, so that one conditional write admits a call of the page.

    pages   {p<32 hex digits of the digest>: end of the session, epoch seconds}

A path of an expression needs no placeholder for such names. Half of the digest is enough to name a session: nobody
finds a second text of the same 128 bits.
"""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import flag, number, optional_number, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row
from groundwire.domain import errors
from groundwire.domain.keys.forms.page_session import page_end
from groundwire.domain.limits import MAX_PAGE_SESSIONS

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item
    from groundwire.adapters.aws.dynamodb.client.table import DynamoTable

ATTRIBUTE: Final = "pages"
_DIGEST_BYTES: Final = 16
_MAX_ATTEMPTS: Final = 5


def page_path(digest: bytes) -> str:
    """Return the path of a session in the key's row."""
    return f"{ATTRIBUTE}.{_name(digest)}"


def is_page_open(item: "Item", digest: bytes, now: float) -> bool:
    """Return whether the key's row has this session, and it has not ended."""
    return _pages(item).get(_name(digest), 0.0) > now


def open_page(table: "DynamoTable", tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
    """Open a session, without those that have ended; `ports.Keys.open_page`."""
    for _ in range(_MAX_ATTEMPTS):
        row = table.get(key_row(kid))
        if row is None or row.get("tenant") != text(tenant):
            break
        end = page_end(until, optional_number(row, "previous_until"), now)
        try:
            _write_pages(table, row, {**_kept(_pages(row), now), _name(digest): end})
        except ConditionFailed as failed:
            (current,) = failed.items
            if current is None or current.get("revoked") == flag(True):
                break
        else:
            return end
    else:
        raise errors.Conflict("The key is changed at this moment: sign in again.")
    raise errors.NotFound("The tenant has no active key of this id.", "key")


def close_page(table: "DynamoTable", kid: str, digest: bytes, now: float) -> bool:
    """End a session; return whether it was open."""
    path = page_path(digest)
    try:
        table.update(key_row(kid), f"REMOVE {path}", f"{path} > :moment", {":moment": number(now)})
    except ConditionFailed:
        return False
    return True


def _write_pages(table: "DynamoTable", row: "Item", pages: dict[str, float]) -> None:
    # The secret is that of the row that was read: a rotation since then ends the sign-ins before it.
    condition = "revoked = :false AND digest = :digest"
    values: dict[str, AttributeValueTypeDef] = {
        ":pages": {"M": {name: number(until) for name, until in pages.items()}},
        ":false": flag(False),
        ":digest": row["digest"],
    }
    # Of two sign-ins at once, neither may end the session of the other.
    if ATTRIBUTE in row:
        condition += f" AND {ATTRIBUTE} = :before"
        values[":before"] = row[ATTRIBUTE]
    else:
        condition += f" AND attribute_not_exists({ATTRIBUTE})"
    table.update({name: row[name] for name in ("id", "part")}, f"SET {ATTRIBUTE} = :pages", condition, values)


def _kept(pages: dict[str, float], now: float) -> dict[str, float]:
    open_pages = sorted((item for item in pages.items() if item[1] > now), key=lambda item: item[1])
    return dict(open_pages[-(MAX_PAGE_SESSIONS - 1) :])


def _pages(item: "Item") -> dict[str, float]:
    return {name: float(value.get("N", "0")) for name, value in item.get(ATTRIBUTE, {}).get("M", {}).items()}


def _name(digest: bytes) -> str:
    return f"p{digest[:_DIGEST_BYTES].hex()}"
