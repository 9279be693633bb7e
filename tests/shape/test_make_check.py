"""`make check` runs every check of `make test`, and the same tests, but for suites that are proven."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.plugins.durations import read, table

_ROOT: Final = Path(__file__).parents[2]
_PLUGIN: Final = "-p tests.support.plugins.proofs.plugin"


def commands(target: str) -> str:
    """Return what `make` would run, from an environment that is installed."""
    order = ["make", "--dry-run", "--no-print-directory", target]
    return subprocess.run(order, cwd=_ROOT, capture_output=True, text=True, check=True).stdout


def run_of(target: str) -> str:
    """Return the command with which the target runs tests, without the number of durations that it prints."""
    [run] = re.findall(r"^\S*/python -m pytest .*$", commands(target), re.MULTILINE)
    return re.sub(r" --durations=\d+", "", run)


def test_make_check_runs_the_tests_of_make_test_without_a_proof() -> None:
    assert run_of("check") == f"{run_of('test')} {_PLUGIN}"


@pytest.mark.parametrize("target", ["test", "test-all", "tests"])
def test_no_run_of_all_tests_uses_proofs(target: str) -> None:
    assert "proofs" not in commands(target)


@pytest.mark.parametrize("target", ["check", "test", "test-all"])
@pytest.mark.parametrize("tool", ["ruff check", "ruff format --check", "pyright", "lint-imports"])
def test_it_runs_every_check(target: str, tool: str) -> None:
    assert f"/{tool}" in commands(target)


def test_the_table_of_durations_has_the_minutes_of_each_folder_and_the_longest_tests(tmp_path: Path) -> None:
    report = tmp_path / "durations.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="tests.server.entry.rest.test_a" name="one" time="90"/>'
        '<testcase classname="tests.server.entry.rest.test_a" name="two" time="30.4"/>'
        '<testcase classname="tests.server.adapters.index.test_b" name="three" time="60"/></testsuite></testsuites>'
    )
    lines = list(table(read(report)))
    assert lines[2:5] == ["| server/entry/rest | 2 | 2.0 |", "| server/adapters/index | 1 | 1.0 |", "| all | 3 | 3.0 |"]
    assert lines[8] == "| tests/server/entry/rest/test_a.py::one | 90 |"
