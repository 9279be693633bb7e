"""The access rule of `domain.access.policy` as a filter of the engine.

What a principal has not makes no clause, and a clause that is not there admits nobody: the filter is never empty.
"""

from typing import Any

from groundwire.domain.access.policy import Policy, Principal

Clause = dict[str, Any]


def readable_by(principal: Principal) -> Clause:
    """Rows whose policy admits the principal."""
    admitted: list[Clause] = [{"term": {"public": True}}]
    if principal.user is not None:
        admitted.append({"term": {"users": principal.user}})
    if principal.tags:
        admitted.append(_by_tags(sorted(principal.tags)))
    return any_of(admitted)


def policy_fields(policy: Policy) -> dict[str, Any]:
    """What a row says of its policy so that `readable_by` can judge it."""
    return {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
        "has_any_tags": bool(policy.any_tags),
        "all_tags_count": len(policy.all_tags),
    }


def any_of(clauses: list[Clause]) -> Clause:
    """At least one of them holds; none of them: never."""
    return {"bool": {"should": clauses, "minimum_should_match": 1}} if clauses else {"match_none": {}}


def _by_tags(tags: list[str]) -> Clause:
    """One of the any-tags where there are any, every all-tag where there are any, and one of the two lists at least."""
    no_any: Clause = {"term": {"has_any_tags": False}}
    no_all: Clause = {"term": {"all_tags_count": 0}}
    every = {"terms_set": {"all_tags": {"terms": tags, "minimum_should_match_field": "all_tags_count"}}}
    return {
        "bool": {
            "filter": [any_of([no_any, {"terms": {"any_tags": tags}}]), any_of([no_all, every])],
            "must_not": [{"bool": {"filter": [no_any, no_all]}}],
        }
    }
