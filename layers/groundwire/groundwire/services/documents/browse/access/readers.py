"""Readers of a document: everybody, users, holders of tags, and the keys whose calls can read it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.access.policy import AccessReason, Principal, Readers, decide
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.access.tags import is_tag_covered
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import KeyKind
from groundwire.services.documents.browse.access.check import find_document
from groundwire.services.documents.browse.access.explanation import minimal_tag_sets

if TYPE_CHECKING:
    from groundwire.ports import Clock, Collections, Documents, Groups, Keys, Users
    from groundwire.services.documents.browse.access.view import AccessView

MAX_LISTED: Final = 1_000
"""Limit of the users, keys and groups that an answer names, each."""


class KeyRole(StrEnum):
    """User as whom the calls of a key can read a document: the key's own, or one that the call names."""

    OWN = "own_user"
    NAMED = "named_user"


class UserReader(NamedTuple):
    """User who can read a document.

    Attributes:
        reason: clause that admits the user; with the tags that are stored for the user, if any.
        is_blocked: every call of the user is refused at present; None: the view does not have blocks.
    """

    user: str
    reason: AccessReason
    is_blocked: bool | None


class KeyReader(NamedTuple):
    """Key whose calls can read a document.

    Attributes:
        is_blocked: every call of the key is refused at present, as its user is blocked; None: the view does not have
            blocks, or the key has no user of its own.
    """

    key: ApiKey
    role: KeyRole
    is_blocked: bool | None


@dataclass(frozen=True, slots=True)
class DocumentReaders:
    """Readers of a document within a view.

    Attributes:
        is_everyone: every user of the tenant can read it.
        tag_sets: sets of tags of which each one suffices.
        users: users by name: those whom the readers name, and those with stored tags; None: the view has no entries,
            so that only named users are known, in `named`.
        named: users whom the readers name and admit without tags.
        keys: keys in force, by creation time.
        groups: mapped groups whose tags suffice; None: the view has no entries.
        is_complete: False where a list reached `MAX_LISTED`.
    """

    document: Document
    is_everyone: bool
    tag_sets: tuple[frozenset[str], ...]
    users: tuple[UserReader, ...] | None
    named: tuple[str, ...]
    keys: tuple[KeyReader, ...]
    groups: tuple[str, ...] | None
    is_complete: bool


class NameList(NamedTuple):
    """Names in their order, at most `MAX_LISTED`, and the number of all of them."""

    listed: tuple[str, ...]
    number: int

    @classmethod
    def of(cls, names: Iterable[str]) -> "NameList":
        """Return the list of these names."""
        every = list(names)
        return cls(tuple(every[:MAX_LISTED]), len(every))


@dataclass(frozen=True, slots=True)
class GainedReaders:
    """Readers that a document has with some readers, and does not have with others.

    Attributes:
        tag_sets: sets of tags that suffice.
        named: users whom the readers name and admit without tags.
        users: users by name, these and those with stored tags; None: the view has no entries.
        groups: mapped groups; None: the view has no entries.
        keys: ids of keys in force.
    """

    tag_sets: tuple[frozenset[str], ...]
    named: tuple[str, ...]
    users: NameList | None
    groups: NameList | None
    keys: NameList

    @property
    def is_complete(self) -> bool:
        """Truth of the claim that every list has all names."""
        lists = (self.users, self.groups, self.keys)
        return all(each is None or len(each.listed) == each.number for each in lists)


class AccessStores(NamedTuple):
    """Stores that questions about access read."""

    documents: "Documents"
    users: "Users"
    keys: "Keys"
    groups: "Groups"
    collections: "Collections"


