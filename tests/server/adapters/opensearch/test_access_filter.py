"""The access rule as a filter: what a principal has not makes no clause, and no clause admits nobody."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.opensearch.schema.access_filter import any_of, readable_by, readers_fields
from groundwire.domain.access.policy import NO_READERS, Policy, Principal, Readers, single_policy
from tests.support.isolation import oracle
from tests.support.plugins.draws import examples

TAGS = st.frozensets(st.sampled_from(["hr", "HR", "department:sales", ""]), max_size=4)
USERS = st.sampled_from(["ann", "bob", ""])
POLICIES = st.builds(Policy, public=st.booleans(), users=st.frozensets(USERS, max_size=2), any_tags=TAGS, all_tags=TAGS)
PRINCIPALS = st.builds(Principal, tenant=st.just("acme"), user=st.none() | USERS, tags=TAGS)
PUBLIC_ONLY = {"bool": {"should": [{"term": {"public": True}}], "minimum_should_match": 1}}
WITHOUT_CEILING = {"must_not": [{"term": {"has_ceiling": True}}]}


def holds(clause: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether a row passes, by the engine's documentation of these few clauses."""
    ((kind, body),) = clause.items()
    if kind == "match_none":
        return False
    if kind == "bool":
        return _bool_holds(body, row)
    ((field, wanted),) = body.items()
    value = row.get(field, [])
    held = value if isinstance(value, list) else [value]
    if kind == "term":
        return wanted in held
    if kind == "terms":
        return bool(set(wanted) & set(held))
    assert kind == "terms_set"
    return len(set(wanted["terms"]) & set(held)) >= row[wanted["minimum_should_match_field"]]


def _bool_holds(body: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    # Without a clause a bool would admit everybody; what has no ceiling needs no other clause.
    assert any(body.get(part) for part in ("filter", "should")) or body == WITHOUT_CEILING
    enough = sum(holds(each, row) for each in body.get("should", ())) >= body.get("minimum_should_match", 0)
    return (
        enough
        and all(holds(each, row) for each in body.get("filter", ()))
        and not any(holds(each, row) for each in body.get("must_not", ()))
    )


@settings(max_examples=examples(500), deadline=None)
@given(PRINCIPALS, POLICIES, st.none() | POLICIES)
def test_the_filter_admits_whom_the_oracle_lets_read(
    principal: Principal, policy: Policy, ceiling: Policy | None
) -> None:
    row = readers_fields(Readers(policy, ceiling))
    assert holds(readable_by(principal), row) == oracle.may_read_within(principal.user, principal.tags, policy, ceiling)


@settings(max_examples=examples(100), deadline=None)
@given(PRINCIPALS, POLICIES)
def test_a_row_of_an_earlier_release_has_no_ceiling(principal: Principal, policy: Policy) -> None:
    row = readers_fields(single_policy(policy))
    del row["has_ceiling"]
    assert holds(readable_by(principal), row) == oracle.may_read(principal.user, principal.tags, policy)


def test_who_is_nobody_meets_what_is_public_within_a_public_ceiling_and_nothing_else() -> None:
    limits = [{"bool": WITHOUT_CEILING}, {"term": {"ceiling_public": True}}]
    within = {"bool": {"should": limits, "minimum_should_match": 1}}
    assert readable_by(Principal("acme", None, frozenset())) == {"bool": {"filter": [PUBLIC_ONLY, within]}}


def test_no_clause_is_no_match() -> None:
    assert any_of([]) == {"match_none": {}}


def test_every_field_of_a_policy_is_stored_even_when_it_is_empty() -> None:
    assert readers_fields(single_policy(NO_READERS)) == {
        "public": False,
        "users": [],
        "any_tags": [],
        "all_tags": [],
        "has_any_tags": False,
        "all_tags_count": 0,
        "has_ceiling": False,
    }
