"""Tables on a terminal of 80 columns: nothing is cut off, neither a column nor a digit."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from groundwire.entry.cli import console
from tests.support.documents import beir
from tests.support.entry.command import Command
from tests.support.plugins.draws import examples

WIDTH = 80
COLUMNS = ["kid", "user", "created_at", "reason", "count"]
CELL = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=60)


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns without colours."""
    monkeypatch.setattr(
        console,
        "OUT",
        Console(force_terminal=True, color_system=None, width=WIDTH, highlight=False, soft_wrap=True),
    )


def test_the_audit_list_shows_every_column_and_whole_moments(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "elif@weirhaven.example", "-t", tenant, "--tag", "department:sales").done()
    [recorded] = groundwire.json("audit", "list", "--last", "1")
    header, *lines = groundwire("audit", "list", "--last", "1").done().out.splitlines()
    assert header.split() == ["time", "tenant", "user", "call", "status", "outcome"]
    shown = "".join(lines)
    assert tenant[:8] in shown
    assert recorded["action"] == "user.set"
    assert lines[0].split()[0].endswith("Z")
    assert "elif@weirh" in shown
    assert max(map(len, (header, *lines))) <= WIDTH


def test_an_explained_search_shows_every_rank_and_score(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--public", "-c", "shelf")
    shown = groundwire("search", "blue pump", "-t", tenant, "--explain").done().out
    [first] = groundwire.json("search", "blue pump", "-t", tenant, "--top-n", "1", "--explain")["passages"]
    assert "lexical  semantic  fused  rights  distinct  score  phrase  headline" in shown
    assert f"relevance {first['relevance']:.2f}" in shown
    assert f"{first['score']:.3f}" in next(line for line in shown.splitlines() if line.startswith("1 "))


def test_an_evaluation_shows_whole_means_and_intervals(groundwire: Command, tmp_path: Path) -> None:
    shown = groundwire("eval", str(beir.write(tmp_path / "small"))).done().out
    [row] = [line for line in shown.splitlines() if line.startswith("search")]
    assert row.count("1.0000 (1.000-1.000)") == 3


@given(rows=st.lists(st.tuples(CELL, CELL, CELL, CELL, CELL), min_size=1, max_size=3))
@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_letter_of_a_table_is_lost(capsys: pytest.CaptureFixture[str], rows: list[tuple[str, ...]]) -> None:
    table = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    console.print_rows(table, COLUMNS, as_json=False, empty_message="")
    shown = capsys.readouterr().out
    letters = sorted("".join("".join(row) for row in rows))
    without_labels = [line for line in shown.splitlines() if line.split()[:2] != ["kid", "user"]]
    found = sorted("".join(without_labels).replace(" ", ""))
    labels = sorted("".join(COLUMNS).replace("_", "") * len(rows))
    assert found in (letters, sorted(letters + labels))
