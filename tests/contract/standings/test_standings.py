from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.ports import GenerationState, IndexGeneration, IndexGenerations
from tests.contract.races import race, race_processes
from tests.contract.standings.changing import BEGUN, FIRST, OTHER, SWAPPED, TENANT, begin
from tests.contract.standings.places import Place, opened


@pytest.mark.parametrize("standing", [FIRST, BEGUN, SWAPPED])
def test_a_standing_is_read_as_it_was_written(standings: IndexGenerations, standing: GenerationState) -> None:
    standings.write(TENANT, standing, None)
    assert standings.read(TENANT) == standing


def test_a_tenant_without_an_index_has_none(standings: IndexGenerations) -> None:
    assert standings.read(TENANT) is None
    standings.write("t-blue", FIRST, None)
    assert standings.read(TENANT) is None


def test_a_standing_changes_step_by_step(standings: IndexGenerations) -> None:
    for before, after in [(None, FIRST), (FIRST, BEGUN), (BEGUN, SWAPPED)]:
        standings.write(TENANT, after, before)
        assert standings.read(TENANT) == after


@pytest.mark.parametrize("expected", [None, BEGUN, SWAPPED, replace(FIRST, highest_number=2)])
def test_a_change_of_what_is_not_stored_is_refused_and_changes_nothing(
    standings: IndexGenerations, expected: GenerationState | None
) -> None:
    standings.write(TENANT, FIRST, None)
    with pytest.raises(errors.Conflict):
        standings.write(TENANT, GenerationState(IndexGeneration(3, OTHER), None, 3), expected)
    assert standings.read(TENANT) == FIRST


def test_a_change_of_what_is_gone_is_refused(standings: IndexGenerations) -> None:
    with pytest.raises(errors.Conflict):
        standings.write(TENANT, BEGUN, FIRST)
    assert standings.read(TENANT) is None


def test_what_is_deleted_is_gone_and_can_be_made_again(standings: IndexGenerations) -> None:
    standings.write(TENANT, FIRST, None)
    standings.write("t-blue", FIRST, None)
    standings.delete(TENANT)
    standings.delete(TENANT)
    assert standings.read(TENANT) is None
    assert standings.read("t-blue") == FIRST
    standings.write(TENANT, SWAPPED, None)
    assert standings.read(TENANT) == SWAPPED


def test_of_threads_that_change_one_standing_one_does(shared_place: Place) -> None:
    with opened(shared_place) as standings:
        standings.write(TENANT, FIRST, None)

        def change(number: int) -> bool:
            after = replace(FIRST, building=IndexGeneration(number + 2, OTHER), highest_number=number + 2)
            try:
                standings.write(TENANT, after, FIRST)
            except errors.Conflict:
                return False
            return True

        changed = race(8, change)
        assert changed.count(True) == 1
        stored = standings.read(TENANT)
    assert stored is not None
    assert stored.highest_number == changed.index(True) + 2


def test_of_processes_that_change_one_standing_one_does(shared_place: Place) -> None:
    with opened(shared_place) as standings:
        standings.write(TENANT, FIRST, None)
        changed = race_processes(3, begin, shared_place)
        stored = standings.read(TENANT)
    assert changed.count(True) == 1
    assert stored is not None
    assert stored.building is not None
    assert stored.building.model.name == f"model {changed.index(True)}"
