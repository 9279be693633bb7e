"""API keys: made with everything about them said aloud, shown once, rotated without a gap, revoked at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from groundwire.domain import limits
from groundwire.domain.credentials import ApiKey
from groundwire.domain.errors import Conflict, Invalid, NotFound
from groundwire.domain.grants import CollectionGrant, KeyKind
from groundwire.domain.keys import Environment, MintedKey, RandomBytes, Secret, digest, mint, remint
from groundwire.domain.oauth import WIRE_SCOPES, IdentityProvider, oauth_digest, oauth_kid
from groundwire.domain.scopes import Scope
from groundwire.domain.tags import parse_max_tag, parse_tag, parse_user
from groundwire.domain.toolsets import DEFAULT_TOOLSET, TOOLSETS
from groundwire.ports import Clock, Keys, Tenants

NEVER: Final = "never"
"""Said aloud for a key that does not expire."""

_DAY_S: Final = 86_400
_HOUR_S: Final = 3_600


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """What a key shall be.

    Attributes:
        user, tags: the principal of a personal key; None and empty for the other kinds.
        max_tags: what a key that acts for others may assert, or what is taken over from tokens; empty for a
            personal key.
        strict_tags: a key that acts for others refuses a call with a tag outside `max_tags`.
        scopes: at least one; one that acts for others gets `act_as` beside them.
        collections: names, or `grants.EVERY`.
        expand_tokens: of the text around each passage, 0: none.
        expires_in_days: whole days from now, or `NEVER`.
    """

    tenant: str
    name: str
    kind: KeyKind
    user: str | None
    tags: frozenset[str]
    max_tags: tuple[str, ...]
    scopes: frozenset[Scope]
    collections: CollectionGrant
    top_n: int = limits.DEFAULT_TOP_N
    expand_tokens: int = 0
    toolset: str = DEFAULT_TOOLSET
    rate_per_minute: int = limits.DEFAULT_RATE_PER_MINUTE
    burst: int = limits.DEFAULT_BURST
    expires_in_days: int | Literal["never"] = limits.DEFAULT_KEY_DAYS
    strict_tags: bool = False


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key with its text, which nobody can show again."""

    key: ApiKey
    text: Secret


class KeyCare:
    """The life of keys, within one environment.

    Args:
        pepper: returns the secret of the digests; called only where a digest is made.
        provider: whose access tokens are accepted; without one there are no keys of the kind `oauth`.
    """

    def __init__(
        self,
        keys: Keys,
        tenants: Tenants,
        pepper: Callable[[], bytes],
        environment: Environment,
        random_bytes: RandomBytes,
        clock: Clock,
        provider: IdentityProvider | None = None,
    ) -> None:
        self._keys = keys
        self._tenants = tenants
        self._pepper = pepper
        self._environment: Environment = environment
        self._random_bytes = random_bytes
        self._clock = clock
        self._provider = provider

    def create(self, order: KeyOrder) -> IssuedKey:
        """A new key is in force.

        Raises:
            Invalid: the order contradicts itself or a limit. NotFound: there is no such tenant.
        """
        if order.kind is KeyKind.OAUTH:
            raise Invalid("A key for tokens has no secret that could be issued.")
        self._check(order)
        minted = mint(self._environment, self._random_bytes)
        key = _key(order, minted.kid, self._clock())
        self._keys.add(key, self._digest(minted))
        return IssuedKey(key, minted.text)

    def admit_tokens(self, order: KeyOrder) -> ApiKey:
        """The tenant's people are let in by tokens, within what the order of the kind `oauth` says.

        A kid is never used twice, so that revocation is for good: each further key has a number of its own.

        Raises:
            Invalid: the order contradicts itself or a limit, or no provider is set for the tenant.
            NotFound: there is no such tenant. Conflict: it has such a key in force.
        """
        self._check(order)
        provider = self._provider_for(order.tenant)
        now = self._clock()
        key = _key(order, self._free_oauth_kid(order.tenant, now), now)
        self._keys.add(key, oauth_digest(self._pepper(), order.tenant, provider))
        return key

    def rotate(self, tenant: str, kid: str, overlap_hours: int = limits.ROTATION_OVERLAP_HOURS) -> IssuedKey:
        """A new secret under the same kid is in force; the old one works for `overlap_hours` more.

        The expiry stays: rotation replaces a secret, it does not prolong a grant.

        Raises:
            Invalid: the overlap is out of bounds. NotFound: the tenant has no such key.
            Conflict: the key is revoked or expired.
        """
        if not 0 <= overlap_hours <= limits.MAX_ROTATION_OVERLAP_HOURS:
            raise Invalid(f"The old secret may work on for 0 to {limits.MAX_ROTATION_OVERLAP_HOURS} hours.")
        now = self._clock()
        if self._living(tenant, kid, now).kind is KeyKind.OAUTH:
            raise Invalid("A key for tokens has no secret: revoke it and create another.")
        minted = remint(self._environment, kid, self._random_bytes)
        self._keys.rotate(tenant, kid, self._digest(minted), now + overlap_hours * _HOUR_S)
        return IssuedKey(self._find(tenant, kid), minted.text)

    def revoke(self, tenant: str, kid: str) -> ApiKey:
        """No later call with the key is admitted; Raises NotFound."""
        self._keys.revoke(tenant, kid)
        return self._find(tenant, kid)

    def all(self, tenant: str) -> list[ApiKey]:
        """The tenant's keys by creation time, revoked and expired ones included."""
        return self._keys.all(tenant)

    def _find(self, tenant: str, kid: str) -> ApiKey:
        key = self._keys.get(tenant, kid)
        if key is None:
            raise NotFound(f"There is no key {kid!r}.", "key")
        return key

    def _living(self, tenant: str, kid: str, now: float) -> ApiKey:
        key = self._find(tenant, kid)
        if key.revoked:
            raise Conflict(f"The key {kid} is revoked: create a new one.")
        if key.expires_at is not None and key.expires_at <= now:
            raise Conflict(f"The key {kid} has expired: create a new one.")
        return key

    def _check(self, order: KeyOrder) -> None:
        _check(order)
        if self._tenants.get(order.tenant) is None:
            raise NotFound(f"There is no tenant {order.tenant!r}.", "tenant")

    def _provider_for(self, tenant: str) -> IdentityProvider:
        if self._provider is None:
            raise Invalid("No identity provider is set: set GROUNDWIRE_OAUTH_ISSUER and its kin (docs/oauth.md) first.")
        if self._provider.tenant not in {None, tenant}:
            raise Invalid("GROUNDWIRE_OAUTH_TENANT names another tenant: every token is for that one.")
        return self._provider

    def _free_oauth_kid(self, tenant: str, now: float) -> str:
        number = 0
        while (key := self._keys.get(tenant, oauth_kid(tenant, number))) is not None:
            if not key.revoked and (key.expires_at is None or key.expires_at > now):
                raise Conflict(f"The tenant's key for tokens is {key.kid}: revoke it first to make another.")
            number += 1
        return oauth_kid(tenant, number)

    def _digest(self, minted: MintedKey) -> bytes:
        return digest(self._pepper(), minted.text.reveal())


