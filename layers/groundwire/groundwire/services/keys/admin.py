"""Administration of API keys: explicit creation, secret shown once, rotation with overlap, immediate revocation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.tags import parse_max_tag, parse_tag, parse_user
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import CollectionGrant, KeyKind
from groundwire.domain.keys.key_text import (
    Environment,
    MintedKey,
    RandomBytes,
    Secret,
    key_digest,
    mint_key,
    mint_rotated_key,
)
from groundwire.domain.keys.oauth import SCOPE_CLAIM_NAMES, IdentityProvider, oauth_digest, oauth_kid
from groundwire.domain.keys.options import KeyOptions, check_options
from groundwire.domain.search.relevance import check_floor
from groundwire.ports import Clock, Keys, Tenants
from groundwire.services.keys.choices import KeyChoices

NEVER: Final = "never"
"""Explicit value for a key that does not expire."""

_DAY_S: Final = 86_400
_HOUR_S: Final = 3_600


def _no_provider() -> IdentityProvider | None:
    return None


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
class KeyWithSecret:
    """Key with its secret text, which cannot be shown again."""

    key: ApiKey
    secret: Secret


class KeyAdmin:
    """Administration of keys within one environment.

    Args:
        choices: names of the toolsets and dialects.
        pepper: returns the secret of the digests; called only where a digest is computed.
        provider: returns the identity provider whose tokens are accepted; without one there are no keys of the kind
            `oauth`.
    """

    def __init__(
        self,
        keys: Keys,
        tenants: Tenants,
        choices: KeyChoices,
        pepper: Callable[[], bytes],
        environment: Environment,
        random_bytes: RandomBytes,
        clock: Clock,
        provider: Callable[[], IdentityProvider | None] = _no_provider,
    ) -> None:
        self._keys = keys
        self._tenants = tenants
        self._choices = choices
        self._pepper = pepper
        self._environment: Environment = environment
        self._random_bytes = random_bytes
        self._clock = clock
        self._provider = provider

    def create(self, spec: KeySpec) -> KeyWithSecret:
        """Create a key that is active at once.

        Raises:
            InvalidInput: the specification is contradictory or exceeds a limit. NotFound: there is no such tenant.
        """
        if spec.kind is KeyKind.OAUTH:
            raise InvalidInput("A sign-in key has no secret.")
        self._check(spec)
        minted = mint_key(self._environment, self._random_bytes)
        key = _api_key(spec, minted.kid, self._clock())
        self._keys.add(key, self._secret_digest(minted))
        return KeyWithSecret(key, minted.text)

    def create_token_key(self, spec: KeySpec) -> ApiKey:
        """Create the tenant's key of the kind `oauth`, which admits users with tokens within its limits.

        A kid is never reused, so that revocation is permanent: each further key has a number of its own.

        Raises:
            InvalidInput: the specification is contradictory or exceeds a limit, or no provider is set for the tenant.
            NotFound: there is no such tenant. Conflict: it has an active key of this kind.
        """
        self._check(spec)
        provider = self._provider_for(spec.tenant)
        now = self._clock()
        key = _api_key(spec, self._free_oauth_kid(spec.tenant, now), now)
        self._keys.add(key, oauth_digest(self._pepper(), spec.tenant, provider))
        return key

    def rotate(self, tenant: str, kid: str, overlap_hours: int = limits.ROTATION_OVERLAP_HOURS) -> KeyWithSecret:
        """Create a new secret for the kid, active at once; the old one works for `overlap_hours` more.

        The expiry stays: rotation replaces a secret, it does not prolong a grant.

        Raises:
            InvalidInput: the overlap is out of bounds. NotFound: the tenant has no such key.
            Conflict: the key is revoked or expired.
        """
        if not 0 <= overlap_hours <= limits.MAX_ROTATION_OVERLAP_HOURS:
            raise InvalidInput(f"The old secret can work for 0 to {limits.MAX_ROTATION_OVERLAP_HOURS} more hours.")
        now = self._clock()
        if self._active_key(tenant, kid, now).kind is KeyKind.OAUTH:
            raise InvalidInput("A sign-in key has no secret: revoke it and create another one.")
        minted = mint_rotated_key(self._environment, kid, self._random_bytes)
        self._keys.rotate(tenant, kid, self._secret_digest(minted), now + overlap_hours * _HOUR_S)
        # Read again, because the store has set the end of the old secret.
        return KeyWithSecret(self._find(tenant, kid), minted.text)

    def revoke(self, tenant: str, kid: str) -> ApiKey:
        """Revoke the key; no later call with it is admitted.

        Raises:
            NotFound: the tenant has no such key.
        """
        self._keys.revoke(tenant, kid)
        return self._find(tenant, kid)

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time, revoked and expired ones included."""
        return self._keys.all(tenant)

    def _find(self, tenant: str, kid: str) -> ApiKey:
        key = self._keys.get(tenant, kid)
        if key is None:
            raise NotFound(f"There is no key {kid!r}.", "key")
        return key

    def _active_key(self, tenant: str, kid: str, now: float) -> ApiKey:
        key = self._find(tenant, kid)
        if key.revoked:
            raise Conflict(f"The key {kid} is revoked: create a new one.")
        if key.expires_at is not None and key.expires_at <= now:
            raise Conflict(f"The key {kid} has expired: create a new one.")
        return key

    def _check(self, spec: KeySpec) -> None:
        _check_spec(spec, self._choices)
        if self._tenants.get(spec.tenant) is None:
            raise NotFound(f"There is no tenant {spec.tenant!r}.", "tenant")

    def _provider_for(self, tenant: str) -> IdentityProvider:
        provider = self._provider()
        if provider is None:
            raise InvalidInput(
                "This server has no identity provider, so it admits nobody by sign-in.", remedy="set_identity_provider"
            )
        if provider.tenant not in {None, tenant}:
            raise InvalidInput(
                "The identity provider of this server is set for another tenant.", remedy="set_identity_tenant"
            )
        return provider

    def _free_oauth_kid(self, tenant: str, now: float) -> str:
        number = 0
        while (key := self._keys.get(tenant, oauth_kid(tenant, number))) is not None:
            if not key.revoked and (key.expires_at is None or key.expires_at > now):
                raise Conflict(
                    f"The tenant already has the sign-in key {key.kid}: revoke it before you create another one."
                )
            number += 1
        return oauth_kid(tenant, number)

    def _secret_digest(self, minted: MintedKey) -> bytes:
        return key_digest(self._pepper(), minted.text.reveal())


