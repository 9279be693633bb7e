"""Who may read what: one pure function decides, `decide(principal, policy)`.

Readable when the policy is public within the tenant, or names the user, or the session holds one of
`any_tags` (if any are set) and every one of `all_tags` (if any are set), with at least one of the two
lists set. An empty policy admits nobody. There is no deny list.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking, as decided at the edge for this one call; nothing is ever added later.

    Attributes:
        tenant: id of the tenant of the key.
        user: the end user, or None when the call names nobody.
        tags: the session's tags, NFC, compared exactly.
    """

    tenant: str
    user: str | None
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may read a document. All fields are required: a policy is never partly implied."""

    public: bool
    users: frozenset[str]
    any_tags: frozenset[str]
    all_tags: frozenset[str]


NO_READERS = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
"""The policy of a document for which none was given."""


class AccessReason(StrEnum):
    """Why a decision fell as it did."""

    PUBLIC = "public"
    NAMED_USER = "named_user"
    TAGS = "tags"
    EMPTY_POLICY = "empty_policy"
    NO_MATCH = "no_match"


@dataclass(frozen=True, slots=True)
class Allow:
    """The principal may read; true in a condition."""

    reason: AccessReason

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Deny:
    """The principal may not read; false in a condition."""

    reason: AccessReason

    def __bool__(self) -> bool:
        return False


AccessDecision = Allow | Deny


def decide(principal: Principal, policy: Policy) -> AccessDecision:
    """Whether `principal` may read what stands under `policy`, and by which clause.

    The caller has already made sure that both are of one tenant: every index and registry belongs to one.
    """
    if policy.public:
        return Allow(AccessReason.PUBLIC)
    if principal.user is not None and principal.user in policy.users:
        return Allow(AccessReason.NAMED_USER)
    if not policy.any_tags and not policy.all_tags:
        return Deny(AccessReason.NO_MATCH if policy.users else AccessReason.EMPTY_POLICY)
    if policy.any_tags and policy.any_tags.isdisjoint(principal.tags):
        return Deny(AccessReason.NO_MATCH)
    if not policy.all_tags <= principal.tags:
        return Deny(AccessReason.NO_MATCH)
    return Allow(AccessReason.TAGS)


def removes_readers(old: Policy, new: Policy) -> bool:
    """Tell whether `old` admits somebody whom `new` does not admit.

    Nobody loses a right by being a user or by holding one more tag, so it is enough to ask for those who have the
    least: an unnamed session without tags, each named user without tags, and holders of exactly the tags needed.
    """
    return any(not decide(principal, new) for principal in _minimal_readers(old))


def _minimal_readers(policy: Policy) -> Iterator[Principal]:
    if policy.public:
        yield _principal(None, frozenset())
    for user in policy.users:
        yield _principal(user, frozenset())
    for tag in policy.any_tags:
        yield _principal(None, policy.all_tags | {tag})
    if policy.all_tags and not policy.any_tags:
        yield _principal(None, policy.all_tags)


def _principal(user: str | None, tags: frozenset[str]) -> Principal:
    return Principal("", user, tags)
