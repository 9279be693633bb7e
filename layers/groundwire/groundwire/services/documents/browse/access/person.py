"""Person of a question about access: the principal that a call with this key, user and tags would have.

The functions that authorize a call make the principal, so that a question has the answer of the call.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.access.tags import is_tag_covered, parse_user, usable_tags
from groundwire.domain.access.user_blocks import NO_USER_STATE, UserState
from groundwire.domain.errors import Forbidden, InvalidInput, NotFound
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.auth_decision import IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.identity import (
    AssertedIdentity,
    check_user_named,
    ignored_tags,
    principal_for,
    principal_for_token,
    read_identity_headers,
    tag_source,
)
from groundwire.domain.keys.options import USUAL_OPTIONS

if TYPE_CHECKING:
    from groundwire.ports import Clock, Keys, Users
    from groundwire.services.documents.browse.access.view import AccessView

_ENTRIES_REQUIRED = (
    "The tags that are stored for users belong to the whole tenant, and this key is bounded: give the tags."
)


class CallDenial(StrEnum):
    """Reason why every call of a person is refused, whatever the document."""

    BLOCKED = "blocked"
    KEY_REVOKED = "key_revoked"
    KEY_EXPIRED = "key_expired"
    USER_REQUIRED = "user_required"
    NO_SEARCH = "no_search_scope"
    NOT_ALLOWED = "identity_not_allowed"


@dataclass(frozen=True, slots=True)
class PersonQuery:
    """Person as a question names it.

    Attributes:
        user: end user; None where the call would name nobody.
        tags: tags that the call would send; None: it would send none, so that the stored ones count.
        kid: key of the call; None: the question is about the user and the tags alone.
    """

    user: str | None
    tags: Sequence[str] | None
    kid: str | None


@dataclass(frozen=True, slots=True)
class Person:
    """Principal of a question with its key, as a call would have them.

    Attributes:
        source: source of the tags; None where the question gives them without a key.
        tags_ignored: number of tags that give no right.
        key: the key of the call; None: the question names none.
        denial: reason why every call is refused; None where calls are admitted.
        is_blocked: the user is blocked, also where another reason comes first.
    """

    principal: Principal
    source: TagSource | None
    tags_ignored: int
    key: ApiKey | None
    denial: CallDenial | None
    is_blocked: bool

    def reaches(self, collection: str) -> bool:
        """Return whether the key covers the collection."""
        return self.key is None or self.key.allows_collection(collection)


def caller_of(person: Person, now: float) -> Caller:
    """Return the caller of a call of the person at `now`, epoch seconds; without a key, one without bounds."""
    if person.key is not None:
        return Caller.from_key(
            person.key,
            person.principal,
            person.key.scopes,
            # The source of the tags decides about links alone, and a call of somebody else gets none.
            person.source or TagSource.CALL,
            person.tags_ignored,
            now=now,
        )
    return Caller(
        person.principal,
        "",
        KeyKind.ACT_AS,
        frozenset(),
        ALL_COLLECTIONS,
        USUAL_OPTIONS,
        tags_ignored=person.tags_ignored,
    )


class PersonResolver:
    """Resolver of the person of a question."""

    def __init__(self, keys: "Keys", users: "Users", clock: "Clock") -> None:
        self._keys = keys
        self._users = users
        self._clock = clock

    def __call__(self, view: "AccessView", query: PersonQuery) -> Person:
        """Return the person.

        Raises:
            NotFound: there is no such key within the view.
            InvalidInput: the user or a tag is not valid, or the key takes no user and tags from its calls.
            Forbidden: the stored tags of users would count, which the view does not have.
        """
        if query.kid is None:
            return self._without_key(view, query)
        key = self._keys.get(view.tenant, query.kid)
        if key is None or not view.sees_key(key):
            raise NotFound(f"There is no key {query.kid!r}.", "key")
        if key.kind is KeyKind.OAUTH:
            return self._with_token(view, key, query)
        return self._with_key(view, key, query)

    def _without_key(self, view: "AccessView", query: PersonQuery) -> Person:
        user = None if query.user is None else parse_user(query.user)
        asserted = AssertedIdentity(user, None if query.tags is None else frozenset(usable_tags(query.tags)))
        state = self._state(view, user, needs_entry=asserted.tags is None)
        tags = (state.tags or frozenset()) if asserted.tags is None else asserted.tags
        source = TagSource.ENTRY if asserted.tags is None and user is not None else None
        ignored = 0 if query.tags is None else len(query.tags) - len(tags)
        return Person(Principal(view.tenant, user, tags), source, ignored, None, _blocked(state), state.is_blocked)

    def _with_key(self, view: "AccessView", key: ApiKey, query: PersonQuery) -> Person:
        asserted = read_identity_headers(key, _headers(query))
        if isinstance(asserted, IdentityDenial):
            raise InvalidInput(f"A call with the key {key.kid} is refused. {asserted.message}")
        user = asserted.user if key.user is None else key.user
        state = self._state(view, user, needs_entry=key.kind is KeyKind.ACT_AS and asserted.tags is None)
        # A key that is not in force is refused before anything is read of the user, as in a call.
        denial = self._key_denial(key) or _blocked(state)
        if denial is None and check_user_named(key, asserted) is not None:
            denial = CallDenial.USER_REQUIRED
        return Person(
            principal_for(key, asserted, state.tags),
            tag_source(key, asserted),
            ignored_tags(key, asserted, state.tags),
            key,
            denial,
            state.is_blocked,
        )

    def _with_token(self, view: "AccessView", key: ApiKey, query: PersonQuery) -> Person:
        if query.user is None:
            raise InvalidInput(f"The key {key.kid} is for access tokens, which name a user: give the user.")
        user, given = parse_user(query.user), query.tags or ()
        tags = frozenset(tag for tag in usable_tags(given) if is_tag_covered(key.max_tags, tag))
        decided = principal_for_token(key, user, tags)
        state = self._state(view, user, needs_entry=False)
        denial = self._key_denial(key) or _blocked(state)
        if isinstance(decided, IdentityDenial):
            return Person(
                Principal(view.tenant, user, tags), TagSource.TOKEN, 0, key, CallDenial.NOT_ALLOWED, state.is_blocked
            )
        return Person(decided, TagSource.TOKEN, len(given) - len(tags), key, denial, state.is_blocked)

    def _key_denial(self, key: ApiKey) -> CallDenial | None:
        if key.revoked:
            return CallDenial.KEY_REVOKED
        if not key.is_active(self._clock()):
            return CallDenial.KEY_EXPIRED
        return None if missing_scope(key.scopes, Scope.SEARCH) is None else CallDenial.NO_SEARCH

    def _state(self, view: "AccessView", user: str | None, *, needs_entry: bool) -> UserState:
        if user is None:
            return NO_USER_STATE
        if needs_entry and not view.sees_entries:
            raise Forbidden(_ENTRIES_REQUIRED)
        state = self._users.state(view.tenant, user)
        return UserState(state.tags if needs_entry else None, is_blocked=state.is_blocked and view.sees_blocks)


def _headers(query: PersonQuery) -> dict[str, str]:
    named = {} if query.user is None else {USER_HEADER: query.user}
    if query.tags is None:
        return named
    # As short as a call can send them, since the header has a limit of bytes.
    return {**named, TAGS_HEADER: json.dumps(list(query.tags), ensure_ascii=False, separators=(",", ":"))}


def _blocked(state: UserState) -> CallDenial | None:
    return CallDenial.BLOCKED if state.is_blocked else None
