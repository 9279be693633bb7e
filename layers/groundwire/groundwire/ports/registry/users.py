"""Port of the users of tenants: their stored tags, and the blocks of users."""

from typing import Protocol

from groundwire.domain.access.user_blocks import UserBlock, UserState


class Users(Protocol):
    """Store of the tags that a tenant gives its users, for agents that send only a user, and of blocked users.

    Entries are compared exactly, blocks by `domain.access.user_blocks.block_key`.
    """

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`."""
        ...

    def replace(self, tenant: str, user: str, tags: frozenset[str], expected: frozenset[str] | None) -> None:
        """Set the user's entry to `tags` if it still is exactly `expected`; None: if there still is no entry.

        Raises:
            Conflict: the entry was added, changed or deleted meanwhile.
        """
        ...

    # One read: whoever asks for the tags of a user cannot forget the block.
    def state(self, tenant: str, user: str) -> UserState:
        """Return the user's tags and block, by one read that sees every change that ended before it began."""
        ...

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """Return all entries by user."""
        ...

    def delete(self, tenant: str, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: there is no such entry.
        """
        ...

    def block(self, tenant: str, block: UserBlock) -> None:
        """Block the user; an earlier block of the user stays as it is."""
        ...

    def unblock(self, tenant: str, user: str) -> None:
        """End the block of the user.

        Raises:
            NotFound: the user is not blocked.
        """
        ...

    def blocked(self, tenant: str) -> list[UserBlock]:
        """Return all blocks, the earliest first."""
        ...
