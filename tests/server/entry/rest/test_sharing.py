"""What a key without `share` can do to who reads what, against rules written down a second time."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.policy import NO_READERS, Policy, Principal, decide, single_policy
from groundwire.domain.access.policy_source import PolicySource, SourcedPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.changes.access import may_decide
from groundwire.domain.documents.record import DocumentState, new_document
from groundwire.domain.documents.source_file import Contributor, SourceFile
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.sharing import is_within_own_rights, may_assign_policy, may_manage
from tests.support.plugins.draws import examples

NAMES: Final = ("a", "b", "c")
names = st.sampled_from(NAMES)
sets = st.frozensets(names, max_size=3)
policies = st.builds(Policy, public=st.booleans(), users=sets, any_tags=sets, all_tags=sets)
principals = st.builds(Principal, tenant=st.just("t"), user=st.none() | names, tags=sets)
scopes = st.frozensets(st.sampled_from(list(Scope)))
NOBODY: Final = SourcedPolicy(NO_READERS, PolicySource.FILE, 0.0, None)
EVERYBODY: Final = [
    Principal("t", user, frozenset(tags))
    for user in (None, *NAMES)
    for tags in ((), ("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c"), NAMES)
]


def caller(principal: Principal, held: frozenset[Scope], collections: frozenset[str] | None = None) -> Caller:
    span = ALL_COLLECTIONS if collections is None else collections
    return Caller(principal, "k", KeyKind.PERSONAL, held, span, options=USUAL_OPTIONS)


@settings(deadline=None, max_examples=examples(200))
@given(principals, policies)
def test_every_reader_of_what_it_gives_is_its_user_or_holds_one_of_its_tags(own: Principal, policy: Policy) -> None:
    if not is_within_own_rights(own, policy):
        return
    for reader in EVERYBODY:
        if decide(reader, single_policy(policy)):
            assert (own.user is not None and reader.user == own.user) or reader.tags & own.tags


@settings(deadline=None, max_examples=examples(200))
@given(principals, policies)
def test_a_shared_document_is_readable_by_its_contributor_or_by_nobody(own: Principal, policy: Policy) -> None:
    if is_within_own_rights(own, policy):
        assert decide(own, single_policy(policy)) or not any(
            decide(reader, single_policy(policy)) for reader in EVERYBODY
        )


@settings(deadline=None, max_examples=examples(200))
@given(principals, policies, policies, scopes)
def test_no_two_changes_by_a_key_make_a_document_readable_for_it(
    own: Principal, before: Policy, after: Policy, held: frozenset[Scope]
) -> None:
    acting = caller(own, held - {Scope.SHARE, Scope.ADMIN})

    if may_manage(acting, "c", single_policy(before)) and may_assign_policy(acting, after):
        assert decide(own, single_policy(before))


@settings(deadline=None, max_examples=examples(200))
@given(principals, policies, scopes)
def test_share_and_admin_give_everything_within_the_keys_collections(
    own: Principal, policy: Policy, held: frozenset[Scope]
) -> None:
    for scope in (Scope.SHARE, Scope.ADMIN):
        acting = caller(own, held | {scope}, frozenset({"handbook"}))
        assert may_assign_policy(acting, policy)
        assert may_manage(acting, "handbook", single_policy(policy))
        assert not may_manage(acting, "prices", single_policy(policy))


@settings(deadline=None, max_examples=examples(200))
@given(principals, scopes, st.sampled_from(["", "k", "other"]), st.sampled_from(["", *NAMES]))
def test_only_share_or_having_contributed_it_gives_the_right_to_decide(
    own: Principal, held: frozenset[Scope], contributing_key: str, contributing_user: str
) -> None:
    file = SourceFile("c", "/a", "a.md", "md", None, None, NOBODY, Contributor(contributing_key, contributing_user))
    document = new_document("d", file, 0.0, DocumentState.INDEXED)

    if held & {Scope.SHARE, Scope.ADMIN}:
        expected = True
    elif not contributing_key:
        expected = False
    elif contributing_user:
        expected = own.user == contributing_user
    else:
        expected = own.user is None and contributing_key == "k"
    assert may_decide(caller(own, held), document) is expected
    assert not may_decide(caller(own, held, frozenset({"another"})), document)


def test_a_key_without_a_user_gives_nobody_by_name() -> None:
    nobody = Principal("t", None, frozenset())

    assert not is_within_own_rights(
        nobody, Policy(public=False, users=frozenset({"None"}), any_tags=frozenset(), all_tags=frozenset())
    )
    assert is_within_own_rights(
        nobody, Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    )
