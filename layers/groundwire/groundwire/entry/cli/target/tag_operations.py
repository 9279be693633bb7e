"""Operations of commands on the tags of a tenant, and on the groups of its identity provider."""

from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of


class GroupOperations:
    """Tags that a tenant gives groups of its identity provider."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def set(self, group: str, tags: frozenset[str]) -> Row:
        """Replace the tags of the group; return both as they are stored.

        Raises:
            InvalidInput: the group or a tag is not valid.
        """
        return self._client.execute("group.set", group=group, tags=sorted(tags))

    def all(self) -> list[Row]:
        """Return the mapping by group."""
        return rows_of(self._client.execute("group.list"), "groups")

    def delete(self, group: str) -> Row:
        """Delete the mapping of the group; return the group as it was stored.

        Raises:
            NotFound: no mapping names it.
        """
        return self._client.execute("group.delete", group=group)

    def explain_token(self, token: str) -> Row:
        """Return what became of an access token: its user, its groups and their tags.

        Raises:
            InvalidInput: the service accepts no tokens.
        """
        return self._client.execute("key.explain_token", token=token)
