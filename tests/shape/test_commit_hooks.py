"""Hooks before a commit: tools of the checkout alone, and each finds what it is for."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Final, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

from tests.shape.source import ROOT

FILE: Final = ROOT / ".pre-commit-config.yaml"
INSTALLED: Final = ".venv/bin/"


class Hook(BaseModel):
    """A hook that installs nothing: `system` runs the entry as it is."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: str
    name: str
    entry: str
    language: Literal["system"]
    pass_filenames: bool = True
    types: list[str] = []
    require_serial: bool = False


class HookSource(BaseModel):
    """Hooks of this checkout; those of another repository would be downloaded."""

    model_config = ConfigDict(extra="forbid", strict=True)
    repo: Literal["local"]
    hooks: list[Hook]


class HookConfiguration(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", strict=True)
    repos: list[HookSource]


HOOKS: Final = {
    hook.id: hook
    for source in HookConfiguration.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8"))).repos
    for hook in source.hooks
}


def test_the_hooks_are_lint_types_and_the_rules_of_the_code() -> None:
    assert {name: hook.entry for name, hook in HOOKS.items()} == {
        "lint": "make lint",
        "types": f"{INSTALLED}pyright --project pyproject.toml",
        "shape": f"{INSTALLED}pytest -n 0 tests/shape",
    }
    assert [name for name, hook in HOOKS.items() if hook.pass_filenames] == ["types"]
    assert re.search("^lint:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", [name for name, hook in HOOKS.items() if hook.entry.startswith(INSTALLED)])
def test_a_hook_runs_a_tool_that_the_development_packages_install(name: str) -> None:
    tool, *_ = shlex.split(HOOKS[name].entry)
    assert (ROOT / tool).is_file()


def test_the_hook_for_types_finds_a_wrong_type_in_a_changed_file(tmp_path: Path) -> None:
    changed = tmp_path / "changed.py"
    for text, code in (("x: int = 1\n", 0), ('x: int = ""\n', 1)):
        changed.write_text(text, encoding="utf-8")
        order = [*shlex.split(HOOKS["types"].entry), str(changed)]
        assert subprocess.run(order, cwd=ROOT, capture_output=True, check=False, timeout=300).returncode == code