def _key(order: KeyOrder, kid: str, now: float) -> ApiKey:
    acts = order.kind is KeyKind.ACT_AS
    days = order.expires_in_days
    return ApiKey(
        kid=kid,
        tenant=order.tenant,
        name=order.name,
        kind=order.kind,
        user=None if order.user is None else parse_user(order.user),
        tags=frozenset(map(parse_tag, order.tags)),
        max_tags=tuple(dict.fromkeys(map(parse_max_tag, order.max_tags))),
        scopes=order.scopes | {Scope.ACT_AS} if acts else order.scopes,
        collections=order.collections,
        top_n=order.top_n,
        expand_tokens=order.expand_tokens,
        toolset=order.toolset,
        rate_per_minute=order.rate_per_minute,
        burst=order.burst,
        created_at=now,
        expires_at=None if days == NEVER else now + days * _DAY_S,
        revoked=False,
        previous_until=None,
        last_used=None,
        strict_tags=order.strict_tags,
    )


def _check(order: KeyOrder) -> None:
    _check_kind(order)
    if not order.name.strip() or len(order.name) > limits.MAX_NAME_CHARACTERS or not order.name.isprintable():
        raise Invalid(f"A key needs a printable name of at most {limits.MAX_NAME_CHARACTERS} characters.")
    if not order.scopes:
        raise Invalid("A key needs at least one scope, such as `search`.")
    if not order.collections:
        raise Invalid("A key that reaches no collection answers nothing: name collections, or say `every`.")
    if order.toolset not in TOOLSETS:
        raise Invalid(f"There is no toolset {order.toolset!r}; there are: {', '.join(sorted(TOOLSETS))}.")
    _check_numbers(order)


def _check_kind(order: KeyOrder) -> None:
    if order.strict_tags and order.kind is not KeyKind.ACT_AS:
        raise Invalid("Only a key that acts for others can be strict about tags: calls with other keys carry no tags.")
    if order.kind is KeyKind.ACT_AS:
        if order.user is not None or order.tags:
            raise Invalid("A key that acts for others has no user and no tags of its own: each call brings them.")
    elif order.kind is KeyKind.OAUTH:
        _check_for_tokens(order)
    elif order.user is None:
        raise Invalid("A personal key needs its user.")
    elif order.max_tags:
        raise Invalid("Only a key that acts for others or is for tokens has a bound on tags.")
    elif Scope.ACT_AS in order.scopes:
        raise Invalid("A personal key cannot have the scope `act_as`: make a key that acts for others.")


def _check_for_tokens(order: KeyOrder) -> None:
    if order.user is not None or order.tags:
        raise Invalid("A key for tokens has no user and no tags of its own: each token brings them.")
    if not order.scopes <= set(WIRE_SCOPES):
        raise Invalid(f"By token people may {' and '.join(sorted(WIRE_SCOPES))}, nothing else: that needs an API key.")


def _check_numbers(order: KeyOrder) -> None:
    if max(len(order.tags), len(order.max_tags)) > limits.MAX_TAGS_PER_CALL:
        raise Invalid(f"A key has at most {limits.MAX_TAGS_PER_CALL} tags.")
    if not 1 <= order.top_n <= limits.MAX_TOP_N:
        raise Invalid(f"An answer holds 1 to {limits.MAX_TOP_N} passages.")
    if not 0 <= order.expand_tokens <= limits.MAX_EXPAND_TOKENS:
        raise Invalid(f"A passage brings 0 to {limits.MAX_EXPAND_TOKENS} tokens of the text around it.")
    if not 1 <= order.rate_per_minute <= limits.MAX_RATE_PER_MINUTE:
        raise Invalid(f"The rate of a key is 1 to {limits.MAX_RATE_PER_MINUTE} calls per minute.")
    if not 1 <= order.burst <= limits.MAX_BURST:
        raise Invalid(f"The burst of a key is 1 to {limits.MAX_BURST} calls at once.")
    if order.expires_in_days != NEVER and not 1 <= order.expires_in_days <= limits.MAX_KEY_DAYS:
        raise Invalid(
            f"A key lives for at least one day and at most {limits.MAX_KEY_DAYS}; say `never` for one that does not "
            "expire."
        )
