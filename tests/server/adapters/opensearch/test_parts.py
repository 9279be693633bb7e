"""A bulk goes in parts that every service takes."""

from groundwire.adapters.opensearch.write.bulk import MAX_BATCH_BYTES, BulkAction, batches


def write(size: int) -> BulkAction:
    return BulkAction("ü" * (size // 2), may_be_absent=False, repeatable=True)


def sizes(writes: list[BulkAction]) -> list[int]:
    return [sum(len(each.lines.encode()) for each in part) for part in batches(writes)]


def test_no_part_exceeds_the_limit_and_none_is_lost() -> None:
    writes = [write(1_600_000) for _ in range(7)]
    assert sizes(writes) == [4_800_000, 4_800_000, 1_600_000]
    assert [each for part in batches(writes) for each in part] == writes


def test_what_is_larger_by_itself_goes_alone() -> None:
    assert sizes([write(10), write(MAX_BATCH_BYTES + 2), write(10)]) == [10, MAX_BATCH_BYTES + 2, 10]


def test_many_small_ones_are_cut_by_their_number() -> None:
    assert [len(part) for part in batches(write(2) for _ in range(2_500))] == [1_000, 1_000, 500]


def test_nothing_to_write_is_no_part() -> None:
    assert list(batches([])) == []
