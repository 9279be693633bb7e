"""Port of the users of tenants."""

from typing import Protocol


class Users(Protocol):
    """Store of the tags that a tenant gives its users, for agents that send only a user."""

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`."""
        ...

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """Return the user's tags; None without an entry."""
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
