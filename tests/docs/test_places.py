"""Files, tests, packages and document formats that a page names exist."""

import ast
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from groundwire_readers import formats
from tests.support.documentation.pages import (
    EVERY_PAGE,
    GUIDES,
    README,
    ROOT,
    anchors,
    fragment_links,
    links,
    quoted,
    rows,
    section,
    text_of,
)

_PROOF: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_FILE: Final = re.compile(r"(?:[\w.-]+/)+(?:[\w-]+\.[a-z]+)?|[\w-]+\.(?:py|toml|yaml|lock)")
_PLACES: Final = (
    ROOT,
    ROOT / "layers/groundwire/groundwire",
    *(ROOT / "layers").iterdir(),
    *(ROOT / "tools").iterdir(),
)
_WORD: Final = re.compile(r"\w+")
THREAT_PAGES: Final = tuple(sorted((ROOT / "docs" / "threats").glob("*.md")))
_NOT_OF_THE_CHECKOUT: Final = (".vscode/", ".cursor/", "tenants/", ".cache/", "agent.py")
"""Files of a client, of the home folder, and what tests install."""


def test_every_dependency_has_its_row_and_no_other_has_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requested = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    names = {re.split(r"[\[<>=~! ]", requirement)[0].lower() for requirement in requested} - {"groundwire"}
    page = [row for row in rows(text_of("dependencies")) if row[0] != "package"]
    assert {row[0] for row in page} == names
    for name, why, size, licence, _ in page:
        assert why, name
        assert float(size) > 0, name
        assert licence, name


def test_every_bench_has_its_row() -> None:
    commands = [
        file for file in (ROOT / "bench").rglob("*.py") if "ArgumentParser(" in file.read_text(encoding="utf-8")
    ]
    modules = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__") for file in commands}
    assert {row[0].strip("`") for row in rows(text_of("benches")) if row[0].startswith("`bench.")} == modules


def functions_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("page", THREAT_PAGES, ids=lambda page: page.stem)
def test_every_threat_has_a_defence_and_tests_that_exist(page: Path) -> None:
    _, *threats = page.read_text(encoding="utf-8").split("\n## ")
    assert threats
    for threat in threats:
        heading, _, rest = threat.partition("\n\n")
        defence, *named = (part for part in rest.split("\n* ") if part.strip())
        assert not defence.startswith("* "), heading
        assert named, heading
        for file, name in _PROOF.findall(" ".join(named)):
            assert name in functions_in(file), f"{file}::{name}"
        assert len(_PROOF.findall(rest)) == len(named), heading


def test_the_page_of_threats_links_every_area() -> None:
    index = ROOT / "docs" / "threats.md"
    assert {index.parent / target for target in links(index)} >= set(THREAT_PAGES)


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.stem)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_heading_names_one_that_exists(page: Path) -> None:
    for target, name in fragment_links(page):
        if target.suffix == ".md":
            assert name in anchors(target), f"{target.relative_to(ROOT)}#{name}"


def linked_guides(page: Path) -> set[Path]:
    return {(page.parent / target).resolve() for target in links(page)} & set(GUIDES)


def test_every_guide_is_linked_from_the_readme_or_from_a_page_that_the_readme_links() -> None:
    linked = linked_guides(README)
    assert linked.union(*map(linked_guides, linked)) >= set(GUIDES[1:])


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    for name in quoted(page.read_text(encoding="utf-8")):
        if _FILE.fullmatch(name) and not name.startswith(_NOT_OF_THE_CHECKOUT):
            assert any((place / name).exists() for place in (*_PLACES, page.parent)), name


def formats_of(page: str) -> set[str]:
    """Return the extensions in the page's list of formats: a table in the guide, a sentence in the README."""
    if page == "formats":
        cells = [row[0] for row in rows(section(text_of(page), "Types")) if row[0] != "type"]
        return {name for cell in cells for name in _WORD.findall(cell)}
    readme = README.read_text(encoding="utf-8")
    [found] = re.findall(r"^\* Documents: (.*?)\.", readme, flags=re.MULTILINE | re.DOTALL)
    return set(_WORD.findall(found))


@pytest.mark.parametrize("page", ["README", "formats"])
def test_every_format_of_a_document_is_on_the_page(page: str) -> None:
    known = {value.extension for value in vars(formats).values() if isinstance(value, formats.Format)}
    assert known - formats_of(page) == set()


def test_the_guide_lists_no_format_that_is_refused() -> None:
    assert {name for name in formats_of("formats") if not formats.is_supported(f"file.{name}")} == set()
