"""Operations of commands on the tags of a tenant, and on the groups of its identity provider."""

from collections.abc import Iterable

from groundwire.domain.errors import Forbidden, InvalidInput, NotFound
from groundwire.domain.limits import MAX_TAGS_PER_CHECK
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, rows_of


def new_tags_member(*, allows_new: bool) -> dict[str, bool]:
    """Return the member that accepts new tags; a service of an earlier release does not know it, and needs none."""
    return {"new_tags": True} if allows_new else {}


class TagOperations:
    """The tags of a tenant."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self) -> Row:
        """Return the tags in use as `tags`, and as `complete` whether these are all of them."""
        return self._client.execute("tags.list")

    def new(self, tags: Iterable[str]) -> list[Row]:
        """Return those of the tags that nobody has as `tag`, each with the tag that was probably meant as `meant`.

        A service of an earlier release cannot tell, so none of them is new there.
        """
        try:
            return rows_of(self._client.execute("tags.check", tags=sorted(tags)[:MAX_TAGS_PER_CHECK]), "new")
        except (NotFound, InvalidInput, Forbidden) as error:
            # The error of a missing tenant names its kind; that of a missing route does not.
            if isinstance(error, NotFound) and error.resource_kind is not None:
                raise
            return []

    def plan_rename(self, tag: str, new_tag: str) -> Row:
        """Return what the renaming of a tag changes.

        Raises:
            InvalidInput: a tag is not valid, or the target cannot rename tags. NotFound: nobody has the old one.
        """
        return self._client.execute("tags.plan_rename", tag=tag, new_tag=new_tag)

    def rename(self, tag: str, new_tag: str, *, merges: bool) -> Row:
        """Rename a tag wherever the tenant uses it; return what was changed.

        Raises:
            InvalidInput, NotFound: as of `plan_rename`.
            Conflict: the new tag is in use, and `merges` is False.
        """
        return self._client.execute("tags.rename", tag=tag, new_tag=new_tag, merge=merges)


class GroupOperations:
    """Tags that a tenant gives groups of its identity provider."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def set(self, group: str, tags: frozenset[str], *, allows_new: bool = False) -> Row:
        """Replace the tags of the group; return both as they are stored.

        Args:
            group: name, path or id.
            tags: exactly those that it gives.
            allows_new: accept a tag that nobody has although it resembles one in use.

        Raises:
            InvalidInput: the group or a tag is not valid.
        """
        return self._client.execute(
            "group.set", group=group, tags=sorted(tags), **new_tags_member(allows_new=allows_new)
        )

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
        """Return the explanation of an access token: its user, its groups and their tags.

        Raises:
            InvalidInput: the service accepts no tokens.
        """
        return self._client.execute("key.explain_token", token=token)
