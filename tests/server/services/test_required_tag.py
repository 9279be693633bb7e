"""A proof about a tag: it holds exactly where no principal without the tag could read, and else names one who could."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.access.policy import AccessReason, Policy
from groundwire.services.documents.browse.access.required_tag import DeclaredFile, prove_required
from tests.support.isolation.oracle import may_read

USERS: Final = ("ann", "ben")
TAGS: Final = ("a", "b", "c", "d")


def some(names: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]


EVERYBODY: Final = list(product([None, *USERS, "cleo"], some(TAGS)))
POLICIES = st.builds(
    Policy,
    public=st.booleans(),
    users=st.sampled_from(some(USERS)),
    any_tags=st.sampled_from(some(TAGS[:3])),
    all_tags=st.sampled_from(some(TAGS[:3])),
)


def declared(policies: Sequence[Policy]) -> list[DeclaredFile]:
    return [DeclaredFile(f"/d/{n}/a.md", f"/d/{n}/.policy.yaml", policy) for n, policy in enumerate(policies)]


@given(st.lists(POLICIES, max_size=4), st.sampled_from(TAGS))
def test_a_tag_is_proved_exactly_where_nobody_without_it_could_read_a_file(policies: list[Policy], tag: str) -> None:
    open_files = {
        file.path
        for file in declared(policies)
        if any(may_read(user, tags, file.policy) for user, tags in EVERYBODY if tag not in tags)
    }
    assert {each.file for each in prove_required(tag, declared(policies)).counterexamples} == open_files


@given(POLICIES, st.sampled_from(TAGS))
def test_the_reader_of_a_counterexample_reads_without_the_tag_and_nobody_with_less_does(
    policy: Policy, tag: str
) -> None:
    for example in prove_required(tag, declared([policy])).counterexamples:
        reader = example.reader
        assert tag not in reader.tags
        assert may_read(reader.user, reader.tags, policy)
        assert not any(may_read(reader.user, reader.tags - {each}, policy) for each in reader.tags)
        assert reader.user is None or not may_read(None, reader.tags, policy)
        assert (example.clause is AccessReason.PUBLIC) is policy.public
        assert (example.clause is AccessReason.NAMED_USER) is (reader.user is not None)


def test_files_of_one_policy_file_are_one_counterexample() -> None:
    policy = Policy(public=False, users=frozenset(), any_tags=frozenset({"b"}), all_tags=frozenset())
    files = [DeclaredFile(f"/d/{n}.md", "/d/.policy.yaml", policy) for n in (3, 1, 2)]
    [example] = prove_required("a", files).counterexamples
    assert (example.file, example.files) == ("/d/1.md", 3)
