"""Every number and every setting has its row, and the row is right."""

import ast
import re
from collections.abc import Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Final

from groundwire.adapters.aws.dynamodb.documents import items, transaction
from groundwire.adapters.parse.sandbox.process import ParserLimits
from groundwire.domain import limits
from groundwire.domain.errors import InvalidInput
from groundwire.entry.local_server import application
from groundwire.settings.environment import read_settings
from groundwire.settings.index_service import INDEX_SERVICES
from tests.support.documentation.pages import EVERY_PAGE, ROOT, row_of, rows, text_of

_SETTING: Final = re.compile(r"GROUNDWIRE_[A-Z_]+")
_FOR_BOTH: Final = tuple(
    f"GROUNDWIRE_{name}"
    for name in (
        "PUBLIC_URL",
        "LINK_SECONDS",
        "DIALECTS",
        "OPEN_DISCOVERY",
        "ALLOWED_ORIGINS",
        "OAUTH_",
        "RERANKER",
        "RELEVANCE_FITS",
        "PLANNER",
        "MODEL_HOSTS",
        "OCR",
        "THREADS",
        "EMBEDDER",
        "IMAGE_MODEL",
        "INDEX",
    )
)
"""Settings of the template that one machine has, too."""
_OF_A_STACK: Final = frozenset({"GROUNDWIRE_INDEX_SECRET", "GROUNDWIRE_PLANNER_SECRET"})
"""On one machine, the login and the key stand in the settings."""
_NOT_PER_DOCUMENT: Final = {"documents_per_worker", "recycle_above_mb", "start_seconds"}
TEMPLATE: Final = (ROOT / "template.yaml").read_text(encoding="utf-8")


def numbers(module: ModuleType) -> dict[str, int]:
    """The constants of a module that are numbers."""
    return {name: int(value) for name, value in vars(module).items() if name.isupper() and type(value) in (int, float)}


def public(module: ModuleType) -> dict[str, int]:
    return {name: value for name, value in numbers(module).items() if not name.startswith("_")}


def tables() -> list[Mapping[str, int]]:
    """Name and number, table by table."""
    parts = text_of("limits").split("| name |")[1:]
    return [{row[0].strip("`"): int(row[1]) for row in rows(part) if row[0].startswith("`")} for part in parts]


def test_every_limit_has_its_row_with_its_number() -> None:
    own, gateways, parsers, records = tables()
    assert own == numbers(limits)
    assert gateways == public(application)
    assert records == public(items) | public(transaction)
    assert parsers == {name: value for name, value in asdict(ParserLimits()).items() if name not in _NOT_PER_DOCUMENT}


def known_settings() -> set[str]:
    """The variables that are accepted: every word of the module that a refusal does not call unknown."""
    source = (ROOT / "layers/groundwire/groundwire/settings/environment.py").read_text(encoding="utf-8")
    words = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    return {f"GROUNDWIRE_{word}" for word in words if isinstance(word, str) and word.isupper() and _is_known(word)}


def _is_known(word: str) -> bool:
    try:
        read_settings({f"GROUNDWIRE_{word}": "1"})
    except InvalidInput as problem:
        return not str(problem).startswith("Unknown setting")
    return True


def test_every_setting_has_its_row_and_no_other_has_one() -> None:
    documented = {name for row in rows(text_of("settings")) for name in _SETTING.findall(row[0])}
    assert len(documented) > 1
    of_the_cloud = {
        name for name in _SETTING.findall(TEMPLATE) if not name.startswith(_FOR_BOTH) or name in _OF_A_STACK
    }
    assert documented == known_settings() - of_the_cloud


def test_defaults_of_settings_are_those_of_an_empty_environment() -> None:
    settings, page = read_settings({}), text_of("settings")
    assert f"`{settings.threads}`" == row_of(page, "GROUNDWIRE_THREADS")[1]
    assert f"`{settings.link_seconds}`" == row_of(page, "GROUNDWIRE_LINK_SECONDS")[1]
    assert f"`{settings.public_url}`" in row_of(page, "GROUNDWIRE_PUBLIC_URL")[1]
    assert f"`{settings.model.relative_to(ROOT)}`" in row_of(page, "GROUNDWIRE_MODEL")[1]
    assert f"`{settings.home.name}`" == row_of(page, "GROUNDWIRE_HOME")[1]
    assert not settings.allowed_origins


def test_every_index_service_is_in_the_row_of_its_setting() -> None:
    row = " ".join(row_of(text_of("settings"), "GROUNDWIRE_INDEX_SERVICE"))
    assert [service for service in INDEX_SERVICES if f"`{service}`" not in row] == []


def test_every_variable_of_the_template_and_of_make_is_named() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    own = re.findall(r"^(?:export )?([A-Z_]+) \?=", makefile, re.MULTILINE)
    assert {"PORT", "PYTHON"} <= set(own)
    for name in [*_SETTING.findall(TEMPLATE), *own]:
        assert f"`{name}`" in text_of("settings")


def test_every_variable_that_serving_sets_is_named_with_its_value() -> None:
    source = (ROOT / "layers/groundwire/groundwire/entry/cli/server/commands.py").read_text(encoding="utf-8")
    fixed = re.findall(r'setdefault\("([A-Z_]+)", "(\w+)"\)', source)
    assert fixed
    for name, value in fixed:
        assert f"`{name}`" in text_of("settings")
        assert f"`{value}`" in text_of("settings")


def test_no_page_names_a_setting_that_nothing_knows() -> None:
    for page in EVERY_PAGE:
        named = {name for name in _SETTING.findall(page.read_text(encoding="utf-8")) if not name.endswith("_")}
        assert named <= known_settings(), page.name
