"""A budget is raised only with a reason beside it, which git's history shows."""

import subprocess

import pytest

from tests.shape.budgets.budget import unexplained_rises
from tests.shape.budgets.budget_file import PATH, read_budgets

ROOT = PATH.parents[2]
NAME = str(PATH.relative_to(ROOT))


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def earlier_texts() -> list[str]:
    """Return the last two committed forms of the file, the newest first."""
    commits = git("log", "--first-parent", "-2", "--format=%H", "--", NAME).split()
    return [text for text in (git("show", f"{commit}:{NAME}") for commit in commits) if text]


def test_the_last_change_raised_no_budget_without_a_reason() -> None:
    text = PATH.read_text(encoding="utf-8")
    before = next((each for each in earlier_texts() if each != text), None)
    if before is None:
        pytest.skip("no earlier form of the budgets: this is no git checkout, or one without history")
    assert list(unexplained_rises(read_budgets(before), read_budgets(text))) == []
