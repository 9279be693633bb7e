"""What a start, a call, a request and a package cost is held in counts, and no count rises or falls unseen."""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shape.budgets import __main__ as command
from tests.shape.budgets.budget import Budget, findings, lowered, reset, unexplained_rises
from tests.shape.budgets.budget_file import (
    MODULES,
    PATH,
    pinned,
    read_budgets,
    read_modules,
    written,
    written_modules,
)
from tests.shape.budgets.measures import Measured, measure

HELD = {"calls.search": {"calls": Budget(1000), "files": Budget(49)}}


@pytest.fixture(scope="module")
def measured() -> Measured:
    here = (f"{sys.version_info.major}.{sys.version_info.minor}", f"{platform.system()} {platform.machine()}")
    if here != pinned(PATH.read_text(encoding="utf-8")):
        pytest.skip(
            f"the counts of tests/shape/budgets.toml hold for another Python or machine than {' on '.join(here)}"
        )
    return measure()


def new_modules(measured: Measured) -> Iterator[str]:
    listed = read_modules(MODULES.read_text(encoding="utf-8"))
    for function, imported in measured.modules.items():
        if new := sorted(imported - listed.get(function, set())):
            yield f"modules that {function} did not import before: {', '.join(new)}"


def test_every_count_keeps_its_budget(measured: Measured) -> None:
    found = list(findings(read_budgets(PATH.read_text(encoding="utf-8")), measured.counts))
    if any(": own_" in finding for finding in found):
        found += new_modules(measured)
    assert not found, "\n" + "\n".join(found)


def test_every_function_of_the_template_has_a_budget(measured: Measured) -> None:
    functions = {app.parent.name for app in PATH.parents[2].glob("functions/*/app.py")}
    assert {f"cold_start.{name}" for name in functions} <= measured.counts.keys()


def test_modules_that_a_function_did_not_import_before_are_named() -> None:
    listed = read_modules(MODULES.read_text(encoding="utf-8"))
    imported = {name: frozenset(modules) for name, modules in listed.items()}
    assert list(new_modules(Measured({}, imported))) == []

    more = {**imported, "mcp": imported["mcp"] | {"groundwire.b", "groundwire.a"}}
    assert list(new_modules(Measured({}, more))) == [
        "modules that mcp did not import before: groundwire.a, groundwire.b"
    ]


@pytest.mark.parametrize(
    ("calls", "files", "found"),
    [
        (1000, 49, []),
        (1020, 49, []),
        (980, 49, []),
        (1021, 49, ["calls rose from 1000 to 1021"]),
        (979, 49, ["calls fell from 1000 to 979"]),
        (1000, 50, ["files rose from 49 to 50"]),
        (1000, 48, ["files fell from 49 to 48"]),
    ],
)
def test_small_counts_are_exact_and_larger_ones_may_differ_by_two_percent(
    calls: int, files: int, found: list[str]
) -> None:
    sentences = list(findings(HELD, {"calls.search": {"calls": calls, "files": files}}))
    assert [sentence.partition(": ")[2].partition(".")[0] for sentence in sentences] == found


def test_a_count_without_a_budget_and_a_budget_without_a_count_are_found() -> None:
    sentences = list(findings(HELD, {"calls.search": {"calls": 1000}, "calls.new_key": {"calls": 3}}))
    assert [sentence.split(". ")[0] for sentence in sentences] == [
        "calls.new_key: calls is 3 and has no budget",
        "calls.search: files is not measured any more",
    ]


def test_the_command_lowers_counts_and_leaves_rises_to_a_person() -> None:
    held = {"calls.search": {"calls": Budget(1000, "blocks"), "files": Budget(40, "sources")}}
    assert lowered(held, {"calls.search": {"calls": 900, "files": 41}}) == {
        "calls.search": {"calls": Budget(900), "files": Budget(40, "sources")}
    }


def test_a_reset_writes_every_count_and_the_reason_beside_rises() -> None:
    counts = {"calls.search": {"calls": 999, "files": 50}, "calls.new_key": {"calls": 3}}
    assert reset(HELD, counts, "first measured") == {
        "calls.search": {"calls": Budget(999), "files": Budget(50, "first measured")},
        "calls.new_key": {"calls": Budget(3)},
    }


@pytest.mark.parametrize(
    ("after", "is_explained"),
    [
        (Budget(1000), True),
        (Budget(999), True),
        (Budget(1001), False),
        (Budget(1001, ""), False),
        (Budget(1001, "earlier"), False),
        (Budget(1001, "a search checks blocks"), True),
    ],
)
def test_a_raised_budget_needs_a_reason_of_its_own(after: Budget, *, is_explained: bool) -> None:
    before = {"calls.search": {"calls": Budget(1000, "earlier")}}
    assert bool(list(unexplained_rises(before, {"calls.search": {"calls": after}}))) is not is_explained


def test_budgets_and_modules_are_read_as_they_were_written() -> None:
    budgets = {"lines.server": {"ports": Budget(2000)}, "calls.search": {"calls": Budget(7, 'why "so"')}}
    modules = {"api": frozenset({"groundwire.a", "groundwire.b"}), "mcp": frozenset({"groundwire.b"})}
    assert read_budgets(written(budgets)) == budgets
    assert read_modules(written_modules(modules)) == modules


def test_a_rise_is_reported_and_the_list_of_modules_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    budgets, modules = tmp_path / "budgets.toml", tmp_path / "modules.txt"
    budgets.write_text(written(HELD), encoding="utf-8")
    counts = {"calls.search": {"calls": 900, "files": 50}}
    monkeypatch.setattr(command, "PATH", budgets)
    monkeypatch.setattr(command, "MODULES", modules)
    monkeypatch.setattr(command, "measure", lambda: Measured(counts, {"mcp": frozenset({"groundwire"})}))

    assert command.main([]) == 1
    assert "files rose from 49 to 50" in capsys.readouterr().out
    assert read_budgets(budgets.read_text(encoding="utf-8"))["calls.search"]["calls"] == Budget(900)
    assert not modules.exists()

    assert command.main(["--all", "first measured"]) == 0
    assert modules.read_text(encoding="utf-8") == "groundwire mcp\n"
