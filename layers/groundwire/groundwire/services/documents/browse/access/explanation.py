"""Explanation of an access decision: the clause, what it rests on, and the rights that would change it.

`decide` makes each statement, about the principal itself or about one with other rights. So an explanation cannot
differ from what a search does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.access.policy import (
    AccessDecision,
    Principal,
    Readers,
    decide,
    minimal_readers,
    single_policy,
)

MAX_ALTERNATIVES: Final = 20
"""Limit of the sets of missing tags that an explanation names."""


@dataclass(frozen=True, slots=True)
class ReadersExplanation:
    """Explanation of whether a principal is one of the readers of a document.

    Attributes:
        decision: by declared policy and ceiling together.
        declared: by the declared policy alone.
        ceiling: by the ceiling alone; None without one.
        needed_tags: tags of the principal of which each one is needed; empty without access.
        needs_user: without the name of the user there would be no access.
        missing_tags: sets of tags of which each one, in addition, would give access: the smallest first, at most
            `MAX_ALTERNATIVES`. Empty with access, and where no tags would give it.
    """

    decision: AccessDecision
    declared: AccessDecision
    ceiling: AccessDecision | None
    needed_tags: frozenset[str]
    needs_user: bool
    missing_tags: tuple[frozenset[str], ...]


def explain_readers(principal: Principal, readers: Readers) -> ReadersExplanation:
    """Return the explanation of the decision about a principal."""
    decision = decide(principal, readers)
    return ReadersExplanation(
        decision=decision,
        declared=decide(principal, single_policy(readers.declared)),
        ceiling=None if readers.ceiling is None else decide(principal, single_policy(readers.ceiling)),
        needed_tags=_needed_tags(principal, readers) if decision else frozenset(),
        needs_user=bool(decision) and not decide(replace(principal, user=None), readers),
        missing_tags=() if decision else _missing_tags(principal, readers),
    )


def _needed_tags(principal: Principal, readers: Readers) -> frozenset[str]:
    # Tags that no policy names decide nothing.
    named = principal.tags & readers.tags
    return frozenset(tag for tag in named if not decide(replace(principal, tags=principal.tags - {tag}), readers))


def _missing_tags(principal: Principal, readers: Readers) -> tuple[frozenset[str], ...]:
    admitted = (one for one in minimal_readers(readers) if one.user is None or one.user == principal.user)
    return _smallest(one.tags - principal.tags for one in admitted)[:MAX_ALTERNATIVES]


def minimal_tag_sets(readers: Readers) -> tuple[frozenset[str], ...]:
    """Return the minimal sets of tags that each give access without a user's name.

    An empty set alone: everybody has access.
    """
    return _smallest(one.tags for one in minimal_readers(readers) if one.user is None)


def _smallest(sets: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    smallest: list[frozenset[str]] = []
    for tags in sorted(set(sets), key=lambda each: (len(each), sorted(each))):
        # A set with a smaller one in it states nothing new.
        if not any(other <= tags for other in smallest):
            smallest.append(tags)
    return tuple(smallest)
