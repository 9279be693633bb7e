"""What is published speaks of the product alone: no build machine, no package index, nothing of how it was written."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.shape.source import ROOT

# Each pattern is written so that it does not find itself.
INDEXES = re.compile(r"\b(?:[p]ypi\.(?:org|python\.org)|[p]ythonhosted\.org|registry\.[n]pmjs\.)")
MACHINES = re.compile(r"(?<![\w.~/}-])/(?:[w]ork|[r]oot)/")
ORIGINS = re.compile(
    r"\b(?:[c]o-authored-by|[s]ub-?agents?|[h]elper agents?|as an [a]i|"
    r"(?:generated|written) (?:with|by) (?:[c]laude|[c]hatgpt|[c]opilot|[g]emini))\b",
    re.IGNORECASE,
)

FORBIDDEN = [
    (INDEXES, "name no package index: people install from the one that they have configured"),
    (MACHINES, "write paths relative to the checkout, or to a folder that the reader chooses"),
    (ORIGINS, "say what the product does and why, not how its text came about"),
]


@cache
def texts() -> list[tuple[str, str]]:
    """The files under version control by name; those that are not UTF-8 are no text."""
    # Ownership of the checkout does not matter to a reader.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [(name, ROOT / name) for name in listed.split("\0") if name]
    return [(name, text) for name, path in files if path.is_file() and (text := read(path)) is not None]


def read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def found(pattern: re.Pattern[str], name: str, text: str) -> list[str]:
    lines = enumerate(text.splitlines(), start=1)
    return [f"{name}:{number}: {hit[0]!r}" for number, line in lines if (hit := pattern.search(line))]


@pytest.mark.parametrize(("pattern", "advice"), FORBIDDEN, ids=["index", "machine", "origin"])
def test_no_published_file_speaks_of_anything_but_the_product(pattern: re.Pattern[str], advice: str) -> None:
    assert {"README.md", "pyproject.toml", "template.yaml"} <= {name for name, _ in texts()}
    hits = [hit for name, text in texts() for hit in found(pattern, name, text)]
    assert not hits, f"{advice}:\n" + "\n".join(hits)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (INDEXES, "curl https://{}.org/simple/".format("pypi")),
        (INDEXES, "https://files.{}.org/packages".format("pythonhosted")),
        (MACHINES, "see /{}/main/notes.md".format("work")),
        (MACHINES, "'/{}/.cache'".format("root")),
        (ORIGINS, "Co-{}: somebody".format("Authored-By")),
        (ORIGINS, "generated with {}".format("Claude")),
    ],
)
def test_a_line_that_does_is_found(pattern: re.Pattern[str], line: str) -> None:
    assert found(pattern, "a file", line)


@pytest.mark.parametrize("line", ["docs/work/plan.md", "{folder}/work/x", "an agent such as Claude Code", "/rooted/"])
def test_a_line_that_does_not_is_left_alone(line: str) -> None:
    assert not [hit for pattern, _ in FORBIDDEN for hit in found(pattern, "a file", line)]
