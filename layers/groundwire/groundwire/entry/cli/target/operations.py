"""Operations of commands within one tenant, the same on every target: each is an action that its client executes."""

from collections.abc import Sequence
from typing import Final, cast

from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.access_operations import AccessOperations, AuditOperations
from groundwire.entry.cli.target.action_client import ActionClient, row_of, rows_of, rows_of_pages
from groundwire.entry.cli.target.document_operations import DocumentOperations
from groundwire.entry.cli.target.monitoring_operations import EvaluationOperations, IngestionOperations
from groundwire.entry.cli.target.source_operations import SourceOperations
from groundwire.entry.cli.target.tag_operations import GroupOperations, TagOperations, new_tags_member
from groundwire.entry.serialization.key_spec import key_change_to_json, key_spec_to_json
from groundwire.services.keys.admin import KeySpec
from groundwire.services.keys.key_spec import KeyChange


class TenantChanges:
    """Changes of the limits of tenants by the operator."""

    def __init__(self, operator: ActionClient) -> None:
        self._operator = operator

    def set_rate(self, name_or_id: str, rate_per_minute: int, burst: int) -> Row:
        """Set the limit over all keys of a tenant, and return the tenant.

        Raises:
            NotFound: there is no such tenant. InvalidInput: a number is out of range.
        """
        fields = {"rate_per_minute": rate_per_minute, "burst": burst}
        return row_of(self._operator.execute("tenant.set-rate", tenant=name_or_id, **fields), "tenant")

    def suspend(self, name_or_id: str) -> Row:
        """Refuse every call of a tenant's keys, and return the tenant.

        Raises:
            NotFound: there is no such tenant.
        """
        return row_of(self._operator.execute("tenant.suspend", tenant=name_or_id), "tenant")

    def resume(self, name_or_id: str) -> Row:
        """End the suspension of a tenant, and return the tenant.

        Raises:
            NotFound: there is no such tenant.
        """
        return row_of(self._operator.execute("tenant.resume", tenant=name_or_id), "tenant")


