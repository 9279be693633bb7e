"""Members of results, and how lists share the room of an answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.dialects.foundry.results import (
    ListedItem,
    RankedList,
    falling_scores,
    file_path,
    fill_by_turns,
    image_items,
    passage_items,
)
from groundwire.dialects.foundry.strictness import IMAGE_THRESHOLDS, MAX_STRICTNESS, TEXT_THRESHOLDS, is_admitted
from groundwire.domain.limits import MAX_PASSAGES_PER_CALL
from groundwire.domain.search.request import SearchMode
from groundwire.services.documents.images.search import FoundImage
from groundwire.services.search.results import Passage
from tests.support.documents.passages import document, segment

UID = "doc-1.0123456789abcdef"
CHANCES = st.floats(0, 1)
RANKED = st.lists(st.tuples(st.none() | CHANCES, CHANCES), max_size=60)
ASCENDING = st.lists(CHANCES, min_size=MAX_STRICTNESS, max_size=MAX_STRICTNESS).map(sorted)


def listed(ranked: Sequence[tuple[float | None, float]], strictness: int, thresholds: Sequence[float]) -> RankedList:
    passages = [Passage(segment(f"s{n}", n), document(), score, relevance=own) for n, (own, score) in enumerate(ranked)]
    return RankedList(passage_items(passages, "dense"), strictness, thresholds)


def size(lists: Sequence[RankedList]) -> int:
    return sum(len(each.items) for each in lists)


def admitted(lists: Sequence[RankedList], room: int) -> list[RankedList]:
    """Return the items that have room and are relevant enough."""
    return [each.admitted() for each in fill_by_turns(lists, size, room)]


@given(RANKED)
def test_scores_never_rise_and_stay_between_0_and_1(ranked: list[tuple[float | None, float]]) -> None:
    scores = falling_scores(ranked)
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == len(ranked)
    assert all(0 <= score <= 1 for score in scores)


def test_a_score_is_the_least_relevance_so_far_and_the_fused_score_where_there_is_none() -> None:
    assert falling_scores([(0.5, 0.9), (0.7, 0.8), (None, 0.2), (0.1, 0.7)]) == [0.5, 0.5, 0.2, 0.1]


@given(RANKED, ASCENDING)
def test_each_step_of_strictness_is_a_part_of_the_one_before_in_the_same_order(
    ranked: list[tuple[float | None, float]], thresholds: list[float]
) -> None:
    before = [item.member for item in listed(ranked, 0, thresholds).items]
    for strictness in range(MAX_STRICTNESS + 1):
        [kept] = admitted([listed(ranked, strictness, thresholds)], 10_000)
        members = [item.member for item in kept.items]
        assert members == [each for each in before if each in members]
        assert len(members) == len(before) or strictness > 0
        before = members


@given(st.lists(RANKED, max_size=5), ASCENDING, st.integers(1, 60))
def test_each_step_is_a_part_of_the_one_before_where_the_answer_has_no_room_for_all(
    ranked: list[list[tuple[float | None, float]]], thresholds: list[float], room: int
) -> None:
    before: list[list[Any]] | None = None
    for strictness in range(MAX_STRICTNESS + 1):
        kept = admitted([listed(each, strictness, thresholds) for each in ranked], room)
        members = [[item.member for item in each.items] for each in kept]
        for now, earlier in zip(members, before or members, strict=True):
            assert now == [each for each in earlier if each in now]
        before = members


@given(st.lists(st.integers(0, 60), max_size=10), st.integers(1, 300))
def test_lists_are_filled_by_turns_with_the_best_of_each(counts: list[int], room: int) -> None:
    lists = [listed([(0.5, 0.5)] * count, 0, IMAGE_THRESHOLDS) for count in counts]
    kept = [len(each.items) for each in fill_by_turns(lists, size, room)]
    assert sum(kept) == min(room, sum(counts), MAX_PASSAGES_PER_CALL)
    # A list is shorter than another by more than one turn only because it has no more.
    assert all(own >= max(kept, default=0) - 1 or own == count for own, count in zip(kept, counts, strict=True))
    assert all(
        each.items == whole.items[: len(each.items)]
        for each, whole in zip(fill_by_turns(lists, size, room), lists, strict=True)
    )


def test_one_item_is_returned_however_long_it_is() -> None:
    [kept] = fill_by_turns([listed([(0.5, 0.5)] * 3, 0, IMAGE_THRESHOLDS)], lambda lists: 1_000 * size(lists), 10)
    assert len(kept.items) == 1


@pytest.mark.parametrize("thresholds", [*TEXT_THRESHOLDS.values(), IMAGE_THRESHOLDS])
def test_thresholds_ascend_between_0_and_1(thresholds: Sequence[float]) -> None:
    assert list(thresholds) == sorted(set(thresholds))
    assert len(thresholds) == MAX_STRICTNESS
    assert all(0 < each < 1 for each in thresholds)


def test_every_mode_of_search_has_thresholds() -> None:
    assert set(TEXT_THRESHOLDS) == set(SearchMode)


def test_an_unknown_relevance_is_admitted_at_every_step() -> None:
    assert all(is_admitted(None, step, IMAGE_THRESHOLDS) for step in range(MAX_STRICTNESS + 1))
    assert [is_admitted(IMAGE_THRESHOLDS[2], step, IMAGE_THRESHOLDS) for step in range(MAX_STRICTNESS + 1)] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("first", "last", "expected"), [(None, None, []), (3, None, [3]), (3, 3, [3]), (3, 5, [3, 4, 5])]
)
def test_page_numbers_are_all_pages_of_the_passage(first: int | None, last: int | None, expected: list[int]) -> None:
    passage = Passage(replace(segment("s", 0), page_first=first, page_last=last), document(), 0.5)
    [item] = passage_items([passage], "dense")
    assert item.member["page_numbers"] == expected


def test_an_image_has_a_number_its_page_and_what_is_written_on_it() -> None:
    image = FoundImage(document(), UID, 2, "A pump.", 7, 0.5, 0.4, "00" * 32)
    items: list[ListedItem] = image_items([image, replace(image, page=None, text="")])
    assert [dict(each.member) for each in items] == [
        {
            "content": "A pump.",
            "file_path": document().source_file_name,
            "chunk_id": "img-2",
            "image_id": UID,
            "score": 0.4,
            "page_numbers": [7],
            "vector_type": "image",
        },
        {
            "content": "",
            "file_path": document().source_file_name,
            "chunk_id": "img-2",
            "image_id": UID,
            "score": 0.4,
            "page_numbers": [],
            "vector_type": "image",
        },
    ]


@pytest.mark.parametrize(
    ("own", "expected"),
    [("host:/exports/manual.txt", "host:/exports/manual.txt"), ("elsewhere", "manual.txt"), (7, "manual.txt")],
)
def test_a_path_of_the_metadata_is_used_where_it_ends_in_the_files_name(own: str | float, expected: str) -> None:
    described = replace(document(), source_file_name="manual.txt", metadata={"file_path": own})
    assert file_path(described) == expected
