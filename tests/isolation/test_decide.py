"""The product's rule and the tests' own, written apart from each other, agree on everything small."""

from itertools import chain, combinations, product

from groundwire.domain.access.policy import Policy, Principal, Readers, decide, single_policy
from tests.support.isolation import oracle

USERS = ("ana", "ben")
TAGS = ("red", "green", "blue")


def _subsets(names: tuple[str, ...]) -> list[frozenset[str]]:
    sizes = range(len(names) + 1)
    return [frozenset(chosen) for chosen in chain.from_iterable(combinations(names, size) for size in sizes)]


def test_decide_equals_the_oracle_on_every_small_policy_and_principal() -> None:
    policies = [
        Policy(public, users, any_tags, all_tags)
        for public, users, any_tags, all_tags in product([False, True], _subsets(USERS), _subsets(TAGS), _subsets(TAGS))
    ]
    principals = [Principal("t", user, tags) for user, tags in product([None, *USERS], _subsets(TAGS))]
    differing = [
        (principal, policy)
        for principal, policy in product(principals, policies)
        if bool(decide(principal, single_policy(policy))) != oracle.may_read(principal.user, principal.tags, policy)
    ]
    assert (len(policies), len(principals)) == (512, 24)
    assert differing == []


def test_a_reader_needs_the_declared_policy_and_the_ceiling() -> None:
    few = _subsets(("red", "green"))
    policies = [
        Policy(public, users, any_tags, all_tags)
        for public, users, any_tags, all_tags in product([False, True], _subsets(("ana",)), few, few)
    ]
    principals = [Principal("t", user, tags) for user, tags in product([None, "ana"], few)]
    for declared, ceiling, who in product(policies, policies, principals):
        admitted = bool(decide(who, Readers(declared, ceiling)))
        assert admitted == oracle.may_read_within(who.user, who.tags, declared, ceiling)
