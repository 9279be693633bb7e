"""Access rule for documents: the pure function `decide(principal, readers)` makes every decision.

A policy admits a principal in three cases: it is public within the tenant, it names the user, or the tags match. Tags
match when the principal has one of `any_tags` (if any are set) and all of `all_tags` (if any are set). At least one of
the two lists must be set. An empty policy admits nobody. There is no deny list.

A document has a declared policy, and may have a ceiling that a person set. A reader needs both.
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


@dataclass(frozen=True, slots=True)
class Readers:
    """Whole rule that names the readers of a document: `decide` takes nothing less, so that no ceiling is forgotten.

    Attributes:
        declared: policy by option, file or object.
        ceiling: limit that a person set beside it, and that a reader needs as well; None: there is none.
    """

    declared: Policy
    ceiling: Policy | None

    @property
    def tags(self) -> frozenset[str]:
        """All tags that the two policies name."""
        declared = self.declared.any_tags | self.declared.all_tags
        return declared if self.ceiling is None else declared | self.ceiling.any_tags | self.ceiling.all_tags


def single_policy(policy: Policy) -> Readers:
    """Return the readers of something that can have no ceiling, such as an MCP source."""
    return Readers(policy, None)


class AccessReason(StrEnum):
    """Reason for an access decision; `CEILING`: the declared policy admits the principal, and the ceiling does not."""

    PUBLIC = "public"
    NAMED_USER = "named_user"
    TAGS = "tags"
    EMPTY_POLICY = "empty_policy"
    NO_MATCH = "no_match"
    CEILING = "ceiling"


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


def decide(principal: Principal, readers: Readers) -> AccessDecision:
    """Decide whether `principal` is one of the readers of a document, and give the clause that decided.

    The caller has already made sure that both belong to one tenant: each index and each registry has one tenant.
    """
    if readers.ceiling is not None:
        return _decide_both(principal, readers.declared, readers.ceiling)
    policy = readers.declared
    if policy.public:
        return Allow(AccessReason.PUBLIC)
    if principal.user is not None and principal.user in policy.users:
        return Allow(AccessReason.NAMED_USER)
    # Two empty lists would pass both checks below, and a policy that names nobody would admit everybody.
    if not policy.any_tags and not policy.all_tags:
        return Deny(AccessReason.NO_MATCH if policy.users else AccessReason.EMPTY_POLICY)
    lacks_any = bool(policy.any_tags) and policy.any_tags.isdisjoint(principal.tags)
    if lacks_any or not policy.all_tags <= principal.tags:
        return Deny(AccessReason.NO_MATCH)
    return Allow(AccessReason.TAGS)


def _decide_both(principal: Principal, declared: Policy, ceiling: Policy) -> AccessDecision:
    decision = decide(principal, single_policy(declared))
    if decision and not decide(principal, single_policy(ceiling)):
        return Deny(AccessReason.CEILING)
    return decision


def removes_readers(old: Readers, new: Readers) -> bool:
    """Return whether `old` admits somebody whom `new` does not admit.

    A user name or a further tag never removes a right. The principals with the fewest rights are therefore enough: one
    without user and tags, each named user without tags, and holders of exactly the required tags. Of two policies, they
    are the unions of one of each, where these name no two users.
    """
    return any(not decide(principal, new) for principal in minimal_readers(old))


def have_same_readers(one: Readers, other: Readers) -> bool:
    """Return whether both admit the same principals; policies of another form may mean the same."""
    return not removes_readers(one, other) and not removes_readers(other, one)


def narrowest_policy(readers: Readers) -> Policy:
    """Return one policy that admits nobody but these readers: all of them, where one policy can say so; else nobody."""
    declared, ceiling = readers.declared, readers.ceiling
    if ceiling is None or not removes_readers(single_policy(declared), single_policy(ceiling)):
        return declared
    return NO_READERS if removes_readers(single_policy(ceiling), single_policy(declared)) else ceiling


def simplest_readers(readers: Readers) -> Readers:
    """Return the same readers without a ceiling where one policy can state them, else declared policy and ceiling."""
    single = single_policy(narrowest_policy(readers))
    # The narrowest policy of two that only overlap admits nobody, although somebody passes both.
    is_exact = single.declared != NO_READERS or not any(True for _ in minimal_readers(readers))
    return single if is_exact else readers


def minimal_readers(readers: Readers) -> Iterator[Principal]:
    """Yield readers with the fewest rights: every reader has the rights of one of them, and nobody else has.

    Their tenant is empty, and one of them may be yielded twice.
    """
    if readers.ceiling is None:
        yield from _minimal_principals(readers.declared)
        return
    limited = list(_minimal_principals(readers.ceiling))
    for one in _minimal_principals(readers.declared):
        for other in limited:
            # One principal has one user, so it cannot be both.
            if one.user is None or other.user is None or one.user == other.user:
                yield _principal(one.user or other.user, one.tags | other.tags)


def _minimal_principals(policy: Policy) -> Iterator[Principal]:
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
