"""The import contracts cover the whole package."""

import tomllib
from typing import Any

from tests.shape.source import ROOT, name_of, paths

# How deep import-linter descends from an ancestor unless a contract names another depth.
DEFAULT_DEPTH = 10


def import_linter() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def test_siblings_are_free_of_circles_in_every_folder() -> None:
    [contract] = [one for one in import_linter()["contracts"] if one["type"] == "acyclic_siblings"]
    assert contract["ancestors"] == import_linter()["root_packages"]
    assert contract.keys() <= {"name", "type", "ancestors"}, "the contract leaves out a folder or an import"
    assert max(name_of(path).count("/") + 1 for path in paths()) <= DEFAULT_DEPTH


def test_imports_that_only_types_need_count() -> None:
    assert not import_linter().get("exclude_type_checking_imports", False)


def test_every_layer_is_in_the_contract_of_layers() -> None:
    [contract] = [one for one in import_linter()["contracts"] if one["type"] == "layers"]
    named = {name.strip() for line in contract["layers"] for name in line.split("|")}
    names = [name_of(path) for path in paths()]
    entries = {name.split("/")[1].removesuffix(".py") for name in names if name.startswith("groundwire/")} - {
        "__init__"
    }
    assert named == {f"groundwire.{entry}" for entry in entries}
