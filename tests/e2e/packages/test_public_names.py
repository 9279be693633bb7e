"""Public names of the packages, as VERSIONING.md lists them."""

import ast
import importlib
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from groundwire import dialects

ROOT: Final = Path(__file__).parents[3]
PAGE: Final = (ROOT / "VERSIONING.md").read_text(encoding="utf-8")
PACKAGES: Final = sorted(
    file.parent.name for file in ROOT.glob("*/*/groundwire*/__init__.py") if file.parts[-4] in {"layers", "tools"}
)
[_BLOCK] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LISTED: Final = {
    node.module: [alias.name for alias in node.names]
    for node in ast.parse(_BLOCK).body
    if isinstance(node, ast.ImportFrom) and node.module
}


def test_the_page_lists_each_package() -> None:
    assert sorted(LISTED) == PACKAGES


@pytest.mark.parametrize("package", PACKAGES)
def test_the_page_lists_each_public_name(package: str) -> None:
    module = importlib.import_module(package)
    assert sorted(LISTED[package]) == sorted(module.__all__)
    assert all(getattr(module, name) is not None for name in module.__all__)


@pytest.mark.parametrize("folder", [".", "layers/groundwire"])
def test_the_dialects_of_the_server_are_registered_by_entry_points(folder: str) -> None:
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"][dialects.ENTRY_POINTS]
    modules = {name: value.split(":") for name, value in points.items()}
    registered = {name: getattr(importlib.import_module(module), member) for name, (module, member) in modules.items()}
    assert registered == {dialect.name: dialect for dialect in dialects.DIALECTS}
