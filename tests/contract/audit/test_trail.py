"""Lines of the log by tenant: what the index finds is what reading the whole log finds."""

import json
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.trail import IndexedAuditTrail
from groundwire.domain.audit.selection import EVERY_LINE, AuditSelection, AuditTerm
from groundwire.domain.errors import InvalidInput, Unavailable
from tests.contract.audit.trails import OWN, pages, records, selections
from tests.support.plugins.draws import examples
from tests.support.registry.races import race

NAMES: Final = st.sampled_from(["a", "A", "b"])
RECORDS: Final = records(NAMES, st.sampled_from([1, 2, 3.5, None, 9]))
SELECTIONS: Final = selections(NAMES, st.sampled_from([1.0, 3.0, 3.5, 9.5, 10.0]))
_NUMBERS: Final = count()


def append(folder: Path, *records: Mapping[str, Any]) -> None:
    audit = FileAudit(folder)
    for record in records:
        audit.append(record)


def every_line(folder: Path, selection: AuditSelection) -> list[dict[str, object]]:
    lines = FileAudit(folder).read(1_000)
    return [line for line in lines if line["tenant"] == OWN and selection.matches(line)][::-1]


@given(
    batches=st.lists(st.lists(RECORDS, max_size=12), max_size=3),
    selection=SELECTIONS,
    steps=st.sampled_from([9, 999]),
    size=st.sampled_from([1, 500, 9_999]),
)
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_pages_have_each_line_that_matches_once_whatever_the_bounds(
    tmp_path: Path, batches: list[list[dict[str, Any]]], selection: AuditSelection, steps: int, size: int
) -> None:
    folder = tmp_path / str(next(_NUMBERS))
    FileAudit(folder)
    trail = IndexedAuditTrail(folder, most_lines=5, most_steps=steps, most_bytes=size)
    for batch in [[], *batches]:
        append(folder, *batch)
        found = [line for page in pages(trail, selection) for line in page]
        assert found == every_line(folder, selection)


@pytest.fixture
def trail(folder: Path) -> IndexedAuditTrail:
    return IndexedAuditTrail(folder, most_lines=1_000, most_steps=50)


def test_a_page_ends_after_a_number_of_look_ups_and_the_next_one_continues(
    folder: Path, trail: IndexedAuditTrail
) -> None:
    append(folder, {"tenant": OWN, "user": "ann", "kid": "k"})
    append(folder, *({"tenant": OWN, **({"user": "ann"} if n % 2 else {"kid": "k"})} for n in range(200)))
    selection = AuditSelection("k", None, "ann", None, None, None, None)
    found = list(pages(trail, selection))
    assert [len(page) for page in found if page] == [1]
    assert len(found) > 3


def test_a_page_ends_at_its_size_and_the_next_one_continues(folder: Path) -> None:
    append(folder, *({"tenant": OWN, "n": number, "documents": ["d" * 600]} for number in range(5)))
    append(folder, {"tenant": OWN, "documents": ["d" * 9_000]})
    trail = IndexedAuditTrail(folder, most_lines=1_000, most_steps=1_000, most_bytes=2_000)
    found = list(pages(trail, EVERY_LINE, 1_000))
    assert [len(page) for page in found] == [1, 2, 2, 1]
    assert [line for page in found for line in page] == every_line(folder, EVERY_LINE)


def test_a_page_reads_its_own_lines_and_not_the_whole_log(folder: Path, trail: IndexedAuditTrail) -> None:
    append(folder, *({"tenant": OWN, "user": f"u{n}"} for n in range(100)))
    assert len(trail.page(OWN, EVERY_LINE, None, 5).lines) == 5
    log = folder / "audit.jsonl"
    first, *between, last = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first + b"\n" * len(b"".join(between)) + last)
    selection = AuditSelection(None, None, "u99", None, None, None, None)
    assert [line["user"] for line in trail.page(OWN, selection, None, 5).lines] == ["u99"]
    # What the index names is read again: the log decides.
    assert [line["user"] for line in trail.page(OWN, EVERY_LINE, None, 5).lines] == ["u99"]


def test_the_first_page_is_empty_until_the_index_has_every_line(folder: Path) -> None:
    append(folder, *({"tenant": OWN, "user": f"u{n}"} for n in range(10)))
    slow = IndexedAuditTrail(folder, most_lines=4, most_steps=50)
    page = slow.page(OWN, EVERY_LINE, None, 2)
    assert (page.lines, page.is_complete) == ((), False)
    sizes = [len(each) for each in pages(slow, EVERY_LINE, 2)]
    assert (sizes[0], sum(sizes)) == (0, 10)


