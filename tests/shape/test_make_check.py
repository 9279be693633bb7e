"""`make check` runs or names every folder of the tests."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

_ROOT: Final = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def commands() -> str:
    """What `make check` would run, from an environment that is installed."""
    order = ["make", "--dry-run", "--no-print-directory", "check"]
    return subprocess.run(order, cwd=_ROOT, capture_output=True, text=True, check=True).stdout


def test_it_runs_or_names_each_folder_of_the_tests_once(commands: str) -> None:
    [run] = re.findall(r"^\S*/pytest (.*)$", commands, re.MULTILINE)
    [named] = re.findall(r'^echo "make check left out of tests/: (.*)"$', commands, re.MULTILINE)
    taken = re.findall(r"\btests/(\w+)", run)
    folders = {file.parent.name for file in (_ROOT / "tests").glob("*/__init__.py")} - {"support"}
    assert sorted([*taken, *named.split()]) == sorted(folders)


def test_it_runs_every_check_that_make_test_runs(commands: str) -> None:
    for tool in ("ruff check", "ruff format --check", "pyright", "lint-imports"):
        assert f"/{tool}" in commands
