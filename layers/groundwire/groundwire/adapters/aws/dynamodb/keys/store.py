"""API keys in DynamoDB, known by digest only."""

from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Final, Self

from groundwire.adapters.aws.dynamodb.client.attributes import blob, flag, number, read_text, text, texts
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys import admission, pages
from groundwire.adapters.aws.dynamodb.keys.changes import change_requests
from groundwire.adapters.aws.dynamodb.keys.items import from_item, to_item
from groundwire.adapters.aws.dynamodb.keys.rate import initial_rate
from groundwire.adapters.aws.dynamodb.keys.row_keys import (
    MEMBER_CONDITION,
    key_row,
    kid_of,
    member_row,
    member_values,
    rate_row,
)
from groundwire.adapters.aws.dynamodb.keys.tenant_rate import COUNTED_KEY, SUSPENDED_AT, add_key_request
from groundwire.domain import errors
from groundwire.domain.keys.api_key import Admission, ApiKey, SecretMaker

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef, TransactWriteItemTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_BELONGS_TO_TENANT: Final = "tenant = :tenant"


class DynamoKeys:
    """Implements `ports.Keys` on the rows of `row_keys`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)
        self._spends_tenant_rate = True

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Add the key.

        Raises:
            Conflict: the kid is taken.
            NotFound: there is no such tenant.
        """
        item: dict[str, AttributeValueTypeDef] = {
            **to_item(key),
            **initial_rate(key.rate_per_minute, key.burst),
            **COUNTED_KEY,
            "digest": blob(digest),
        }
        writes: list[TransactWriteItemTypeDef] = [
            {"Put": self._table.insert_request(item, "id")},
            {"Put": self._table.insert_request(member_row(key.tenant, key.kid), "id")},
            {"Update": add_key_request(self._table, key)},
        ]
        try:
            self._table.transact(writes)
        except ConditionFailed as failed:
            # The items are in the order of the writes: the first one is the key.
            if failed.items[0] is not None:
                raise errors.Conflict("A key with this id already exists: create another one.") from failed
            raise errors.NotFound("There is no such tenant.", "tenant") from failed

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call, usually with two conditional writes; see `admission`."""
        return admission.admit(self._table, kid, digest, now, spends_tenant_rate=self._spends_tenant_rate)

    def admit_page(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call of a page session; see `admission`."""
        return admission.admit_page(self._table, kid, digest, now, spends_tenant_rate=self._spends_tenant_rate)

    def without_tenant_rate(self) -> Self:
        """Return the store for calls that end or narrow rights: they count against the rate of their key alone."""
        keys = copy(self)
        keys._spends_tenant_rate = False  # noqa: SLF001 - a copy of this object
        return keys

    def open_page(self, tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
        """Open a page session and return its end; see `pages`."""
        return pages.open_page(self._table, tenant, kid, digest, until, now)

    def close_page(self, kid: str, digest: bytes, now: float) -> bool:
        """End a page session; return whether it was open."""
        return pages.close_page(self._table, kid, digest, now)

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, even if revoked or expired; None when the tenant has none of that kid."""
        item = self._table.get(key_row(kid))
        # A kid names a key without its tenant, so the row may be another tenant's.
        return from_item(item) if item is not None and read_text(item, "tenant") == tenant else None

    def get_usable(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, but None while the tenant is suspended; one request for both rows."""
        rows = {read_text(item, "part"): item for item in self._table.get_all([key_row(kid), rate_row(tenant)])}
        item, rate = rows.get("key"), rows.get("rate", {})
        is_own = item is not None and read_text(item, "tenant") == tenant
        return from_item(item) if item is not None and is_own and SUSPENDED_AT not in rate else None

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time."""
        kids = (kid_of(member) for member in self._table.query(MEMBER_CONDITION, member_values(tenant)))
        keys = [from_item(item) for item in self._table.get_all(map(key_row, kids))]
        return sorted(keys, key=lambda key: (key.created_at, key.kid))

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float, maker: SecretMaker) -> None:
        """Replace the secret; the secret before the last rotation stops at once.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        # Whoever had the former secret may have signed in with it.
        change = (
            "SET previous_digest = digest, digest = :digest, previous_until = :until,"
            " formerly_rotated_by = if_not_exists(rotated_by, :none), rotated_by = :by,"
            " formerly_rotated_with = if_not_exists(rotated_with, :none), rotated_with = :with"
            f" REMOVE {pages.ATTRIBUTE}"
        )
        made = {":by": text(maker.user), ":with": text(maker.kid), ":none": text("")}
        self._update(tenant, kid, change, {":digest": blob(digest), ":until": number(previous_until), **made})

    def replace_tags(self, key: ApiKey, tags: frozenset[str], max_tags: tuple[str, ...]) -> None:
        """Replace the tags of the key, and those that its calls may send, if they still are those of `key`.

        Raises:
            Conflict: they were changed meanwhile, or there is no such key.
        """
        values: Item = {
            ":tenant": text(key.tenant),
            ":tags": texts(sorted(tags)),
            ":max_tags": texts(max_tags),
            ":tags_before": texts(sorted(key.tags)),
            ":max_tags_before": texts(key.max_tags),
        }
        condition = f"{_BELONGS_TO_TENANT} AND tags = :tags_before AND max_tags = :max_tags_before"
        try:
            self._table.update(key_row(key.kid), "SET tags = :tags, max_tags = :max_tags", condition, values)
        except ConditionFailed as failed:
            raise errors.Conflict("The tags of the key were changed meanwhile: try again.") from failed

    def change(self, before: ApiKey, after: ApiKey) -> None:
        """Replace the fields that may change, if each still is that of `before`.

        Raises:
            Conflict: one was changed or the key was revoked meanwhile, or there is no such key.
        """
        try:
            self._table.transact([{"Update": request} for request in change_requests(self._table, before, after)])
        except ConditionFailed as failed:
            raise errors.Conflict("The key was changed meanwhile: try again.") from failed

    def is_revoked(self, tenant: str, kid: str) -> bool:
        """Return whether the key was revoked, or the tenant has no such key.

        The row of its membership, since whoever processes uploads has no right to the keys themselves.
        """
        member = self._table.get(member_row(tenant, kid))
        return member is None or "revoked" in member

    def revoke(self, tenant: str, kid: str) -> None:
        """Revoke the key, so that no later `admit` succeeds.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        self._update(tenant, kid, "SET revoked = :true", {":true": flag(True)})
        # No transaction, which the counting of a busy key's calls would delay: a repetition completes both.
        with suppress(ConditionFailed):
            self._table.update(
                member_row(tenant, kid), "SET revoked = :true", "attribute_exists(id)", {":true": flag(True)}
            )

    def _update(self, tenant: str, kid: str, change: str, values: "Item") -> None:
        try:
            self._table.update(key_row(kid), change, _BELONGS_TO_TENANT, {**values, ":tenant": text(tenant)})
        except ConditionFailed as failed:
            raise errors.NotFound("The tenant has no key of this id.", "key") from failed
