import json
import random
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.verification import BreakKind, ChainBreak, verify
from tests.support.plugins.draws import examples

LINES = 6


@pytest.fixture
def log(audit: FileAudit, folder: Path) -> Path:
    for number in range(1, LINES + 1):
        audit.append({"number": number, "tool": "rag_search"})
    return folder / "audit.jsonl"


def rewrite(log: Path, lines: list[bytes]) -> None:
    log.write_bytes(b"".join(lines))


def rehashed(line: bytes, **changes: object) -> bytes:
    """Return the line as an attacker who can compute the hash would write it."""
    members: dict[str, object] = {**json.loads(line), **changes}
    del members["hash"]
    body = json.dumps(members, separators=(",", ":")).encode()
    return body[:-1] + b',"hash":"' + sha256(body).hexdigest().encode() + b'"}\n'


def test_an_untouched_log_is_intact(log: Path) -> None:
    outcome = verify(log)
    assert (outcome.is_intact, outcome.intact_lines, outcome.problem) == (True, LINES, None)


@pytest.mark.parametrize("number", range(1, LINES + 1))
def test_a_changed_line_is_found(log: Path, number: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[number - 1] = lines[number - 1].replace(b"rag_search", b"rag_sEarch")
    rewrite(log, lines)
    outcome = verify(log)
    assert outcome.first_break == ChainBreak(number, BreakKind.CHANGED)
    assert (outcome.is_intact, outcome.intact_lines) == (False, number - 1)
    assert outcome.problem == f"line {number} was changed."


@pytest.mark.parametrize("number", range(1, LINES))
def test_a_line_that_was_changed_and_hashed_again_breaks_the_one_after_it(log: Path, number: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[number - 1] = rehashed(lines[number - 1], tool="other")
    rewrite(log, lines)
    assert verify(log).first_break == ChainBreak(number + 1, BreakKind.REMOVED)


def test_a_last_line_that_was_changed_and_hashed_again_is_not_the_one_that_the_head_knows(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[-1] = rehashed(lines[-1], tool="other")
    rewrite(log, lines)
    assert verify(log).first_break == ChainBreak(LINES, BreakKind.CHANGED)


@pytest.mark.parametrize("number", range(1, LINES))
def test_a_removed_line_is_found(log: Path, number: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    del lines[number - 1]
    rewrite(log, lines)
    assert verify(log).first_break == ChainBreak(number, BreakKind.REMOVED)


@pytest.mark.parametrize("number", range(1, LINES))
def test_two_lines_that_changed_places_are_found(log: Path, number: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines[number - 1], lines[number] = lines[number], lines[number - 1]
    rewrite(log, lines)
    assert verify(log).first_break == ChainBreak(number, BreakKind.REORDERED)


@pytest.mark.parametrize("number", range(1, LINES + 1))
def test_a_repeated_line_is_found(log: Path, number: int) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    lines.insert(number, lines[number - 1])
    rewrite(log, lines)
    assert verify(log).first_break == ChainBreak(number + 1, BreakKind.INSERTED)


@pytest.mark.parametrize("left", range(LINES))
def test_a_cut_tail_is_found(log: Path, left: int) -> None:
    rewrite(log, log.read_bytes().splitlines(keepends=True)[:left])
    assert verify(log).first_break == ChainBreak(left + 1, BreakKind.TRUNCATED)


def test_a_log_that_was_removed_whole_is_found(log: Path) -> None:
    log.unlink()
    assert verify(log).first_break == ChainBreak(1, BreakKind.TRUNCATED)


def test_a_cut_tail_stays_found_after_more_calls(log: Path, audit: FileAudit) -> None:
    rewrite(log, log.read_bytes().splitlines(keepends=True)[:3])
    audit.append({"number": 7})
    assert verify(log).first_break == ChainBreak(4, BreakKind.REMOVED)
    assert next(audit.read(2))["event"] == "audit_mended"


@pytest.mark.parametrize("content", [None, b"", b"garbage", b"9" * 99])
def test_a_head_that_is_missing_or_damaged_is_reported(log: Path, content: bytes | None) -> None:
    head = log.with_suffix(".head")
    if content is None:
        head.unlink()
    else:
        head.write_bytes(content)
    assert verify(log).first_break == ChainBreak(LINES, BreakKind.HEAD_MISSING)


def test_the_next_call_after_a_lost_head_continues_and_reports_it(log: Path, audit: FileAudit) -> None:
    log.with_suffix(".head").unlink()
    audit.append({"number": 7})
    assert verify(log).first_break == ChainBreak(LINES + 1, BreakKind.HEAD_RECREATED)
    mended, _ = audit.read(2)
    assert (mended["event"], mended["adopted_lines"], mended["head_was_lost"]) == ("audit_mended", LINES, True)


@settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_every_flipped_bit_breaks_the_log(log: Path, position: int, bit: int) -> None:
    whole = log.read_bytes()
    changed = bytearray(whole)
    changed[position % len(whole)] ^= 1 << bit
    log.write_bytes(changed)
    try:
        assert not verify(log).is_intact
    finally:
        log.write_bytes(whole)


def test_every_other_order_of_the_lines_is_found(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    for seed in range(50):
        shuffled = random.Random(seed).sample(lines, len(lines))
        rewrite(log, shuffled)
        assert verify(log).is_intact == (shuffled == lines)
