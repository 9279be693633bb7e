"""Specification of a new key, and the checks of it."""

from dataclasses import dataclass
from typing import Final, Literal

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.forms.oauth import SCOPE_CLAIM_NAMES
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import KeyOptions, check_options
from groundwire.domain.search.relevance import check_floor
from groundwire.services.keys.choices import KeyChoices

NEVER: Final = "never"
"""Explicit value for a key that does not expire."""


@dataclass(frozen=True, slots=True)
class KeySpec:
    """Specification of a new key.

    Attributes:
        user, tags: the principal of a personal key; None and empty for the other kinds.
        max_tags: tags that a key that acts for others may assert, or that tokens may bring; empty for a personal key.
        strict_tags: a key that acts for others refuses a call with a tag outside `max_tags`.
        scopes: at least one; a key that acts for others also gets `act_as`. collections: names, or `ALL_COLLECTIONS`.
        options: what its calls may use, and the form of their answers.
        expires_in_days: whole days from now, or `NEVER`.
        created_by, created_with: user and kid of the key of the call that asks for it; None for an operator.
    """

    tenant: str
    name: str
    kind: KeyKind
    user: str | None
    tags: frozenset[str]
    max_tags: tuple[str, ...]
    scopes: frozenset[Scope]
    collections: CollectionGrant
    options: KeyOptions
    rate_per_minute: int = limits.DEFAULT_RATE_PER_MINUTE
    burst: int = limits.DEFAULT_BURST
    expires_in_days: int | Literal["never"] = limits.DEFAULT_KEY_DAYS
    strict_tags: bool = False
    created_by: str | None = None
    created_with: str | None = None


@dataclass(frozen=True, slots=True)
class KeyChange:
    """Change of a key: fields of a specification; None keeps that of the key."""

    name: str | None = None
    tags: frozenset[str] | None = None
    max_tags: tuple[str, ...] | None = None
    scopes: frozenset[Scope] | None = None
    collections: CollectionGrant | None = None
    rate_per_minute: int | None = None
    burst: int | None = None
    expires_in_days: int | Literal["never"] | None = None

    def spec_for(self, key: ApiKey) -> KeySpec:
        """Return the specification by which the changed key would be created; an expiry that stays is `NEVER`."""
        return KeySpec(
            tenant=key.tenant,
            name=key.name if self.name is None else self.name,
            kind=key.kind,
            user=key.user,
            tags=key.tags if self.tags is None else self.tags,
            max_tags=key.max_tags if self.max_tags is None else self.max_tags,
            scopes=key.scopes if self.scopes is None else self.scopes,
            collections=key.collections if self.collections is None else self.collections,
            options=key.options,
            rate_per_minute=key.rate_per_minute if self.rate_per_minute is None else self.rate_per_minute,
            burst=key.burst if self.burst is None else self.burst,
            expires_in_days=NEVER if self.expires_in_days is None else self.expires_in_days,
            strict_tags=key.strict_tags,
        )


def check_spec(spec: KeySpec, choices: KeyChoices) -> None:
    """Check a specification, except that its tenant exists.

    Raises:
        InvalidInput: it is contradictory or exceeds a limit.
    """
    _check_kind(spec)
    if not spec.name.strip() or len(spec.name) > limits.MAX_NAME_CHARACTERS or not spec.name.isprintable():
        raise InvalidInput(f"A key needs a printable name of at most {limits.MAX_NAME_CHARACTERS} characters.")
    if not spec.scopes:
        raise InvalidInput("A key needs at least one scope, such as `search`.")
    if not spec.collections:
        raise InvalidInput("A key needs at least one collection: name collections, or use `every`.")
    choices.check(spec.options.toolset, spec.options.dialects)
    _check_search_as(spec)
    _check_numbers(spec)


def _check_kind(spec: KeySpec) -> None:
    _check_limits_of_calls(spec)
    if spec.kind is KeyKind.ACT_AS:
        if spec.user is not None or spec.tags:
            raise InvalidInput("A delegated key has no user and no tags of its own: each call names them.")
    elif spec.kind is KeyKind.OAUTH:
        _check_token_key(spec)
    elif spec.user is None:
        raise InvalidInput("A personal key needs a user.")
    elif spec.max_tags:
        raise InvalidInput("Only a delegated key or a sign-in key limits tags.")
    elif Scope.ACT_AS in spec.scopes:
        raise InvalidInput("A personal key cannot have the scope `act_as`: create a delegated key.")


def _check_limits_of_calls(spec: KeySpec) -> None:
    if spec.strict_tags and spec.kind is not KeyKind.ACT_AS:
        raise InvalidInput("Only a delegated key can be strict about tags: calls with other keys carry no tags.")
    if spec.options.require_user and spec.kind is not KeyKind.ACT_AS:
        raise InvalidInput("Only a delegated key can require a user: calls with other keys always have one.")


def _check_search_as(spec: KeySpec) -> None:
    if not spec.options.may_search_as:
        return
    is_bounded = spec.collections != ALL_COLLECTIONS or spec.options.dialects is not None
    # A person may read what no bound of this key covers.
    if Scope.ADMIN not in spec.scopes or is_bounded:
        raise InvalidInput(
            "Only an administrator's key without bounds can search as another person: give it the scope `admin`, every "
            "collection and every dialect."
        )


def _check_token_key(spec: KeySpec) -> None:
    if spec.user is not None or spec.tags:
        raise InvalidInput("A sign-in key has no user and no tags of its own: each access token names them.")
    if not spec.scopes <= set(SCOPE_CLAIM_NAMES):
        raise InvalidInput(
            f"The scopes of a sign-in key can be {' and '.join(sorted(SCOPE_CLAIM_NAMES))}. For other "
            "scopes, create an API key."
        )


def _check_numbers(spec: KeySpec) -> None:
    if max(len(spec.tags), len(spec.max_tags)) > limits.MAX_TAGS_PER_CALL:
        raise InvalidInput(f"A key has at most {limits.MAX_TAGS_PER_CALL} tags.")
    check_options(spec.options)
    check_floor(spec.options.floor)
    if not 1 <= spec.rate_per_minute <= limits.MAX_RATE_PER_MINUTE:
        raise InvalidInput(f"The rate of a key is 1 to {limits.MAX_RATE_PER_MINUTE} calls per minute.")
    if not 1 <= spec.burst <= limits.MAX_BURST:
        raise InvalidInput(f"The burst of a key is 1 to {limits.MAX_BURST} calls at once.")
    if spec.expires_in_days != NEVER and not 1 <= spec.expires_in_days <= limits.MAX_KEY_DAYS:
        raise InvalidInput(
            f"A key expires after 1 to {limits.MAX_KEY_DAYS} days. For a key that does not expire, use `never`."
        )
