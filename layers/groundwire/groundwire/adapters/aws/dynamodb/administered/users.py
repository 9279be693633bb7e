"""Tags that tenants keep for their users, and blocks of users, in DynamoDB.

The blocks of a tenant are in a partition of their own, so that the previous release does not list them as users.
"""

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, read_texts, text, texts
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors
from groundwire.domain.access.user_blocks import STORED_BLOCK, UserBlock, UserState, block_key, stored_block_keys

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

BLOCK_PARTITION_PREFIX: Final = "blocked#"
"""Prefix of the tenant in the partition of its blocks."""
_BLOCKS: Final = ItemCodec(STORED_BLOCK)


class DynamoUsers:
    """Implements `ports.Users`: one row per entry, an empty entry included, and one per block."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`."""
        self._table.put({**_entry_row(tenant, user), "tags": texts(sorted(tags))})

    def replace(self, tenant: str, user: str, tags: frozenset[str], expected: frozenset[str] | None) -> None:
        """Set the user's entry to `tags` if it still is exactly `expected`; None: if there still is no entry.

        Raises:
            Conflict: the entry was added, changed or deleted meanwhile.
        """
        item = {**_entry_row(tenant, user), "tags": texts(sorted(tags))}
        try:
            if expected is None:
                self._table.insert(item, "attribute_not_exists(tenant)")
            else:
                self._table.insert(item, "tags = :expected", {":expected": texts(sorted(expected))})
        except ConditionFailed as failed:
            raise errors.Conflict(f"The tags of {user!r} were changed meanwhile: try again.") from failed

    def state(self, tenant: str, user: str) -> UserState:
        """Return the user's tags and block, by one request. An empty entry is an entry."""
        tags, is_blocked = None, False
        blocks = [_block_row(tenant, key) for key in stored_block_keys(user)]
        for item in self._table.get_all([_entry_row(tenant, user), *blocks]):
            if read_text(item, "tenant") == tenant:
                tags = frozenset(read_texts(item, "tags"))
            else:
                is_blocked = True
        return UserState(tags, is_blocked)

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """Return all entries by user."""
        items = self._table.query("tenant = :tenant", {":tenant": text(tenant)})
        return [(read_text(item, "user"), frozenset(read_texts(item, "tags"))) for item in items]

    def delete(self, tenant: str, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the tenant keeps no entry for the user.
        """
        try:
            self._table.delete(_entry_row(tenant, user), "attribute_exists(tenant)")
        except ConditionFailed as failed:
            raise errors.NotFound(f"The user {user!r} has no stored tags.") from failed

    def block(self, tenant: str, block: UserBlock) -> None:
        """Block the user, unless the user is blocked."""
        try:
            self._table.insert(
                {**_block_row(tenant, block_key(block.user)), **_BLOCKS.to_item(block)}, "attribute_not_exists(tenant)"
            )
        except ConditionFailed:
            # The earlier block holds, with the reason that was given then.
            return

    def unblock(self, tenant: str, user: str) -> None:
        """End the block of the user.

        Raises:
            NotFound: the user is not blocked.
        """
        ended = [self._end_block(_block_row(tenant, key)) for key in stored_block_keys(user)]
        if not any(ended):
            raise errors.NotFound(f"The user {user!r} is not blocked.")

    def blocked(self, tenant: str) -> list[UserBlock]:
        """Return all blocks, the earliest first."""
        items = self._table.query("tenant = :tenant", {":tenant": text(BLOCK_PARTITION_PREFIX + tenant)})
        blocks = [_BLOCKS.from_item(item) for item in items]
        return sorted(blocks, key=lambda block: (block.decision.decided_at, block.user))

    def _end_block(self, row: "dict[str, AttributeValueTypeDef]") -> bool:
        try:
            self._table.delete(row, "attribute_exists(tenant)")
        except ConditionFailed:
            return False
        return True


def _entry_row(tenant: str, user: str) -> "dict[str, AttributeValueTypeDef]":
    return {"tenant": text(tenant), "user": text(user)}


def _block_row(tenant: str, key: str) -> "dict[str, AttributeValueTypeDef]":
    # Compatibility forms can be much longer than the id, and a sort key has 1,024 bytes at most.
    digest = sha256(key.encode()).hexdigest()
    return {"tenant": text(BLOCK_PARTITION_PREFIX + tenant), "user": text(digest)}