def _api_key(spec: KeySpec, kid: str, now: float) -> ApiKey:
    acts_for_others, days = spec.kind is KeyKind.ACT_AS, spec.expires_in_days
    return ApiKey(
        kid=kid,
        tenant=spec.tenant,
        name=spec.name,
        kind=spec.kind,
        user=None if spec.user is None else parse_user(spec.user),
        tags=frozenset(map(parse_tag, spec.tags)),
        max_tags=tuple(dict.fromkeys(map(parse_max_tag, spec.max_tags))),
        strict_tags=spec.strict_tags,
        scopes=spec.scopes | {Scope.ACT_AS} if acts_for_others else spec.scopes,
        collections=spec.collections,
        options=spec.options,
        rate_per_minute=spec.rate_per_minute,
        burst=spec.burst,
        created_at=now,
        expires_at=None if days == NEVER else now + days * _DAY_S,
        revoked=False,
        previous_until=None,
        last_used=None,
        created_by=spec.created_by,
        created_with=spec.created_with,
    )


def _check_spec(spec: KeySpec, choices: KeyChoices) -> None:
    _check_kind(spec)
    if not spec.name.strip() or len(spec.name) > limits.MAX_NAME_CHARACTERS or not spec.name.isprintable():
        raise InvalidInput(f"A key needs a printable name of at most {limits.MAX_NAME_CHARACTERS} characters.")
    if not spec.scopes:
        raise InvalidInput("A key needs at least one scope, such as `search`.")
    if not spec.collections:
        raise InvalidInput("A key needs at least one collection: name collections, or use `every`.")
    choices.check(spec.options.toolset, spec.options.dialects)
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
