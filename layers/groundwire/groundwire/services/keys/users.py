"""Administration of users by a person with the right: blocks, and the offboarding of somebody who left."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.decision import Decision, clean_reason
from groundwire.domain.access.tags import parse_user
from groundwire.domain.access.user_blocks import UserBlock, block_key
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.limits import MAX_TAGS_PER_CALL, MAX_USERS_AT_ONCE
from groundwire.retry import RetryPolicy, retry_on

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.domain.sources.source import McpSource
    from groundwire.ports import Clock, Documents, Keys, Users

_RETRY: Final = RetryPolicy(attempts=5)
_BATCH: Final = 500
"""Records per read of the registry."""


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """Document whose readers name the user.

    Attributes:
        named_in: rules that do, of `policy` and `ceiling`.
    """

    document: "Document"
    named_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OffboardingReceipt:
    """Result of an offboarding: what ended, and what a person has to look at.

    Attributes:
        blocks: blocks of the ids, also those from before.
        revoked_keys: personal keys of the user, also those that were revoked before.
        created_keys: keys in force that the user created or rotated and whose secrets may be known; revoked on request.
        keys_without_creator: number of other keys in force whose creator is not recorded.
        keys_without_user: delegated keys in force whose calls may assert tags alone, so that no block recognises them.
        removed_tags: stored tags that were removed, by user.
        documents, sources: those whose readers name the user; they stay as they are.
    """

    blocks: tuple[UserBlock, ...]
    revoked_keys: "tuple[ApiKey, ...]"
    created_keys: "tuple[ApiKey, ...]"
    keys_without_creator: int
    keys_without_user: "tuple[ApiKey, ...]"
    removed_tags: tuple[tuple[str, frozenset[str]], ...]
    documents: tuple[NamedDocument, ...]
    sources: "tuple[McpSource, ...]"


class UserAdmin:
    """Administration of the users of a tenant. Ids are compared by `block_key`."""

    def __init__(self, users: "Users", keys: "Keys", documents: "Documents", clock: "Clock") -> None:
        self._users = users
        self._keys = keys
        self._documents = documents
        self._clock = clock

    def block(self, tenant: str, users: Sequence[str], decision: Decision) -> list[UserBlock]:
        """Block the users, and return their blocks; a user who is blocked already keeps the first decision.

        Raises:
            InvalidInput: an id is not valid, or there are none or too many ids.
        """
        names = _parsed_users(users)
        for user in names:
            self._users.block(tenant, UserBlock(user, decision))
        wanted = {block_key(user) for user in names}
        return [block for block in self._users.blocked(tenant) if block_key(block.user) in wanted]

    def unblock(self, tenant: str, users: Sequence[str]) -> list[str]:
        """End the blocks of the users, and return the ids; keys that were revoked stay revoked.

        Raises:
            InvalidInput: an id is not valid, or there are none or too many ids.
            NotFound: a user is not blocked; then no block ends.
        """
        names = _parsed_users(users)
        wanted = {block_key(user) for user in names}
        blocked = {block.user: block_key(block.user) for block in self._users.blocked(tenant)}
        for user in names:
            if block_key(user) not in blocked.values():
                raise NotFound(f"The user {user!r} is not blocked.")
        # By the id of each block, since one of an earlier release may be stored under another key than the given id's.
        for user, key in blocked.items():
            if key in wanted:
                with suppress(NotFound):
                    self._users.unblock(tenant, user)
        return names

    def blocked(self, tenant: str) -> list[UserBlock]:
        """Return the blocks of the tenant, the earliest first."""
        return self._users.blocked(tenant)

    def change_tags(
        self, tenant: str, user: str, added: frozenset[str], removed: frozenset[str]
    ) -> tuple[str, frozenset[str]]:
        """Add tags to those stored for a user, remove others, and return the user and the tags.

        Two changes at once both count: each is made again of what is stored then.

        Raises:
            InvalidInput: the id is not valid, no tag changes, one is in both sets, or the user would have none.
            Conflict: the entry was changed too often meanwhile.
        """
        name = parse_user(user)
        if not added | removed or added & removed:
            raise InvalidInput("Name tags to add and others to remove.")

        def attempt() -> frozenset[str]:
            stored = self._users.state(tenant, name).tags
            tags = ((stored or frozenset()) | added) - removed
            if not tags:
                raise InvalidInput(f"{name} would have no tag: delete the stored tags of the user instead.")
            if len(tags) > MAX_TAGS_PER_CALL:
                raise InvalidInput(f"A user has at most {MAX_TAGS_PER_CALL} tags, as a call has.")
            if tags != stored:
                self._users.replace(tenant, name, tags, stored)
            return tags

        return name, retry_on(Conflict, attempt, _RETRY)

    def decision(self, by: str, key: str, reason: str) -> Decision:
        """Return the decision of a person at this moment.

        Raises:
            InvalidInput: the reason is not valid.
        """
        return Decision(by, self._clock(), key, clean_reason(reason))

    def offboard(
        self,
        tenant: str,
        users: Sequence[str],
        decision: Decision,
        sources: "Iterable[McpSource]",
        *,
        revoke_created: bool,
        sees_key: "Callable[[ApiKey], bool]",
    ) -> OffboardingReceipt:
        """End everything that the ids of a person allow, and return the receipt; a repeat completes an interrupted one.

        Args:
            tenant: tenant of the users.
            users: all ids of one person, such as mail address, subject and number.
            decision: who offboards the person, when and why.
            sources: MCP sources of the tenant.
            revoke_created: keys that the person created or rotated are revoked as well.
            sees_key: returns whether a key is within the bounds of whoever decides; no other is revoked or named.

        Raises:
            InvalidInput: as for `block`.
        """
        # First, so that nothing is done in the person's name while the rest ends.
        blocks = self.block(tenant, users, decision)
        names = frozenset(block_key(user) for user in _parsed_users(users))
        keys = self._keys.all(tenant)
        all_personal = [key for key in keys if key.user is not None and block_key(key.user) in names]
        now = self._clock()
        all_own = frozenset(key.kid for key in all_personal)
        rest = [key for key in keys if key.kid not in all_own]
        # A key that has ended, or is beyond the bounds, may have made others: the chain is followed over all of them.
        created = [key for key in _created_keys(rest, names, all_own) if key.is_active(now) and sees_key(key)]
        personal = [key for key in all_personal if sees_key(key)]
        others = [key for key in rest if key.is_active(now) and sees_key(key)]
        for key in [*personal, *(created if revoke_created else ())]:
            if not key.revoked:
                self._keys.revoke(tenant, key.kid)
        kids = frozenset(key.kid for key in created)
        kept = [key for key in others if not (revoke_created and key.kid in kids)]
        return OffboardingReceipt(
            blocks=tuple(blocks),
            revoked_keys=self._current(tenant, frozenset(key.kid for key in personal)),
            created_keys=self._current(tenant, kids),
            keys_without_creator=sum(key.created_with is None for key in others if key.kid not in kids),
            keys_without_user=tuple(key for key in kept if key.kind is KeyKind.ACT_AS and not key.options.require_user),
            removed_tags=tuple(self._remove_tags(tenant, names)),
            documents=tuple(self._documents_naming(tenant, names)),
            sources=tuple(source for source in sources if _names_any(_users_of(source), names)),
        )

    def _current(self, tenant: str, kids: frozenset[str]) -> "tuple[ApiKey, ...]":
        return tuple(key for key in self._keys.all(tenant) if key.kid in kids) if kids else ()

    def _remove_tags(self, tenant: str, names: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
        for user, tags in self._users.all(tenant):
            if block_key(user) in names:
                self._users.delete(tenant, user)
                yield user, tags

    def _documents_naming(self, tenant: str, names: frozenset[str]) -> Iterator[NamedDocument]:
        after = None
        while batch := self._documents.page_live(tenant, after, _BATCH):
            for document in batch:
                if named_in := _rules_naming(document, names):
                    yield NamedDocument(document, named_in)
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return


def _parsed_users(users: Sequence[str]) -> list[str]:
    """Return the ids in NFC, each once."""
    if not 1 <= len(users) <= MAX_USERS_AT_ONCE:
        raise InvalidInput(f"Name 1 to {MAX_USERS_AT_ONCE} user ids.")
    return list({block_key(user): user for user in map(parse_user, users)}.values())


def _created_keys(keys: "Sequence[ApiKey]", names: frozenset[str], own: frozenset[str]) -> "list[ApiKey]":
    """Return the keys that the person created or rotated, and those that were created or rotated with them."""
    known = set(own)
    while True:
        # Until nothing is added: an old key may have been rotated with a new one.
        further = {key.kid for key in keys if key.kid not in known and _may_know_secret(key, names, known)}
        if not further:
            return [key for key in keys if key.kid in known]
        known |= further


def _may_know_secret(key: "ApiKey", names: frozenset[str], known: AbstractSet[str]) -> bool:
    """Return whether one of the users, or whoever holds a known key, was shown a secret of the key."""
    users = (key.created_by, key.rotated_by, key.formerly_rotated_by)
    kids = (key.created_with, key.rotated_with, key.formerly_rotated_with)
    return any(user and block_key(user) in names for user in users) or any(kid in known for kid in kids)


def _rules_naming(document: "Document", names: frozenset[str]) -> tuple[str, ...]:
    readers = document.readers
    rules = {"policy": readers.declared, "ceiling": readers.ceiling}
    return tuple(rule for rule, policy in rules.items() if policy is not None and _names_any(policy.users, names))


def _users_of(source: "McpSource") -> Iterator[str]:
    yield from source.policy.users
    for tool in source.tools.values():
        if tool.policy is not None:
            yield from tool.policy.users


def _names_any(users: Iterable[str], names: frozenset[str]) -> bool:
    return any(block_key(user) in names for user in users)
