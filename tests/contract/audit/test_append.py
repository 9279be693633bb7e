import json
import resource
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.audit import FileAudit
from groundwire.domain import errors
from tests.contract.audit.writers import fifty_lines
from tests.support.plugins.draws import examples
from tests.support.registry.races import race, race_processes

RECORD: dict[str, object] = {"tenant": "t-acme", "user": "größe", "tool": None, "bytes": 12, "documents": ["d-1@3"]}


def records(audit: FileAudit, last: int = 1_000) -> list[dict[str, object]]:
    own = [dict(record) for record in audit.read(last)]
    for record in own:
        del record["prev"], record["hash"]
    return own


def test_a_record_is_one_line_of_json_with_the_hash_of_the_line_before(audit: FileAudit, folder: Path) -> None:
    audit.append(RECORD)
    audit.append({"tool": "second"})
    first, second = map(json.loads, (folder / "audit.jsonl").read_text("utf-8").splitlines())
    assert {name: first[name] for name in RECORD} == RECORD
    assert second["prev"] == first["hash"]


class Odd:
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def _cycle() -> list[object]:
    inner: list[object] = []
    inner.append([inner, inner])
    return inner


class Lone(list[int]):
    """No plain list."""


@pytest.mark.parametrize(
    "value",
    [
        b"bytes",
        Odd(),
        {"b", "a"},
        frozenset([1, "a", None]),
        float("nan"),
        float("inf"),
        10**5_000,
        "\udcff\x00\n\r\u2028",
        {(1, 2): {3: Odd()}},
        _cycle(),
        object,
        Lone([1]),
        [[]] * 3,
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_value_in_a_record_keeps_its_line_from_being_written(audit: FileAudit, value: object) -> None:
    audit.append({"before": 1, "odd": value})
    audit.append(RECORD)
    assert [record.get("before") for record in audit.read(9)] == [1, None]
    assert audit.verify().is_intact


def test_a_value_that_json_cannot_hold_is_named_by_its_type_never_by_its_content(
    audit: FileAudit, folder: Path
) -> None:
    audit.append({"key": b"gw_live_secret", "tags": {"b", "a"}, "ratio": float("nan")})
    assert records(audit) == [{"key": "<bytes>", "tags": ["a", "b"], "ratio": "nan"}]
    assert b"secret" not in (folder / "audit.jsonl").read_bytes()


def test_members_that_are_named_like_the_chains_do_not_disturb_it(audit: FileAudit) -> None:
    audit.append({"prev": "forged", "hash": "forged", "tool": "x"})
    audit.append(RECORD)
    assert records(audit)[0] == {"record.prev": "forged", "record.hash": "forged", "tool": "x"}
    assert audit.verify().is_intact


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record=st.dictionaries(st.text(), json_values, max_size=5))
def test_any_record_makes_a_line_that_verifies(audit: FileAudit, record: dict[str, object]) -> None:
    before = audit.verify().intact_lines
    audit.append(record)
    assert audit.verify().intact_lines == before + 1
    assert audit.verify().is_intact


def test_the_last_records_are_read_oldest_first(audit: FileAudit) -> None:
    for number in range(500):
        audit.append({"number": number, "filling": "x" * 400})
    assert [record["number"] for record in audit.read(3)] == [497, 498, 499]
    assert [record["number"] for record in audit.read(400)] == list(range(100, 500))
    assert len(list(audit.read(10_000))) == 500
    assert list(audit.read(0)) == []


def test_an_audit_log_without_a_call_is_empty_and_intact(audit: FileAudit) -> None:
    assert list(audit.read(5)) == []
    assert (audit.verify().is_intact, audit.verify().intact_lines) == (True, 0)


def test_only_the_owner_can_read_the_log(audit: FileAudit, folder: Path) -> None:
    audit.append(RECORD)
    made = [folder, *folder.iterdir()]
    assert [path.stat().st_mode & 0o077 for path in made] == [0] * len(made)


def test_threads_append_whole_lines_to_one_chain(folder: Path) -> None:
    logs = [FileAudit(folder) for _ in range(8)]
    race(8, lambda number: [logs[number].append({"writer": number}) for _ in range(25)])
    assert logs[0].verify().intact_lines == 200
    assert logs[0].verify().is_intact


def test_processes_append_two_hundred_lines_to_one_chain(audit: FileAudit, folder: Path) -> None:
    race_processes(4, fifty_lines, folder)
    assert (audit.verify().intact_lines, audit.verify().is_intact) == (200, True)
    written = [(record["writer"], record["line"]) for record in audit.read(200)]
    assert sorted(written) == [(writer, line) for writer in range(4) for line in range(50)]


def test_a_full_disk_is_reported_and_leaves_the_log_as_it_was(audit: FileAudit, folder: Path) -> None:
    (folder / "audit.jsonl").symlink_to("/dev/full")
    with pytest.raises(errors.Unavailable, match=r"disk that holds .* is full"):
        audit.append(RECORD)
    (folder / "audit.jsonl").unlink()
    audit.append(RECORD)
    assert (audit.verify().intact_lines, audit.verify().is_intact) == (1, True)


@contextmanager
def files_of_at_most(size: int) -> Generator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_takes_only_a_part_of_a_line_keeps_none_of_it(audit: FileAudit, folder: Path) -> None:
    for _ in range(2):
        audit.append(RECORD)
    before = (folder / "audit.jsonl").read_bytes()
    with files_of_at_most(len(before) + 10), pytest.raises(errors.Unavailable, match="is full"):
        audit.append(RECORD)
    assert (folder / "audit.jsonl").read_bytes() == before
    audit.append(RECORD)
    assert (audit.verify().intact_lines, audit.verify().is_intact) == (3, True)


def test_moving_the_log_and_its_head_away_begins_a_new_chain(audit: FileAudit, folder: Path) -> None:
    audit.append(RECORD)
    for name in ("audit.jsonl", "audit.head"):
        (folder / name).rename(folder / f"2026-{name}")
    audit.append(RECORD)
    assert (audit.verify().intact_lines, audit.verify().is_intact) == (1, True)
