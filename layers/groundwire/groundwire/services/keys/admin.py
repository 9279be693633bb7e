"""Administration of API keys: explicit creation, secret shown once, rotation with overlap, immediate revocation."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.tags import parse_max_tag, parse_tag, parse_user
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.api_key import CHANGEABLE_FIELDS, OPERATOR, ApiKey, SecretMaker
from groundwire.domain.keys.forms.key_text import (
    Environment,
    MintedKey,
    RandomBytes,
    Secret,
    key_digest,
    mint_key,
    mint_rotated_key,
)
from groundwire.domain.keys.forms.oauth import IdentityProvider, oauth_digest, oauth_kid
from groundwire.domain.keys.grants import KeyKind
from groundwire.ports import Clock, Keys, Tenants
from groundwire.services.keys.choices import KeyChoices
from groundwire.services.keys.key_spec import NEVER, KeyChange, KeySpec, check_spec

_DAY_S: Final = 86_400
_HOUR_S: Final = 3_600
_SPECIFIED: Final = CHANGEABLE_FIELDS - {"expires_at"}


def _no_provider() -> IdentityProvider | None:
    return None


@dataclass(frozen=True, slots=True)
class KeyWithSecret:
    """Key with its secret text, which cannot be shown again."""

    key: ApiKey
    secret: Secret


@dataclass(frozen=True, slots=True)
class ChangedKey:
    """Key before and after a change."""

    before: ApiKey
    after: ApiKey


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

    def rotate(
        self,
        tenant: str,
        kid: str,
        overlap_hours: int = limits.ROTATION_OVERLAP_HOURS,
        maker: SecretMaker = OPERATOR,
    ) -> KeyWithSecret:
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
        self._keys.rotate(tenant, kid, self._secret_digest(minted), now + overlap_hours * _HOUR_S, maker)
        # Read again, because the store has set the end of the old secret.
        return KeyWithSecret(self._find(tenant, kid), minted.text)

    def change(self, tenant: str, kid: str, change: KeyChange) -> ChangedKey:
        """Change a key that is in force; the change is in force on its next call. Its secret stays.

        Raises:
            InvalidInput: no such key could be created. NotFound: the tenant has no such key.
            Conflict: the key is revoked or expired, or was changed meanwhile.
        """
        return self.change_read(self._find(tenant, kid), change)

    def change_read(self, before: ApiKey, change: KeyChange) -> ChangedKey:
        """Change a key that was read, if it still is as it was read; errors are those of `change`."""
        now = self._clock()
        _check_active(before, now)
        spec = change.spec_for(before)
        check_spec(spec, self._choices)
        made = _api_key(spec, before.kid, now)
        expires_at = before.expires_at if change.expires_in_days is None else made.expires_at
        after = replace(before, expires_at=expires_at, **{name: getattr(made, name) for name in _SPECIFIED})
        if after != before:
            self._keys.change(before, after)
        return ChangedKey(before, after)

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
        _check_active(key, now)
        return key

    def _check(self, spec: KeySpec) -> None:
        check_spec(spec, self._choices)
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


def _check_active(key: ApiKey, now: float) -> None:
    if key.revoked:
        raise Conflict(f"The key {key.kid} is revoked: create a new one.")
    if key.expires_at is not None and key.expires_at <= now:
        raise Conflict(f"The key {key.kid} has expired: create a new one.")


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
