from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.ports import GenerationState, IndexGeneration, IndexGenerations
from tests.contract.index_generations.backends import Place, opened
from tests.contract.index_generations.changing import FIRST, OTHER, STARTED, SWAPPED, TENANT, begin
from tests.support.registry.races import race, race_processes


@pytest.mark.parametrize("index_generation", [FIRST, STARTED, SWAPPED])
def test_an_index_generation_is_read_as_it_was_written(
    index_generations: IndexGenerations, index_generation: GenerationState
) -> None:
    index_generations.write(TENANT, index_generation, None)
    assert index_generations.read(TENANT) == index_generation


def test_a_tenant_without_an_index_has_no_generation(index_generations: IndexGenerations) -> None:
    assert index_generations.read(TENANT) is None
    index_generations.write("t-blue", FIRST, None)
    assert index_generations.read(TENANT) is None


def test_an_index_generation_changes_step_by_step(index_generations: IndexGenerations) -> None:
    for before, after in [(None, FIRST), (FIRST, STARTED), (STARTED, SWAPPED)]:
        index_generations.write(TENANT, after, before)
        assert index_generations.read(TENANT) == after


@pytest.mark.parametrize("expected", [None, STARTED, SWAPPED, replace(FIRST, highest_number=2)])
def test_a_change_of_what_is_not_stored_is_refused_and_changes_nothing(
    index_generations: IndexGenerations, expected: GenerationState | None
) -> None:
    index_generations.write(TENANT, FIRST, None)
    with pytest.raises(errors.Conflict):
        index_generations.write(TENANT, GenerationState(IndexGeneration(3, OTHER), None, 3), expected)
    assert index_generations.read(TENANT) == FIRST


def test_a_change_of_a_deleted_record_is_refused(index_generations: IndexGenerations) -> None:
    with pytest.raises(errors.Conflict):
        index_generations.write(TENANT, STARTED, FIRST)
    assert index_generations.read(TENANT) is None


def test_a_deleted_record_is_missing_and_can_be_made_again(index_generations: IndexGenerations) -> None:
    index_generations.write(TENANT, FIRST, None)
    index_generations.write("t-blue", FIRST, None)
    index_generations.delete(TENANT)
    index_generations.delete(TENANT)
    assert index_generations.read(TENANT) is None
    assert index_generations.read("t-blue") == FIRST
    index_generations.write(TENANT, SWAPPED, None)
    assert index_generations.read(TENANT) == SWAPPED


def test_one_of_several_threads_changes_an_index_generation(shared_place: Place) -> None:
    with opened(shared_place) as index_generations:
        index_generations.write(TENANT, FIRST, None)

        def change(number: int) -> bool:
            after = replace(FIRST, building=IndexGeneration(number + 2, OTHER), highest_number=number + 2)
            try:
                index_generations.write(TENANT, after, FIRST)
            except errors.Conflict:
                return False
            return True

        changed = race(8, change)
        assert changed.count(True) == 1
        stored = index_generations.read(TENANT)
    assert stored is not None
    assert stored.highest_number == changed.index(True) + 2


def test_one_of_several_processes_changes_an_index_generation(shared_place: Place) -> None:
    with opened(shared_place) as index_generations:
        index_generations.write(TENANT, FIRST, None)
        changed = race_processes(3, begin, shared_place)
        stored = index_generations.read(TENANT)
    assert changed.count(True) == 1
    assert stored is not None
    assert stored.building is not None
    assert stored.building.model.name == f"model {changed.index(True)}"
