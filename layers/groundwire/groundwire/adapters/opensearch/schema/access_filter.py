"""Access rule of `domain.access.policy` as a filter of the engine.

An attribute that the principal lacks adds no clause, and a missing clause admits nobody: the filter is never empty.
"""

from typing import Any

from groundwire.domain.access.policy import Policy, Principal

Clause = dict[str, Any]


def readable_by(principal: Principal) -> Clause:
    """Return the filter for rows whose policy admits the principal."""
    admitted: list[Clause] = [{"term": {"public": True}}]
    if principal.user is not None:
        admitted.append({"term": {"users": principal.user}})
    if principal.tags:
        admitted.append(_by_tags(sorted(principal.tags)))
    return any_of(admitted)


def policy_fields(policy: Policy) -> dict[str, Any]:
    """Return the fields of a row's policy that `readable_by` compares."""
    return {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
        "has_any_tags": bool(policy.any_tags),
        "all_tags_count": len(policy.all_tags),
    }


def any_of(clauses: list[Clause]) -> Clause:
    """Return a clause that holds when at least one of these holds; without clauses it never holds."""
    return {"bool": {"should": clauses, "minimum_should_match": 1}} if clauses else {"match_none": {}}


def _by_tags(tags: list[str]) -> Clause:
    """Return the clause for tags.

    It requires one of the any-tags where there are any, every all-tag where there are any, and at least one non-empty
    list.
    """
    no_any: Clause = {"term": {"has_any_tags": False}}
    no_all: Clause = {"term": {"all_tags_count": 0}}
    # It compares how many of the tags a row has with the row's own number of them.
    every = {"terms_set": {"all_tags": {"terms": tags, "minimum_should_match_field": "all_tags_count"}}}
    return {
        "bool": {
            "filter": [any_of([no_any, {"terms": {"any_tags": tags}}]), any_of([no_all, every])],
            # Two empty lists pass both filters above, and must admit nobody.
            "must_not": [{"bool": {"filter": [no_any, no_all]}}],
        }
    }
