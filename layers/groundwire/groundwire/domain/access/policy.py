"""Access rule for documents: the pure function `decide(principal, policy)` makes every decision.

A principal may read a document in three cases: the policy is public within the tenant, it names the user, or the tags
match. Tags match when the principal has one of `any_tags` (if any are set) and all of `all_tags` (if any are set). At
least one of the two lists must be set. An empty policy admits nobody. There is no deny list.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Principal:
    """Identity on whose behalf one call is made, decided by the authorizer; no later step adds to it.

    Attributes:
        tenant: id of the key's tenant.
        user: the end user, or None when the call names nobody.
        tags: the call's tags in NFC, compared exactly.
    """

    tenant: str
    user: str | None
    tags: frozenset[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """Rule that names the readers of a document. All fields are required, so that no part of a policy is implied."""

    public: bool
    users: frozenset[str]
    any_tags: frozenset[str]
    all_tags: frozenset[str]


NO_READERS = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
"""Policy of a document for which none was given."""


class AccessReason(StrEnum):
    """Reason for an access decision."""

    PUBLIC = "public"
    NAMED_USER = "named_user"
    TAGS = "tags"
    EMPTY_POLICY = "empty_policy"
    NO_MATCH = "no_match"


@dataclass(frozen=True, slots=True)
class Allow:
    """Decision that the principal may read; true in a condition."""

    reason: AccessReason

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Deny:
    """Decision that the principal may not read; false in a condition."""

    reason: AccessReason

    def __bool__(self) -> bool:
        return False


AccessDecision = Allow | Deny


def decide(principal: Principal, policy: Policy) -> AccessDecision:
    """Decide whether `principal` may read a document with `policy`, and give the clause that decided.

    The caller has already made sure that both belong to one tenant: each index and each registry has one tenant.
    """
    if policy.public:
        return Allow(AccessReason.PUBLIC)
    if principal.user is not None and principal.user in policy.users:
        return Allow(AccessReason.NAMED_USER)
    # Two empty lists would pass both checks below, and a policy that names nobody would admit everybody.
    if not policy.any_tags and not policy.all_tags:
        return Deny(AccessReason.NO_MATCH if policy.users else AccessReason.EMPTY_POLICY)
    if policy.any_tags and policy.any_tags.isdisjoint(principal.tags):
        return Deny(AccessReason.NO_MATCH)
    if not policy.all_tags <= principal.tags:
        return Deny(AccessReason.NO_MATCH)
    return Allow(AccessReason.TAGS)


def removes_readers(old: Policy, new: Policy) -> bool:
    """Return whether `old` admits somebody whom `new` does not admit.

    A user name or a further tag never removes a right. The principals with the fewest rights are therefore enough: one
    without user and tags, each named user without tags, and holders of exactly the required tags.
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
