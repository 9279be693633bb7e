"""An index of another model is filled beside the one that answers, and takes its place in one step."""

from contextlib import suppress

import pytest

from groundwire.domain import errors
from groundwire.ports import Indexes, ModelId
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import ANYONE, MODEL, OTHER, TENANT, documents, put, put_in, readable

pytestmark = EVERY_SERVICE


def test_the_next_generation_is_filled_while_the_present_one_answers(indexes: Indexes) -> None:
    put(indexes.for_tenant(TENANT), "old", ["text"])
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    assert indexes.for_tenant(TENANT).model == MODEL
    assert readable(indexes.for_tenant(TENANT), ANYONE) == {"old"}
    assert documents(indexes.start_generation(TENANT, OTHER)) == {"new"}


def test_an_index_exists_from_its_first_document_until_it_is_dropped(indexes: Indexes) -> None:
    assert not indexes.exists(TENANT)
    assert not indexes.exists(TENANT)
    put(indexes.for_tenant(TENANT), "first", ["text"])
    assert indexes.exists(TENANT)
    put_in(indexes.start_generation(TENANT, OTHER), "first", "text")
    indexes.swap(TENANT)
    assert indexes.exists(TENANT)
    indexes.drop(TENANT)
    assert not indexes.exists(TENANT)


def test_after_the_swap_the_next_generation_answers_with_its_own_model(indexes: Indexes) -> None:
    put(indexes.for_tenant(TENANT), "old", ["text"])
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    assert indexes.for_tenant(TENANT).model == OTHER
    assert documents(indexes.for_tenant(TENANT)) == {"new"}
    put_in(indexes.for_tenant(TENANT), "newer", "text")
    assert documents(indexes.for_tenant(TENANT)) == {"new", "newer"}


def test_generations_follow_one_another(indexes: Indexes) -> None:
    for number, model in enumerate([OTHER, MODEL, OTHER]):
        put_in(indexes.start_generation(TENANT, model), f"d{number}", "text")
        indexes.swap(TENANT)
        assert indexes.for_tenant(TENANT).model == model
        assert documents(indexes.for_tenant(TENANT)) == {f"d{number}"}


def test_without_a_next_generation_there_is_nothing_to_swap(indexes: Indexes) -> None:
    put(indexes.for_tenant(TENANT), "old", ["text"])
    with pytest.raises(errors.NotFound):
        indexes.swap(TENANT)
    assert readable(indexes.for_tenant(TENANT), ANYONE) == {"old"}


def test_the_next_generation_is_of_one_model_until_it_is_given_up(indexes: Indexes) -> None:
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    with pytest.raises(errors.Conflict, match=r"other \(8 dimensions\)"):
        indexes.start_generation(TENANT, ModelId("third", 8))
    indexes.abandon(TENANT)
    indexes.abandon(TENANT)
    assert indexes.start_generation(TENANT, ModelId("third", 8)).count_rows() == 0
    assert indexes.for_tenant(TENANT).model == MODEL


def test_what_is_given_up_cannot_be_swapped_in(indexes: Indexes) -> None:
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.abandon(TENANT)
    with pytest.raises(errors.NotFound):
        indexes.swap(TENANT)


def test_a_next_generation_that_was_started_is_known_until_it_answers_or_is_given_up(indexes: Indexes) -> None:
    assert indexes.building_generation(TENANT) is None
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    started = indexes.building_generation(TENANT)
    assert started is not None
    assert (started.model, documents(started)) == (OTHER, {"new"})
    indexes.swap(TENANT)
    assert indexes.building_generation(TENANT) is None
    indexes.start_generation(TENANT, MODEL)
    indexes.abandon(TENANT)
    assert indexes.building_generation(TENANT) is None


def test_a_search_that_holds_the_old_generation_ends_with_it_or_learns_that_another_answers(indexes: Indexes) -> None:
    old = indexes.for_tenant(TENANT)
    put(old, "old", ["text"])
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    assert documents(indexes.for_tenant(TENANT)) == {"new"}
    with suppress(errors.Superseded):
        assert readable(old, ANYONE) == {"old"}


def test_nothing_is_written_where_nobody_reads_it_any_more(indexes: Indexes) -> None:
    old, given_up = indexes.for_tenant(TENANT), indexes.start_generation(TENANT, OTHER)
    put(old, "old", ["text"])
    indexes.abandon(TENANT)
    with pytest.raises(errors.Unavailable):
        put_in(given_up, "lost", "text")
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    with pytest.raises(errors.Unavailable):
        old.prune("old", None)


def test_dropping_takes_every_generation(indexes: Indexes) -> None:
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    put_in(indexes.start_generation(TENANT, MODEL), "newer", "text")
    assert indexes.drop(TENANT) == 1
    with pytest.raises(errors.NotFound):
        indexes.swap(TENANT)
    assert indexes.for_tenant(TENANT).model == MODEL
    assert indexes.for_tenant(TENANT).count_rows() == 0


def test_inspection_names_the_model_of_the_live_index_and_creates_none(indexes: Indexes) -> None:
    assert indexes.inspect(TENANT) is None
    assert not indexes.exists(TENANT)
    put(indexes.for_tenant(TENANT), "old", ["text"])
    put_in(indexes.start_generation(TENANT, OTHER), "old", "text")
    facts = indexes.inspect(TENANT)
    assert facts is not None
    assert (facts.model, facts.defect) == (f"{MODEL.name}/{MODEL.dimension}", None)
    indexes.swap(TENANT)
    facts = indexes.inspect(TENANT)
    assert facts is not None
    assert facts.model == f"{OTHER.name}/{OTHER.dimension}"
