"""The table of all figures: what the benches measured, and what failed."""

import json
from pathlib import Path

import pytest

from bench import figures, scale
from bench.machine import this_machine
from bench.report import Goal, Report


def program(*goals: Goal) -> list[str]:
    """Return the arguments of a program that prints these goals as a bench does."""
    document = {
        "goals": [
            {
                "what": each.what,
                "measured": each.measured,
                "unit": each.unit,
                "anchor": each.anchor,
                "target": each.target,
                "met": each.met,
            }
            for each in goals
        ]
    }
    return ["-c", f"print({json.dumps(document, indent=2)!r})"]


def of_scale(tenth: float, everything: float) -> list[str]:
    return program(Goal(figures.TENTH_P50, tenth, "ms", "E", 20.0), Goal(figures.ALL_P50, everything, "ms", "E", 20.0))


def test_the_table_has_every_goal_of_every_bench_the_growth_and_the_counts_of_a_search() -> None:
    programs = {
        "fast": program(Goal("call", 1.0, "ms", "E 1 ms", 2.0)),
        figures.of_size(100): of_scale(2.0, 4.0),
        figures.of_size(1000): of_scale(4.0, 16.0),
    }
    report, failed = figures.run(programs, [100, 1000])

    assert failed == []
    measured = {goal.what: (goal.measured, goal.met) for goal in report.goals}
    assert measured["fast: call"] == (1.0, True)
    assert measured[f"{figures.TENTH_P50}: 1,000 segments / 100 segments"] == (2.0, True)
    assert measured[f"{figures.ALL_P50}: 1,000 segments / 100 segments"] == (4.0, False)
    assert measured["files of these functions"][0] > 10


def test_the_bench_of_scale_has_the_goals_whose_growth_is_shown() -> None:
    times = scale.Times([1.0, 2.0], 1.0, 1.0)
    names = {goal.what for goal in scale.goals(times, times, scale.Starts(1.0, 1.0, 1.0), 1.0)}
    assert {figures.TENTH_P50, figures.ALL_P50} <= names


def test_a_bench_that_fails_is_reported_and_the_others_are_measured() -> None:
    programs = {"broken": ["-c", "raise SystemExit('no such option')"], "fast": program(Goal("call", 1, "ms", "", 2))}

    report, failed = figures.run(programs, [])

    assert [(each.name, each.errors.strip()) for each in failed] == [("broken", "no such option")]
    assert report.goals[0].what == "fast: call"


def test_the_table_is_written_between_the_marks_of_the_page(tmp_path: Path) -> None:
    goals = [Goal("fast: call", 1.0, "ms", "E 1 ms", 2.0), Goal("slow: call", 3.0, "ms", "E 1 ms", 2.0)]
    text = figures.table(Report("figures", this_machine(), {}, goals, [], []), "2026-01-01", "abc")
    page = tmp_path / "benches.md"
    page.write_text(f"# Measure\n\n{figures.START}old\n{figures.END}\n## Next\n", encoding="utf-8")

    figures.write(page, text)

    written = page.read_text(encoding="utf-8")
    assert "| fast: call | 1.00 ms | ≤ 2.00 ms | yes | E 1 ms |\n" in written
    assert "| slow: call | 3.00 ms | ≤ 2.00 ms | no | E 1 ms |\n" in written
    assert "Measured on 2026-01-01 with commit `abc`" in written
    assert written.startswith("# Measure\n")
    assert written.endswith("\n## Next\n")
    assert "old" not in written


def test_a_page_without_marks_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "benches.md"
    page.write_text("# Measure\n", encoding="utf-8")

    with pytest.raises(ValueError, match="no marks"):
        figures.write(page, "| table |\n")
    assert page.read_text(encoding="utf-8") == "# Measure\n"


def test_every_bench_of_the_table_is_a_module_and_the_page_has_its_marks() -> None:
    modules = {Path(file).stem for file in figures.ROOT.glob("bench/*.py")} | {
        file.parent.name for file in figures.ROOT.glob("bench/*/__main__.py")
    }
    assert set(figures.BENCHES) <= modules
    page = figures.PAGE.read_text(encoding="utf-8")
    assert figures.START in page
    assert figures.END in page