def _same_code(_tenant: str, _term: AuditTerm) -> int:
    return 7


def test_a_line_of_another_tenant_is_no_row_even_if_its_terms_collide(
    folder: Path, trail: IndexedAuditTrail, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("positions", "index_file"):
        monkeypatch.setattr(f"groundwire.adapters.local.audit.{module}.term_code", _same_code)
    append(folder, {"tenant": "t_other", "user": "ann"}, {"tenant": OWN, "user": "ben"})
    assert [line["user"] for line in trail.page(OWN, EVERY_LINE, None, 5).lines] == ["ben"]


def test_a_log_that_was_moved_away_is_indexed_again_and_its_cursors_end(folder: Path, trail: IndexedAuditTrail) -> None:
    append(folder, *({"tenant": OWN, "user": f"u{n}"} for n in range(5)))
    after = trail.page(OWN, EVERY_LINE, None, 2).next_after
    for name in ("audit.jsonl", "audit.head"):
        (folder / name).rename(folder / f"old-{name}")
    append(folder, {"tenant": OWN, "user": "new", "status": 200})
    assert [line["user"] for line in trail.page(OWN, EVERY_LINE, None, 9).lines] == ["new"]
    assert [month.calls for month in trail.usage(OWN).months] == []
    with pytest.raises(InvalidInput, match="first page"):
        trail.page(OWN, EVERY_LINE, after, 2)


def test_a_log_whose_end_was_replaced_is_indexed_again(folder: Path, trail: IndexedAuditTrail) -> None:
    append(folder, *({"tenant": OWN, "user": f"u{n}"} for n in range(5)))
    assert len(trail.page(OWN, EVERY_LINE, None, 9).lines) == 5
    log = folder / "audit.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2]) + json.dumps({"tenant": OWN, "user": "other"}).encode() + b"\n")
    found = trail.page(OWN, EVERY_LINE, None, 9).lines
    assert [line["user"] for line in found] == ["other", "u1", "u0"]


def test_an_incomplete_line_is_a_row_when_it_is_complete(folder: Path, trail: IndexedAuditTrail) -> None:
    append(folder, {"tenant": OWN, "user": "ann"})
    with (folder / "audit.jsonl").open("ab") as log:
        log.write(b'{"tenant":"t_own",')
        log.flush()
        assert len(trail.page(OWN, EVERY_LINE, None, 9).lines) == 1
        log.write(b'"user":"ben"}\n')
    assert [line["user"] for line in trail.page(OWN, EVERY_LINE, None, 9).lines] == ["ben", "ann"]


def test_a_damaged_index_is_built_again(folder: Path, trail: IndexedAuditTrail) -> None:
    append(folder, *({"tenant": OWN, "user": f"u{n}"} for n in range(5)))
    trail.page(OWN, EVERY_LINE, None, 9)
    for file in folder.glob("audit-index.db*"):
        file.write_bytes(b"no database at all" * 1_000)
    with suppress(Unavailable):
        trail.page(OWN, EVERY_LINE, None, 9)
    assert len(trail.page(OWN, EVERY_LINE, None, 9).lines) == 5


def test_calls_at_once_count_each_line_once(folder: Path) -> None:
    append(folder, *({"tenant": OWN, "tool": "rag_search", "status": 200, "time": 1} for _ in range(40)))
    race(8, lambda _: IndexedAuditTrail(folder, 7, 50).usage(OWN))
    [month] = IndexedAuditTrail(folder, 100, 50).usage(OWN).months
    assert (month.month, month.calls) == ("1970-01", {"rag_search": 40})


def test_a_home_without_a_log_has_no_lines(folder: Path, trail: IndexedAuditTrail) -> None:
    assert trail.page(OWN, EVERY_LINE, None, 5) == ((), None, True)
    assert trail.usage(OWN) == ((), True)
    assert not list(folder.glob("*"))


def test_no_tenant_learns_how_many_lines_of_others_the_index_lacks(tmp_path: Path) -> None:
    def first_answers(lines_of_another: int) -> tuple[object, object]:
        folder = tmp_path / str(lines_of_another)
        folder.mkdir()
        append(folder, {"tenant": OWN}, *({"tenant": "t_other", "user": f"u{n}"} for n in range(lines_of_another)))
        slow = IndexedAuditTrail(folder, most_lines=4, most_steps=50)
        page = slow.page(OWN, EVERY_LINE, None, 2)
        return page._replace(next_after=None), slow.usage(OWN)

    assert first_answers(20) == first_answers(50)
