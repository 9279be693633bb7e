"""The formula of the lemmas and the code decide alike: about everything small, and about drawn policies."""

from itertools import chain, combinations, product
from random import Random
from typing import Final

from groundwire.domain.access.policy import Policy, Principal, Readers, decide, single_policy
from tests.server.domain.access.model import PLAIN, admits
from tests.support.plugins.draws import DRAWS_ALL, SEED

USERS: Final = ("ana", "ben")
TAGS: Final = ("red", "green", "blue")
_DRAWN: Final = 1_000_000 if DRAWS_ALL else 20_000
_MANY_USERS: Final = ("ana", "ben", "cem", "dee")
_MANY_TAGS: Final = ("a", "b", "c", "d", "e", "f", "g")


def model_admits(principal: Principal, policy: Policy) -> bool:
    """Return the decision of the formula."""
    return admits(
        PLAIN,
        public=policy.public,
        is_named=principal.user is not None and principal.user in policy.users,
        any_tags=policy.any_tags,
        all_tags=policy.all_tags,
        held=principal.tags,
    )


def subsets(names: tuple[str, ...]) -> list[frozenset[str]]:
    sizes = range(len(names) + 1)
    return [frozenset(chosen) for chosen in chain.from_iterable(combinations(names, size) for size in sizes)]


def test_all_policies_over_three_tags_and_two_users_for_everybody() -> None:
    members = product([False, True], subsets(USERS), subsets(TAGS), subsets(TAGS))
    policies = [Policy(public, users, any_tags, all_tags) for public, users, any_tags, all_tags in members]
    principals = [Principal("t", user, tags) for user, tags in product([None, *USERS], subsets(TAGS))]
    assert (len(policies), len(principals)) == (512, 24)
    for policy, principal in product(policies, principals):
        assert bool(decide(principal, single_policy(policy))) is model_admits(principal, policy), (principal, policy)


def drawn_names(random: Random, names: tuple[str, ...]) -> frozenset[str]:
    # Small sets are as frequent as large ones: most decisions depend on an empty list.
    return frozenset(random.sample(names, random.randrange(len(names) + 1)))


def drawn_policy(random: Random) -> Policy:
    few = random.randrange(1, len(_MANY_TAGS) + 1)
    return Policy(
        public=random.random() < 0.1,
        users=drawn_names(random, _MANY_USERS[: random.randrange(3)]),
        any_tags=drawn_names(random, _MANY_TAGS[:few]),
        all_tags=drawn_names(random, _MANY_TAGS[: random.randrange(few + 1)]),
    )


def test_drawn_policies_with_and_without_a_ceiling() -> None:
    random, admitted = Random(SEED), 0
    # Each policy meets many principals and ceilings: to draw one takes ten times as long as to decide.
    policies = [drawn_policy(random) for _ in range(_DRAWN // 20)]
    principals = [
        Principal("t", random.choice((None, *_MANY_USERS)), drawn_names(random, _MANY_TAGS))
        for _ in range(_DRAWN // 20)
    ]
    for _ in range(_DRAWN):
        declared, principal = random.choice(policies), random.choice(principals)
        ceiling = random.choice(policies) if random.random() < 0.5 else None
        expected = model_admits(principal, declared) and (ceiling is None or model_admits(principal, ceiling))
        assert bool(decide(principal, Readers(declared, ceiling))) is expected, (principal, declared, ceiling)
        admitted += expected
    # Both decisions are frequent, so that neither side agrees by refusing.
    assert 0.1 < admitted / _DRAWN < 0.9
