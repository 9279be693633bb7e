"""Each package as a wheel of its own, built and installed without an index into an empty environment."""

import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.packages.installation import FOLDERS, PIP, ROOT, environment, run

NAMES: Final = [folder.relative_to(ROOT).as_posix() for folder in FOLDERS]
STANDARD_LIBRARY_ONLY: Final = ("groundwire-egress", "groundwire-mcp")
_EXAMPLE: Final = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def project(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_packages_have_one_version() -> None:
    assert {project(folder)["version"] for folder in (ROOT, *FOLDERS)} == {project(ROOT)["version"]}


def test_the_packages_ask_for_no_more_than_the_checkout_installs() -> None:
    checkout = project(ROOT)
    requested = {*checkout["dependencies"], *checkout["optional-dependencies"]["models"]}
    for folder in FOLDERS:
        package = project(folder)
        own_requests = {
            *package["dependencies"],
            *(each for extra in package.get("optional-dependencies", {}).values() for each in extra),
        }
        own = {each for each in own_requests if each.startswith("groundwire-")}
        assert own_requests - own <= requested, package["name"]
        assert {each.partition("==")[2] for each in own} <= {checkout["version"]}


def test_the_wheel_of_the_checkout_registers_the_dialects_of_the_server() -> None:
    registered = [project(folder)["entry-points"] for folder in (ROOT, ROOT / "layers" / "groundwire")]
    assert registered[0] == registered[1]


def test_packages_have_no_circular_dependency() -> None:
    own = {project(folder)["name"] for folder in FOLDERS}
    needs = {
        project(folder)["name"]: own & {each.partition("==")[0] for each in project(folder)["dependencies"]}
        for folder in FOLDERS
    }
    TopologicalSorter(needs).prepare()
    assert {name for name, needed in needs.items() if "groundwire-server" in needed} == {"groundwire-model-builder"}


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_an_installed_package_gives_each_of_its_public_names(folder: Path, python: Path, tmp_path: Path) -> None:
    [package] = (file.parent.name for file in folder.glob("*/__init__.py"))
    program = (
        f"import {package} as p; print(p.__file__, p.__version__, *(n for n in p.__all__ if getattr(p, n) is None))"
    )
    file, *rest = run(python, "-I", "-c", program, cwd=tmp_path).split()
    assert not Path(file).is_relative_to(ROOT)
    assert rest == [project(folder)["version"]]


def test_the_installed_server_registers_its_dialects(python: Path, tmp_path: Path) -> None:
    program = (
        "from importlib.metadata import distribution as d; from groundwire import dialects as own; "
        "found = d('groundwire-server').entry_points.select(group=own.ENTRY_POINTS); "
        "print(own.__file__, {point.load() for point in found} == set(own.DIALECTS))"
    )
    file, is_same = run(python, "-I", "-c", program, cwd=tmp_path).split()
    assert not Path(file).is_relative_to(ROOT)
    assert is_same == "True"


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_the_first_example_of_a_readme_prints_something(folder: Path, python: Path, tmp_path: Path) -> None:
    [example] = _EXAMPLE.findall((folder / "README.md").read_text(encoding="utf-8"))
    program = tmp_path / "example.py"
    program.write_text(example, encoding="utf-8")
    assert run(python, "-I", program, cwd=tmp_path).strip()


def test_the_core_and_the_client_install_without_any_package_of_others(wheels: Path, tmp_path: Path) -> None:
    python = environment(tmp_path / "venv")
    order = (*PIP, "--python", python, "install", "--quiet", "--no-index", "--find-links", wheels)
    run(*order, *STANDARD_LIBRARY_ONLY, cwd=wheels)
    assert (
        run(python, "-I", "-c", "import groundwire_egress as e; print(e.McpClient.__name__)", cwd=tmp_path)
        == "McpClient\n"
    )
