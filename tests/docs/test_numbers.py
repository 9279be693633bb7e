"""Every setting and every limit is on its page with its value; pages name no others."""

import re
import tomllib
from typing import Final

import pytest

from groundwire.domain import limits
from groundwire.settings.catalog import SETTING_GROUPS, SETTING_NAMES
from groundwire.settings.environment import read_settings
from groundwire.settings.index_service import INDEX_SERVICES
from tests.support.documentation.pages import EVERY_PAGE, ROOT, text_of
from tests.support.documentation.reference.limits_page import MissingTextError, limits_page

_SETTING: Final = re.compile(r"GROUNDWIRE_[A-Z_]+")
TEMPLATE: Final = (ROOT / "template.yaml").read_text(encoding="utf-8")


def test_a_limit_without_a_text_fails_the_page_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_NEW_THINGS", 7, raising=False)
    with pytest.raises(MissingTextError, match="MAX_NEW_THINGS"):
        limits_page()


def test_the_price_of_calls_of_unknown_paths_is_that_of_one_api_call_and_two_functions() -> None:
    price = tomllib.loads((ROOT / "bench" / "prices.toml").read_text(encoding="utf-8"))["per_unit"]
    call = price["http_api_call"] + 2 * price["lambda_call"]
    [rate] = re.findall(r"ThrottlingRate:\n    Type: Number\n    Default: (\d+)", TEMPLATE)
    page = text_of("what-there-is")
    assert f"A million calls of unknown paths by strangers cost {call * 1e6:.2f} dollars" in page
    assert f"default of {rate} a second limits these costs to about {call * int(rate) * 86_400:.0f} dollars" in page


KNOWN: Final = {f"GROUNDWIRE_{name}" for name in SETTING_NAMES}


def default_of(name: str) -> str:
    [setting] = [setting for group in SETTING_GROUPS for setting in group.settings if setting.name == name]
    return setting.shown_default


def test_every_setting_has_a_meaning_and_one_entry() -> None:
    entries = [setting for group in SETTING_GROUPS for setting in group.settings]
    assert len(entries) == len(SETTING_NAMES)
    assert all(setting.meaning.endswith(".") for setting in entries)


def test_defaults_of_settings_are_those_of_an_empty_environment() -> None:
    settings = read_settings({})
    assert default_of("THREADS") == f"`{settings.threads}`"
    assert default_of("LINK_SECONDS") == f"`{settings.link_seconds}`"
    assert default_of("PUBLIC_URL").startswith(f"`{settings.public_url}`")
    assert default_of("MODEL").startswith(f"`{settings.model.name}`")
    assert default_of("MODELS").startswith(f"`{settings.models.relative_to(ROOT)}`")
    assert default_of("HOME") == f"`{settings.home.name}`"
    assert not settings.allowed_origins
    assert not settings.ocr
    assert default_of("OCR") == "`off`"


def test_defaults_of_the_planner_are_those_of_a_planner_with_a_model_alone() -> None:
    planner = read_settings({"GROUNDWIRE_PLANNER": "openai:m"}).planner
    assert planner is not None
    assert planner.service is not None
    assert default_of("PLANNER_URL") == f"`{planner.service.url}`"
    assert default_of("PLANNER_API_VERSION") == f"`{planner.api_version}`"
    assert default_of("PLANNER_TIMEOUT_MS") == f"`{planner.timeout_seconds * 1000:.0f}`"
    assert default_of("PLANNER_TOKENS") == f"`{planner.tokens}`"
    assert default_of("PLANNER_TOKENS_PER_MINUTE") == f"`{planner.tokens_per_minute}`"
    assert default_of("PLANNER_TOKENS_PER_DAY") == f"`{planner.tokens_per_day}`"


def test_every_index_service_is_in_the_entry_of_its_setting() -> None:
    [entry] = [line for line in text_of("settings").splitlines() if line.startswith("* `GROUNDWIRE_INDEX_SERVICE`")]
    assert [service for service in INDEX_SERVICES if f"`{service}`" not in entry] == []


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


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    for page in EVERY_PAGE:
        named = {name for name in _SETTING.findall(page.read_text(encoding="utf-8")) if not name.endswith("_")}
        assert named <= KNOWN, page.name
