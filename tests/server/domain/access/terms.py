"""Terms of the lemmas: persons, policies, and who reads by the code and by the documentation."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import z3

from tests.server.domain.access.loaded_code import Code
from tests.server.domain.access.model import SOLVER, admits
from tests.server.domain.access.symbolic import COLLECTION, TAG, USER, Branches, Name, Names, Truth, explore

NO_TAGS: Final = z3.EmptySet(TAG)
NO_USERS: Final = z3.EmptySet(USER)


class Person(NamedTuple):
    """Terms of a principal."""

    has_user: Any
    user: Any
    tags: Any

    def principal(self, code: Code, branches: Branches) -> Any:
        """Return the principal on which the code runs."""
        user = Name(self.user, branches) if branches.choose(self.has_user) else None
        return code.policy.Principal("", user, Names(self.tags, branches))


class Rule(NamedTuple):
    """Terms of a policy."""

    public: Any
    users: Any
    any_tags: Any
    all_tags: Any

    def policy(self, code: Code, branches: Branches) -> Any:
        """Return the policy on which the code runs."""
        public = Truth(self.public, branches)
        return code.policy.Policy(public, *(Names(each, branches) for each in self[1:]))

    @property
    def has_lists(self) -> Any:
        """Whether the policy names a tag."""
        return z3.Or(self.any_tags != NO_TAGS, self.all_tags != NO_TAGS)


def _person(name: str) -> Person:
    return Person(z3.Bool(f"{name}_has_user"), z3.Const(f"{name}_user", USER), _tags(f"{name}_tags"))


def _rule(name: str) -> Rule:
    users = z3.Const(f"{name}_users", z3.SetSort(USER))
    return Rule(z3.Bool(f"{name}_public"), users, _tags(f"{name}_any"), _tags(f"{name}_all"))


def _tags(name: str) -> Any:
    return z3.Const(name, z3.SetSort(TAG))


_SOMEBODY: Final = _person("somebody")
_SOME_RULE: Final = _rule("some_rule")
_SOME_CEILING: Final = _rule("some_ceiling")
WHO: Final = _person("who")
OTHER: Final = _person("other")
RULE: Final = _rule("rule")
CEILING: Final = _rule("ceiling")
T: Final = z3.Const("t", TAG)
U: Final = z3.Const("u", USER)
C: Final = z3.Const("c", COLLECTION)
CLOSED: Final = Rule(z3.BoolVal(val=False), NO_USERS, NO_TAGS, NO_TAGS)


def reads(code: Code, who: Person, rule: Rule, ceiling: Rule | None = None) -> Any:
    """Return the formula that holds where `decide` lets the person read."""
    given = (*who, *rule, *(ceiling or ()))
    general = (*_SOMEBODY, *_SOME_RULE, *(_SOME_CEILING if ceiling else ()))
    # The code runs once for general terms: a substitution is much faster than another run.
    return z3.substitute(_general_formula(code, has_ceiling=ceiling is not None), *zip(general, given, strict=True))


@cache
def _general_formula(code: Code, *, has_ceiling: bool) -> Any:
    def run(branches: Branches) -> object:
        limit = _SOME_CEILING.policy(code, branches) if has_ceiling else None
        readers = code.policy.Readers(_SOME_RULE.policy(code, branches), limit)
        return code.policy.decide(_SOMEBODY.principal(code, branches), readers)

    return explore(run)


def model_reads(who: Person, rule: Rule) -> Any:
    """Return the formula that the documentation gives for a policy."""
    is_named = z3.And(who.has_user, z3.IsMember(who.user, rule.users))
    return admits(
        SOLVER,
        public=rule.public,
        is_named=is_named,
        any_tags=rule.any_tags,
        all_tags=rule.all_tags,
        held=who.tags,
    )


def same_user(one: Person, other: Person) -> Any:
    """Return whether both name the same user, or none."""
    return z3.And(one.has_user == other.has_user, z3.Implies(one.has_user, one.user == other.user))


class Lemmas(dict[str, Callable[[Code], Any]]):
    """Lemmas by their statements, which are the names of the functions that make the formulas."""

    def add(self, lemma: Callable[[Code], Any]) -> Callable[[Code], Any]:
        """Take one more."""
        self[lemma.__name__.replace("_", " ")] = lemma
        return lemma
