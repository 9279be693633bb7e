"""An explanation of access: each statement of it holds for everybody there could be."""

from dataclasses import replace
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.access.policy import Policy, Principal, Readers
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import KeyKind
from groundwire.services.documents.browse.access.explanation import explain_readers, minimal_tag_sets
from groundwire.services.documents.browse.access.readers import KeyRole, key_role
from tests.support.isolation.oracle import may_read, may_read_within
from tests.support.registry.records import PERSONAL_KEY

SEARCHING = frozenset({Scope.SEARCH, Scope.ACT_AS})
USERS = ("ann", "ben")
TAGS = ("a", "b", "c", "d")


def some(names: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]


SETS = some(TAGS)
POLICIES = st.builds(
    Policy,
    public=st.booleans(),
    users=st.sampled_from(some(USERS)),
    any_tags=st.sampled_from(some(TAGS[:3])),
    all_tags=st.sampled_from(some(TAGS[:3])),
)
READERS = st.builds(Readers, POLICIES, st.none() | POLICIES)
PRINCIPALS = st.builds(Principal, st.just("t"), st.sampled_from([None, *USERS, "cleo"]), st.sampled_from(SETS))


def reads(user: str | None, tags: frozenset[str], readers: Readers) -> bool:
    return may_read_within(user, tags, readers.declared, readers.ceiling)


@given(PRINCIPALS, READERS)
def test_explain_readers_decides_as_the_rule_in_words_does_for_both_policies(
    principal: Principal, readers: Readers
) -> None:
    explained = explain_readers(principal, readers)
    assert bool(explained.decision) is reads(principal.user, principal.tags, readers)
    assert bool(explained.declared) is may_read(principal.user, principal.tags, readers.declared)
    ceiling = readers.ceiling
    assert (explained.ceiling is None) is (ceiling is None)
    if ceiling is not None:
        assert bool(explained.ceiling) is may_read(principal.user, principal.tags, ceiling)


@given(PRINCIPALS, READERS)
def test_missing_tags_are_exactly_the_smallest_sets_with_which_a_refused_person_could_read(
    principal: Principal, readers: Readers
) -> None:
    missing = explain_readers(principal, readers).missing_tags
    if reads(principal.user, principal.tags, readers):
        assert missing == ()
        return
    enough = [tags for tags in SETS if reads(principal.user, principal.tags | tags, readers)]
    smallest = {tags for tags in enough if not any(other < tags for other in enough)}
    assert set(missing) == smallest
    assert len(missing) == len(smallest)


@given(PRINCIPALS, READERS)
def test_needed_tags_and_user_are_exactly_those_without_which_an_admitted_person_could_not_read(
    principal: Principal, readers: Readers
) -> None:
    explained = explain_readers(principal, readers)
    user, tags = principal.user, principal.tags
    if not reads(user, tags, readers):
        assert (explained.needed_tags, explained.needs_user) == (frozenset(), False)
        return
    assert explained.needed_tags == {tag for tag in tags if not reads(user, tags - {tag}, readers)}
    assert explained.needs_user is not reads(None, tags, readers)


@given(READERS)
def test_minimal_tag_sets_admit_exactly_the_calls_without_a_user_that_have_one_of_them(readers: Readers) -> None:
    sets = minimal_tag_sets(readers)
    for tags in SETS:
        assert any(each <= tags for each in sets) is reads(None, tags, readers)
    assert not any(one < other for one, other in product(sets, sets))


@given(READERS, st.sampled_from(SETS))
def test_a_key_that_acts_for_others_reads_what_any_user_reads_with_tags_that_it_covers(
    readers: Readers, bound: frozenset[str]
) -> None:
    agent = replace(
        PERSONAL_KEY, kind=KeyKind.ACT_AS, user=None, tags=frozenset(), max_tags=tuple(bound), scopes=SEARCHING
    )
    can_read = any(reads(user, tags, readers) for user in (None, *USERS, "cleo") for tags in SETS if tags <= bound)
    assert key_role(agent, readers) is (KeyRole.NAMED if can_read else None)
