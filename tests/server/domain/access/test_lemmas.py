"""Each lemma on the access rule holds for any number of tags and users, and fails with a mutation of the code."""

from typing import Any, Final

import pytest
import z3

from tests.server.domain.access import bounds, policies
from tests.server.domain.access.loaded_code import Mutation, load_code
from tests.server.domain.access.mutations import MUTATIONS
from tests.server.domain.access.symbolic import TAG, Branches, Name, Names, explore

LEMMAS: Final = {**policies.LEMMAS, **bounds.LEMMAS}


def counterexample(statement: Any) -> z3.ModelRef | None:
    """Return values for which the statement is false; None: it is proved."""
    solver = z3.Solver()
    solver.add(z3.Not(statement))
    outcome = solver.check()
    # An answer that the solver does not know is no proof.
    assert outcome != z3.unknown, solver.reason_unknown()
    return solver.model() if outcome == z3.sat else None


@pytest.mark.parametrize("name", LEMMAS)
def test_for_any_number_of_tags_and_users(name: str) -> None:
    assert counterexample(LEMMAS[name](load_code())) is None


@pytest.mark.parametrize(("name", "mutation"), MUTATIONS, ids=[name for name, _ in MUTATIONS])
def test_a_lemma_fails_with_a_mutation_of_the_code(name: str, mutation: Mutation) -> None:
    assert counterexample(LEMMAS[name](load_code(mutation))) is not None


def test_every_lemma_has_a_mutation_that_breaks_it() -> None:
    assert {name for name, _ in MUTATIONS} == set(LEMMAS)


def test_a_formula_holds_exactly_on_the_paths_on_which_the_code_returns_something_true() -> None:
    one, other = z3.Consts("one other", z3.SetSort(TAG))
    name = z3.Const("name", TAG)

    def run(branches: Branches) -> bool:
        mine, theirs = Names(one, branches), Names(other, branches)
        return (Name(name, branches) in mine and mine <= theirs) or (not mine and bool(theirs))

    empty = z3.EmptySet(TAG)
    expected = z3.Or(z3.And(z3.IsMember(name, one), z3.IsSubset(one, other)), z3.And(one == empty, other != empty))
    assert counterexample(explore(run) == expected) is None
