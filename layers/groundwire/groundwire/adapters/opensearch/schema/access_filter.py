"""Access rule of `domain.access.policy` as a filter of the engine.

An attribute that the principal lacks adds no clause, and a missing clause admits nobody: the filter is never empty. A
row has the fields of its declared policy and those of its ceiling, and a reader needs both. A row of an earlier release
has no ceiling.
"""

from typing import Any, Final

from groundwire.domain.access.policy import Policy, Principal, Readers

Clause = dict[str, Any]

_DECLARED: Final = ""
_CEILING: Final = "ceiling_"
"""Prefixes of the fields of the two policies."""
_HAS_CEILING: Final = "has_ceiling"


def readable_by(principal: Principal) -> Clause:
    """Return the filter for rows whose declared policy and ceiling admit the principal."""
    without_ceiling: Clause = {"bool": {"must_not": [{"term": {_HAS_CEILING: True}}]}}
    within_ceiling = any_of([without_ceiling, *_admitting(principal, _CEILING)])
    return {"bool": {"filter": [any_of(_admitting(principal, _DECLARED)), within_ceiling]}}


def readers_fields(readers: Readers) -> dict[str, Any]:
    """Return the fields of a row's readers that `readable_by` compares; `has_ceiling` ends an earlier ceiling."""
    ceiling = readers.ceiling
    limit = {} if ceiling is None else _policy_fields(ceiling, _CEILING)
    return {**_policy_fields(readers.declared, _DECLARED), _HAS_CEILING: ceiling is not None, **limit}


def any_of(clauses: list[Clause]) -> Clause:
    """Return a clause that holds when at least one of these holds; without clauses it never holds."""
    return {"bool": {"should": clauses, "minimum_should_match": 1}} if clauses else {"match_none": {}}


def _admitting(principal: Principal, prefix: str) -> list[Clause]:
    """Return alternative clauses for rows whose policy admits the principal."""
    admitted: list[Clause] = [{"term": {f"{prefix}public": True}}]
    if principal.user is not None:
        admitted.append({"term": {f"{prefix}users": principal.user}})
    if principal.tags:
        admitted.append(_by_tags(sorted(principal.tags), prefix))
    return admitted


def _policy_fields(policy: Policy, prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}public": policy.public,
        f"{prefix}users": sorted(policy.users),
        f"{prefix}any_tags": sorted(policy.any_tags),
        f"{prefix}all_tags": sorted(policy.all_tags),
        f"{prefix}has_any_tags": bool(policy.any_tags),
        f"{prefix}all_tags_count": len(policy.all_tags),
    }


def _by_tags(tags: list[str], prefix: str) -> Clause:
    """Return the clause for tags.

    It requires one of the any-tags where there are any, every all-tag where there are any, and at least one non-empty
    list.
    """
    no_any: Clause = {"term": {f"{prefix}has_any_tags": False}}
    no_all: Clause = {"term": {f"{prefix}all_tags_count": 0}}
    # It compares how many of the tags a row has with the row's own number of them.
    fewest = f"{prefix}all_tags_count"
    every = {"terms_set": {f"{prefix}all_tags": {"terms": tags, "minimum_should_match_field": fewest}}}
    return {
        "bool": {
            "filter": [any_of([no_any, {"terms": {f"{prefix}any_tags": tags}}]), any_of([no_all, every])],
            # Two empty lists pass both filters above, and must admit nobody.
            "must_not": [{"bool": {"filter": [no_any, no_all]}}],
        }
    }
