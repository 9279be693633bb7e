"""Suites share code through `tests/support` alone, and the rule finds what it forbids."""

from dataclasses import replace
from pathlib import PurePath

import pytest

from tests.shape.source import parsed
from tests.shape.structure import folder_sizes
from tests.shape.suites import SUPPORT, foreign_imports, modules_of_tests
from tests.shape.vocabulary import retired_first_lines, retired_identifiers

BROKEN = [
    ("tests/server/entry/rest/test_a.py", "from tests.server.entry.gateway.probe import Probe"),
    ("tests/server/entry/rest/test_a.py", "import tests.server.entry.gateway.probe"),
    ("tests/server/entry/rest/test_a.py", "from tests.server.entry.gateway import probe"),
    ("tests/server/entry/rest/test_a.py", "from tests.server.entry import gateway"),
    ("tests/server/entry/rest/test_a.py", "from tests.server.entry.gateway.test_b import VALUE"),
    (
        "tests/server/entry/rest/conftest.py",
        "def stack() -> None:\n    from tests.server.entry.gateway.probe import Probe",
    ),
    ("tests/support/worlds/world.py", "from tests.server.entry.gateway.probe import Probe"),
    ("tests/conftest.py", "from tests.server.entry.gateway.probe import Probe"),
    ("bench/a.py", "from tests.server.entry.gateway.probe import Probe"),
]

KEPT = [
    ("tests/server/entry/rest/test_a.py", "from tests.server.entry.rest.api import Api"),
    ("tests/server/entry/rest/test_a.py", "from tests.support.worlds.world import World"),
    ("tests/server/entry/rest/test_a.py", "from tests.conftest import summary"),
    ("tests/support/worlds/world.py", "from tests.support.models.hashed_words import HashedWords"),
    ("tests/contract/stored/reading/a.py", "from .fixture import Fixture"),
    ("bench/a.py", "from tests.support.engines import dynamodb"),
]


def test_no_suite_imports_a_module_of_another_suite() -> None:
    found = [finding for source in modules_of_tests() for finding in foreign_imports(source)]
    assert not found, "\n" + "\n".join(found)


def test_the_rule_reads_suites_shared_code_and_benches() -> None:
    read = {source.name for source in modules_of_tests()}
    assert {"tests/shape/test_suites.py", f"tests/{SUPPORT}/worlds/world.py", "bench/scale.py"} <= read


@pytest.mark.parametrize(("name", "text"), BROKEN)
def test_the_rule_finds_an_import_from_another_suite(name: str, text: str) -> None:
    assert list(foreign_imports(parsed(name, text)))


@pytest.mark.parametrize(("name", "text"), KEPT)
def test_the_rule_allows_imports_of_shared_code_and_of_the_own_suite(name: str, text: str) -> None:
    assert not list(foreign_imports(parsed(name, text)))


def test_shared_code_holds_no_tests_and_no_conftest() -> None:
    names = [PurePath(source.name) for source in modules_of_tests() if source.name.startswith(f"tests/{SUPPORT}/")]
    assert names
    assert not [str(name) for name in names if name.name.startswith("test_") or name.name == "conftest.py"]


def test_folders_of_shared_code_have_3_to_12_entries() -> None:
    shared = [source for source in modules_of_tests() if source.name.startswith(f"tests/{SUPPORT}/")]
    assert not list(folder_sizes([replace(source, name=source.name.removeprefix("tests/")) for source in shared]))


def test_names_of_the_tests_and_benches_use_the_terms_of_the_glossary() -> None:
    assert [finding for source in modules_of_tests() for finding in retired_identifiers(source)] == []


def test_first_lines_of_docstrings_of_the_tests_and_benches_use_the_terms_of_the_glossary() -> None:
    assert [finding for source in modules_of_tests() for finding in retired_first_lines(source)] == []