class KeyOperations:
    """A tenant's keys; each method raises Forbidden where the command's own key may not do it.

    Args:
        shows_url: whether a new key comes with the `url` of the service, which the operator of a machine knows.
    """

    def __init__(self, client: ActionClient, *, shows_url: bool) -> None:
        self._client = client
        self._shows_url = shows_url

    def create(self, spec: KeySpec, *, allows_new: bool = False) -> Row:
        """Create a key, whatever tenant `spec` names; return it with its text as `key`.

        A key for people who sign in has no text. `allows_new` accepts a tag that nobody has although it resembles one
        in use.

        Raises:
            InvalidInput: the specification is invalid.
            Conflict: the tenant has a key for people who sign in already.
            NotFound: there is no such tenant.
        """
        response = self._client.execute(
            "key.create", **key_spec_to_json(spec), **new_tags_member(allows_new=allows_new)
        )
        return {**row_of(response, "key"), **({"url": response["url"]} if self._shows_url else {})}

    def all(self) -> list[Row]:
        """Return the keys ordered by creation time."""
        return rows_of_pages(self._client, "key.list", "keys")

    def policy_tags(self) -> Row:
        """Return the tags that policies use as `tags`, and as `complete` whether these are all of them.

        Raises:
            NotFound, InvalidInput: the service is of a release that does not list them.
        """
        return self._client.execute("key.policy_tags")

    def change(self, kid: str, change: KeyChange, *, allows_new: bool = False) -> Row:
        """Change a key, and return it; `allows_new` accepts a tag that nobody has although it resembles one in use.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired, or was changed meanwhile.
            InvalidInput: no such key could be created.
        """
        members = {**key_change_to_json(change), **new_tags_member(allows_new=allows_new)}
        return row_of(self._client.execute("key.change", kid=kid, **members), "key")

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Give a key a new secret, and return it with its text as `key`; the old one works for `overlap_hours`.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired.
            InvalidInput: it has no secret, or the overlap is out of range.
        """
        return row_of(self._client.execute("key.rotate", kid=kid, overlap_hours=overlap_hours), "key")

    def revoke(self, kid: str) -> Row:
        """Revoke a key.

        Raises:
            NotFound: there is no such key.
        """
        return row_of(self._client.execute("key.revoke", kid=kid), "key")


class UserOperations:
    """A tenant's users: the tags that are stored for them, and the blocks of those who may do nothing."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def set(self, user: str, tags: frozenset[str], *, allows_new: bool = False) -> None:
        """Replace the user's tags; `allows_new` accepts a tag that nobody has although it resembles one in use."""
        self._client.execute("user.set", user=user, tags=sorted(tags), **new_tags_member(allows_new=allows_new))

    def change(
        self, user: str, added: frozenset[str], removed: frozenset[str], *, allows_new: bool = False
    ) -> Sequence[str]:
        """Add tags to the user's and remove others, whatever other commands change at once; return the tags.

        Raises:
            InvalidInput: the user or a tag is not valid, or the user would have no tag.
        """
        tags = {"add_tags": sorted(added), "remove_tags": sorted(removed)}
        row = self._client.execute("user.change", user=user, **tags, **new_tags_member(allows_new=allows_new))
        return cast("Sequence[str]", row["tags"])

    def all(self) -> list[Row]:
        """Return the entries ordered by user."""
        return rows_of_pages(self._client, "user.list", "users")

    def delete(self, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the user has no entry.
        """
        self._client.execute("user.delete", user=user)

    def seen(self, since: str) -> list[Row]:
        """Return who called since a time, each user once for each key and set of tags, the latest first.

        Raises:
            InvalidInput: the text is no time. Forbidden: the key has bounds.
        """
        merged, after = dict[tuple[str, str, str], Row](), None
        while True:
            page = self._client.execute("user.seen", since=since, after=after)
            for row in rows_of(page, "callers"):
                group = (str(row["user"]).casefold(), str(row["kid"]), str(row["tags_hash"]))
                earlier = merged.get(group)
                # Parts have the latest calls first.
                merged[group] = row if earlier is None else {**earlier, "calls": _sum(earlier, row)}
            if (after := page["next"]) is None:
                return sorted(merged.values(), key=lambda row: str(row["last_call"]), reverse=True)

    def blocked(self) -> list[Row]:
        """Return the blocks, the earliest first."""
        return rows_of_pages(self._client, "user.blocked", "users")

    def block(self, users: Sequence[str], reason: str) -> list[Row]:
        """Block the users, and return their blocks.

        Raises:
            InvalidInput: an id or the reason is not valid.
        """
        return rows_of(self._client.execute("user.block", users=list(users), decision_reason=reason), "users")

    def unblock(self, users: Sequence[str]) -> None:
        """End the blocks of the users.

        Raises:
            NotFound: a user is not blocked; then no block ends.
        """
        self._client.execute("user.unblock", users=list(users))

    def offboard(self, users: Sequence[str], reason: str, *, revoke_created: bool) -> Row:
        """End everything that the ids of a person allow, and return the receipt.

        Raises:
            InvalidInput: an id or the reason is not valid.
        """
        fields = {"users": list(users), "decision_reason": reason, "revoke_created": revoke_created}
        return row_of(self._client.execute("user.offboard", **fields), "receipt")


def _sum(earlier: Row, later: Row) -> int:
    return int(str(earlier["calls"])) + int(str(later["calls"]))


class CollectionOperations:
    """A tenant's collections; each method raises Forbidden where the command's own key may not do it."""

    def __init__(self, client: ActionClient) -> None:
        self._client = client

    def all(self) -> list[Row]:
        """Return the collections ordered by name."""
        return rows_of(self._client.execute("collection.list"), "collections")

    def find(self, name: str) -> Row:
        """Return a collection by name.

        Raises:
            NotFound: there is no such collection.
        """
        return self._client.execute("collection.show", name=name)

    def set(self, name: str, settings: Row) -> Row:
        """Create or change a collection; a setting of None, or without a member, is left unchanged.

        Raises:
            InvalidInput: the name or a setting is invalid.
        """
        return self._client.execute("collection.set", name=name, **settings)

    def describe(self, name: str, description: str) -> Row:
        """Set what the collection holds, in its owner's words; an empty text clears it.

        Raises:
            NotFound: there is no such collection.
            InvalidInput: nothing of the text can be seen, or it is too long.
        """
        return self._client.execute("collection.describe", name=name, description=description)

    def propose_description(self, name: str) -> str | None:
        """Return a description made from public documents, which is not stored; None without such documents.

        Raises:
            NotFound: there is no such collection.
        """
        proposed = self._client.execute("collection.propose", name=name)["description"]
        return None if proposed is None else str(proposed)

    def delete(self, name: str, reason: str) -> int:
        """Delete a collection with its documents; return their number.

        Raises:
            NotFound: there is no such collection.
        """
        return int(str(self._client.execute("collection.delete", name=name, reason=reason)["documents"]))


class TenantTarget:
    """One tenant of a target.

    Attributes:
        title: the name of the tenant or of its service, for messages.
    """

    def __init__(self, title: str, client: ActionClient, *, shows_url: bool = False) -> None:
        self.title: Final = title
        self.keys: Final = KeyOperations(client, shows_url=shows_url)
        self.users: Final = UserOperations(client)
        self.tags: Final = TagOperations(client)
        self.access: Final = AccessOperations(client)
        self.audit: Final = AuditOperations(client)
        self.groups: Final = GroupOperations(client)
        self.collections: Final = CollectionOperations(client)
        self.documents: Final = DocumentOperations(client)
        self.sources: Final = SourceOperations(client)
        self.ingestions: Final = IngestionOperations(client)
        self.evaluations: Final = EvaluationOperations(client)
