"""Lines of every tenant, for whoever has the home: what the index finds is what reading the whole log finds."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.machine_trail import MachineAuditTrail
from groundwire.domain.audit.selection import EVERY_LINE, AuditSelection
from tests.contract.audit.trails import records, selections
from tests.support.plugins.draws import examples

NAMES: Final = st.sampled_from(["a", "A", "b"])
RECORDS: Final = records(NAMES, st.sampled_from([1, 2, 3.5, None, 9])) | st.fixed_dictionaries(
    {"reason": NAMES, "time": st.sampled_from([1, 3.5])}, optional={"tenant": st.none()}
)
SELECTIONS: Final = selections(NAMES, st.sampled_from([1.0, 3.0, 3.5, 9.5, 10.0]))
_NUMBERS: Final = count()


def append(folder: Path, *lines: Mapping[str, Any]) -> None:
    audit = FileAudit(folder)
    for line in lines:
        audit.append(line)


def ignore_progress(_done: int, _size: int) -> None:
    """Progress without a reader."""


@given(
    batches=st.lists(st.lists(RECORDS, max_size=12), max_size=3), selection=SELECTIONS, most=st.sampled_from([1, 3, 99])
)
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_latest_lines_that_match_are_those_of_the_whole_log(
    tmp_path: Path, batches: list[list[dict[str, Any]]], selection: AuditSelection, most: int
) -> None:
    folder = tmp_path / str(next(_NUMBERS))
    for batch in batches:
        append(folder, *batch)
        matching = [line for line in FileAudit(folder).read_all() if selection.matches(line)]
        assert MachineAuditTrail(folder, 5).latest(selection, most, ignore_progress) == matching[-most:]


def test_only_the_lines_that_match_are_read(folder: Path) -> None:
    append(folder, *({"tenant": f"t_{number % 3}", "user": f"u{number}"} for number in range(100)))
    trail = MachineAuditTrail(folder)
    assert len(trail.latest(EVERY_LINE, 5, ignore_progress)) == 5
    log = folder / "audit.jsonl"
    first, *between, last = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first + b"\n" * len(b"".join(between)) + last)
    wanted = AuditSelection(None, None, "u99", None, None, None, None)
    assert [line["user"] for line in trail.latest(wanted, 5, ignore_progress)] == ["u99"]


def test_the_progress_of_the_index_is_reported_and_the_next_query_needs_no_indexing(folder: Path) -> None:
    append(folder, *({"tenant": "t_1", "user": f"u{number}"} for number in range(10)))
    heard = list[tuple[int, int]]()
    trail = MachineAuditTrail(folder, 4)
    trail.latest(EVERY_LINE, 1, lambda done, size: heard.append((done, size)))
    size = (folder / "audit.jsonl").stat().st_size
    assert [total for _, total in heard] == [size, size]
    assert 0 < heard[0][0] < heard[1][0] < size
    trail.latest(EVERY_LINE, 1, lambda done, size: heard.append((done, size)))
    assert len(heard) == 2


def test_a_home_without_a_log_has_no_lines_and_gets_no_index(tmp_path: Path) -> None:
    assert MachineAuditTrail(tmp_path).latest(EVERY_LINE, 1, ignore_progress) == []
    assert list(tmp_path.iterdir()) == []