class ReadersFinder:
    """Finder of the readers of one document."""

    def __init__(self, stores: AccessStores, clock: "Clock") -> None:
        self._stores = stores
        self._clock = clock

    def __call__(self, view: "AccessView", doc_id: str) -> DocumentReaders:
        """Return the readers of a document, by its id or by the uid of one of its passages.

        Raises:
            NotFound: there is no such document within the view.
        """
        document = find_document(self._stores.documents, view, doc_id)
        readers = document.readers
        # One more than is listed tells that there are more; the block of each further one would be read in vain.
        users = list(islice(self._users(view, readers), MAX_LISTED + 1)) if view.sees_entries else None
        groups = self._groups(view, readers) if view.sees_entries else None
        keys = list(islice(self._keys(view, document.collection, readers), MAX_LISTED + 1))
        return DocumentReaders(
            document=document,
            is_everyone=bool(decide(Principal(view.tenant, None, frozenset()), readers)),
            tag_sets=minimal_tag_sets(readers),
            users=None if users is None else tuple(users[:MAX_LISTED]),
            named=tuple(_named(view.tenant, readers)),
            keys=tuple(keys[:MAX_LISTED]),
            groups=None if groups is None else tuple(groups[:MAX_LISTED]),
            is_complete=all(len(listed) <= MAX_LISTED for listed in (users or (), keys, groups or ())),
        )

    def gained(self, view: "AccessView", document: Document, before: Readers, after: Readers) -> GainedReaders:
        """Return those who can read a document with the second readers and cannot with the first.

        Each name is compared by itself: lists that end at a number could have other names at their ends.
        """
        users = groups = None
        if view.sees_entries:
            users = NameList.of(
                user
                for user, tags in self._entries(view, _all_named(before) | _all_named(after))
                if _is_gained(Principal(view.tenant, user, tags), before, after)
            )
            groups = NameList.of(
                name
                for name, tags in sorted(self._stores.groups.read(view.tenant).items())
                if _is_gained(Principal(view.tenant, None, tags), before, after)
            )
        named = _named(view.tenant, after)
        known = frozenset(_named(view.tenant, before))
        return GainedReaders(
            tuple(
                tags
                for tags in minimal_tag_sets(after)
                if _is_gained(Principal(view.tenant, None, tags), before, after)
            ),
            tuple(user for user in named if user not in known),
            users,
            groups,
            NameList.of(
                key.kid
                for key in self._active_keys(view, document.collection)
                if key_role(key, before) is None and key_role(key, after) is not None
            ),
        )

    def _entries(self, view: "AccessView", named: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
        return sorted((dict.fromkeys(named, frozenset[str]()) | dict(self._stores.users.all(view.tenant))).items())

    def _users(self, view: "AccessView", readers: Readers) -> Iterator[UserReader]:
        for user, tags in self._entries(view, _all_named(readers)):
            if decision := decide(Principal(view.tenant, user, tags), readers):
                yield UserReader(user, decision.reason, self._is_blocked(view, user))

    def _is_blocked(self, view: "AccessView", user: str | None) -> bool | None:
        # As a call finds it: the list of blocks does not show under which form an earlier release stored one.
        is_known = view.sees_blocks and user is not None
        return self._stores.users.state(view.tenant, user).is_blocked if is_known and user is not None else None

    def _groups(self, view: "AccessView", readers: Readers) -> list[str]:
        mapping = self._stores.groups.read(view.tenant)
        return [name for name, tags in sorted(mapping.items()) if decide(Principal(view.tenant, None, tags), readers)]

    def _keys(self, view: "AccessView", collection: str, readers: Readers) -> Iterator[KeyReader]:
        for key in self._active_keys(view, collection):
            role = key_role(key, readers)
            if role is not None:
                yield KeyReader(key, role, self._is_blocked(view, key.user))

    def _active_keys(self, view: "AccessView", collection: str) -> Iterator[ApiKey]:
        now = self._clock()
        for key in self._stores.keys.all(view.tenant):
            if view.sees_key(key) and key.is_active(now) and key.allows_collection(collection):
                yield key


def _is_gained(principal: Principal, before: Readers, after: Readers) -> bool:
    return bool(decide(principal, after)) and not decide(principal, before)


def key_role(key: ApiKey, readers: Readers) -> KeyRole | None:
    """Return the role in which calls of a key can read a document with these readers; None if they cannot."""
    if missing_scope(key.scopes, Scope.SEARCH) is not None:
        return None
    if key.kind is KeyKind.PERSONAL:
        return KeyRole.OWN if decide(Principal(key.tenant, key.user, key.tags), readers) else None
    # A call can name every user, but only tags that the key covers. Fewer tags never show more, so each user is looked
    # at once: two long policies have too many pairs for a question about every document.
    covered = frozenset(tag for tag in readers.tags if is_tag_covered(key.max_tags, tag))
    users = (None, *_all_named(readers))
    return KeyRole.NAMED if any(decide(Principal(key.tenant, user, covered), readers) for user in users) else None


def _all_named(readers: Readers) -> frozenset[str]:
    declared = readers.declared.users
    return declared if readers.ceiling is None else declared | readers.ceiling.users


def _named(tenant: str, readers: Readers) -> list[str]:
    none = frozenset[str]()
    return [user for user in sorted(_all_named(readers)) if decide(Principal(tenant, user, none), readers)]
