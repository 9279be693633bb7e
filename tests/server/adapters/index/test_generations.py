"""Index generations, as other processes and later starts see them."""

from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.adapters.local.index.store import generations
from groundwire.domain import errors
from groundwire.ports import ModelId
from tests.support.documents.index_documents import ANYONE, MODEL, OTHER, TENANT, documents, put, put_in, readable


@pytest.fixture
def other_place(folder: Path) -> Generator[EmbeddedIndexes]:
    opened = EmbeddedIndexes(folder, MODEL)
    yield opened
    opened.close()


def test_an_existing_index_keeps_its_own_model_whatever_is_configured(folder: Path, indexes: EmbeddedIndexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["text"])
    stranger = EmbeddedIndexes(folder, ModelId("configured", 8))
    assert stranger.for_tenant(TENANT).model == MODEL
    assert readable(stranger.for_tenant(TENANT), ANYONE) == {"d"}
    stranger.close()


def test_a_swap_is_seen_in_another_process_at_the_next_call(
    indexes: EmbeddedIndexes, other_place: EmbeddedIndexes
) -> None:
    put(indexes.for_tenant(TENANT), "old", ["text"])
    held = other_place.for_tenant(TENANT)
    assert readable(held, ANYONE) == {"old"}
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    assert documents(other_place.for_tenant(TENANT)) == {"new"}
    assert readable(held, ANYONE) == {"old"}


def test_a_next_generation_that_another_process_started_is_continued(
    indexes: EmbeddedIndexes, other_place: EmbeddedIndexes
) -> None:
    put_in(indexes.start_generation(TENANT, OTHER), "first", "text")
    put_in(other_place.start_generation(TENANT, OTHER), "second", "text")
    other_place.swap(TENANT)
    assert documents(indexes.for_tenant(TENANT)) == {"first", "second"}


def test_a_generation_that_another_process_abandoned_is_empty_when_started_again(
    indexes: EmbeddedIndexes, other_place: EmbeddedIndexes
) -> None:
    put_in(indexes.start_generation(TENANT, OTHER), "lost", "text")
    other_place.abandon(TENANT)
    assert indexes.start_generation(TENANT, OTHER).count_rows() == 0


def test_the_files_of_the_previous_generation_are_deleted(folder: Path, indexes: EmbeddedIndexes) -> None:
    put(indexes.for_tenant(TENANT), "old", ["confidential severance"])
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    indexes.close()
    assert {file.name for file in (folder / TENANT).iterdir()} == {"index-1.db", generations.POINTER_FILE}


def test_what_a_crash_in_a_swap_leaves_behind_goes_when_the_index_is_opened(
    folder: Path, indexes: EmbeddedIndexes, other_place: EmbeddedIndexes
) -> None:
    put(indexes.for_tenant(TENANT), "old", ["text"])
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    generations.set_live(folder / TENANT, 1)
    assert documents(indexes.for_tenant(TENANT)) == {"new"}
    assert documents(other_place.for_tenant(TENANT)) == {"new"}
    assert not (folder / TENANT / "index.db").exists()


@pytest.mark.parametrize("content", [b"", b"0\n", b"1", b"-1\n", b"one\n", b"\xff"])
def test_a_damaged_pointer_is_reported_and_can_be_dropped(
    folder: Path, indexes: EmbeddedIndexes, content: bytes
) -> None:
    put(indexes.for_tenant(TENANT), "d", ["text"])
    (folder / TENANT / generations.POINTER_FILE).write_bytes(content)
    with pytest.raises(errors.Unavailable, match=r"index\.generation is damaged"):
        indexes.for_tenant(TENANT)
    indexes.drop(TENANT)
    assert indexes.for_tenant(TENANT).count_rows() == 0


def test_a_damaged_index_can_be_swapped_away(folder: Path, file: Path, indexes: EmbeddedIndexes) -> None:
    put(indexes.for_tenant(TENANT), "d", ["text"])
    indexes.close()
    file.write_bytes(b"\xff" * 8192)
    put_in(indexes.start_generation(TENANT, OTHER), "new", "text")
    indexes.swap(TENANT)
    assert documents(indexes.for_tenant(TENANT)) == {"new"}
    assert not file.exists()
