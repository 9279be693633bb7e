"""Verification of the log in parts: together they find what one verification finds, and count one tenant's lines."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.trail import IndexedAuditTrail
from groundwire.adapters.local.audit.verification import verify
from groundwire.domain.errors import InvalidInput
from tests.support.plugins.draws import examples

OWN: Final = "t_own"
LINES: Final = 9

Damage = Callable[[list[bytes]], list[bytes]]
DAMAGES: Final[dict[str, Damage]] = {
    "none": lambda lines: lines,
    "changed": lambda lines: [*lines[:4], lines[4].replace(b"rag_search", b"rag_sEarch"), *lines[5:]],
    "removed": lambda lines: [*lines[:4], *lines[5:]],
    "reordered": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "inserted": lambda lines: [*lines[:4], lines[1], *lines[4:]],
    "cut": lambda lines: lines[:-2],
    "torn": lambda lines: [*lines[:-1], lines[-1][:-4]],
}


@pytest.fixture
def log(audit: FileAudit, folder: Path) -> Path:
    for number in range(LINES):
        audit.append({"tenant": OWN if number % 3 else "t_other", "tool": "rag_search", "note": {"tenant": OWN}})
    return folder / "audit.jsonl"


def in_parts(folder: Path, most: int) -> tuple[int, str | None, int]:
    """Return the lines of the tenant, the problem and the number of parts."""
    trail = IndexedAuditTrail(folder, most_lines=100, most_steps=100, most_verified=most)
    lines, parts, after = 0, 0, None
    while True:
        part = trail.verify_part(OWN, after)
        lines, parts, after = lines + part.lines, parts + 1, part.next_after
        if after is None:
            return lines, part.problem, parts


@pytest.mark.parametrize("head_is_missing", [False, True])
@pytest.mark.parametrize("most", [1, 2, 4, LINES, 100])
@pytest.mark.parametrize("damage", DAMAGES)
def test_parts_find_what_one_verification_finds(log: Path, damage: str, most: int, *, head_is_missing: bool) -> None:
    log.write_bytes(b"".join(DAMAGES[damage](log.read_bytes().splitlines(keepends=True))))
    if head_is_missing:
        log.with_suffix(".head").unlink()
    whole = verify(log)
    lines, problem, _ = in_parts(log.parent, most)

    kind = None if whole.first_break is None else f"A line of the log {whole.first_break.kind.value}."
    assert problem == kind
    # A break at the end, that the head alone shows, is found after lines that are as they were written.
    intact = log.read_bytes().splitlines()[: whole.intact_lines]
    own = sum(json.loads(line)["tenant"] == OWN for line in intact)
    assert own <= lines <= own + 1


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 10_000), bit=st.integers(0, 7), most=st.integers(1, LINES))
def test_every_flipped_bit_is_found_in_parts(log: Path, position: int, bit: int, most: int) -> None:
    whole = log.read_bytes()
    changed = bytearray(whole)
    changed[position % len(whole)] ^= 1 << bit
    log.write_bytes(changed)
    try:
        assert in_parts(log.parent, most)[1] is not None
    finally:
        log.write_bytes(whole)


def test_each_part_reads_a_bounded_number_of_lines_and_the_lines_of_the_tenant_are_counted(log: Path) -> None:
    assert in_parts(log.parent, 4) == (6, None, 3)
    assert in_parts(log.parent, 100) == (6, None, 1)


def test_lines_that_are_written_between_two_parts_are_verified_too(log: Path, audit: FileAudit) -> None:
    trail = IndexedAuditTrail(log.parent, most_lines=100, most_steps=100, most_verified=LINES - 1)
    first = trail.verify_part(OWN, None)
    audit.append({"tenant": OWN, "tool": "fetch"})
    assert trail.verify_part(OWN, first.next_after) == (2, None, None)


def test_a_log_that_was_moved_away_between_two_parts_is_no_damage(log: Path) -> None:
    trail = IndexedAuditTrail(log.parent, most_lines=100, most_steps=100, most_verified=2)
    after = trail.verify_part(OWN, None).next_after
    log.rename(log.with_suffix(".old"))
    log.with_suffix(".head").unlink()
    with pytest.raises(InvalidInput, match="begin again"):
        trail.verify_part(OWN, after)
    assert trail.verify_part(OWN, None) == (0, None, None)
