"""Which change of a policy takes the document from somebody: held against everybody there could be."""

from itertools import combinations, product

from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.domain.access.policy import (
    NO_READERS,
    Policy,
    Principal,
    Readers,
    decide,
    removes_readers,
    simplest_readers,
    single_policy,
)
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.audit.facts import readers_change
from tests.support.isolation.oracle import may_read
from tests.support.isolation.policies import PUBLIC, for_users

USERS = ("ann", "ben")
TAGS = ("a", "b", "c")


def some(names: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]


SESSIONS = list(product([None, *USERS, "cleo"], some((*TAGS, "d"))))
PRINCIPALS = [Principal("t_acme", user, tags) for user, tags in SESSIONS]
POLICIES = st.builds(
    Policy,
    public=st.booleans(),
    users=st.sampled_from(some(USERS)),
    any_tags=st.sampled_from(some(TAGS)),
    all_tags=st.sampled_from(some(TAGS)),
)


def tagged(any_tags: str, all_tags: str) -> Policy:
    return Policy(public=False, users=frozenset(), any_tags=frozenset(any_tags), all_tags=frozenset(all_tags))


@given(POLICIES, POLICIES)
@example(PUBLIC, for_users("ann"))
@example(for_users("ann"), PUBLIC)
@example(for_users("ann", "ben"), for_users("ann"))
@example(NO_READERS, NO_READERS)
@example(tagged("ab", ""), tagged("a", ""))
@example(tagged("a", ""), tagged("", "a"))
@example(tagged("ab", "c"), tagged("abc", ""))
@example(tagged("a", ""), tagged("a", "b"))
@example(tagged("", "ab"), tagged("b", ""))
def test_readers_are_lost_exactly_where_somebody_could_read_and_no_longer_can(old: Policy, new: Policy) -> None:
    lost = any(may_read(user, tags, old) and not may_read(user, tags, new) for user, tags in SESSIONS)
    assert removes_readers(single_policy(old), single_policy(new)) is lost


def test_removed_readers_are_right_for_every_pair_of_policies_over_one_user_and_two_tags() -> None:
    few = some(("a", "b"))
    members = product([True, False], some(("ann",)), few, few)
    small = [Policy(public=p, users=users, any_tags=one, all_tags=every) for p, users, one, every in members]
    sessions = list(product([None, "ann"], some(("a", "b", "c"))))
    admitted = {policy: {session for session in sessions if may_read(*session, policy)} for policy in small}
    for old, new in product(small, small):
        assert removes_readers(single_policy(old), single_policy(new)) == bool(admitted[old] - admitted[new])


@given(POLICIES, st.none() | POLICIES)
@example(tagged("a", ""), tagged("b", ""))
@example(for_users("ann"), for_users("ben"))
@example(for_users("ann"), tagged("a", ""))
def test_readers_are_reported_in_the_simplest_form_that_admits_the_same_people(
    declared: Policy, ceiling: Policy | None
) -> None:
    readers = Readers(declared, ceiling)
    reported = simplest_readers(readers)
    assert all(bool(decide(each, reported)) is bool(decide(each, readers)) for each in PRINCIPALS)
    assert reported.ceiling is None or reported == readers


@given(POLICIES, st.none() | POLICIES, POLICIES, st.none() | POLICIES)
def test_the_audit_line_of_a_change_names_exactly_the_readers_before_and_after(
    declared: Policy, ceiling: Policy | None, other: Policy, other_ceiling: Policy | None
) -> None:
    before, after = Readers(declared, ceiling), Readers(other, other_ceiling)
    facts = readers_change(before, after)
    if not facts:
        return
    for name, readers in (("before", before), ("after", after)):
        limit = facts.get(f"ceiling_{name}")
        reported = Readers(
            policy_from_mapping(facts[f"policy_{name}"], "line"),  # type: ignore[literal-required]
            None if limit is None else policy_from_mapping(limit, "line"),
        )
        assert all(bool(decide(each, reported)) is bool(decide(each, readers)) for each in PRINCIPALS)


@given(POLICIES, POLICIES)
def test_the_audit_line_of_no_change_names_no_readers(declared: Policy, ceiling: Policy) -> None:
    assert readers_change(Readers(declared, ceiling), Readers(declared, ceiling)) == {}
