"""Catalog of settings: an entry and its field are a whole setting."""

from dataclasses import fields
from typing import Any, Final, get_type_hints

import pytest
from pydantic import TypeAdapter, ValidationError

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.domain.search.relevance import ModelFits
from groundwire.settings import environment
from groundwire.settings.catalog import SETTING_GROUPS
from groundwire.settings.catalog.parsers import whole_number
from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup
from groundwire.settings.catalog.sign_in import SignIn
from groundwire.settings.embedding_service import EmbeddingService
from groundwire.settings.index_service import IndexService
from groundwire.settings.query_planner import PlannerSettings

NAMED: Final[dict[str, Any]] = {
    each.__name__: each for each in (IdentityProvider, ModelFits, EmbeddingService, IndexService, PlannerSettings)
}
"""Types that the module of `Settings` imports for its annotations only."""
FULL: Final = {
    "GROUNDWIRE_RERANKER": "some",
    "GROUNDWIRE_IMAGE_MODEL": "/clip",
    "GROUNDWIRE_OCR": "eng+deu",
    "GROUNDWIRE_TESSDATA": "/data",
    "GROUNDWIRE_ENRICHER": "program",
    "GROUNDWIRE_ALLOWED_ORIGINS": "https://app.example.com",
    "GROUNDWIRE_BIND_HOST": "127.0.0.1",
    "GROUNDWIRE_TRUSTED_PROXIES": "10.0.0.5 10.1.0.0/16",
    "GROUNDWIRE_DIALECTS": "default",
    "GROUNDWIRE_OPEN_DISCOVERY": "foundry",
    "GROUNDWIRE_OAUTH_ISSUER": "https://id.example",
    "GROUNDWIRE_OAUTH_AUDIENCE": "here",
    "GROUNDWIRE_OAUTH_TENANT": "t_1",
    "GROUNDWIRE_OAUTH_USER_CLAIM": "sub",
    "GROUNDWIRE_EGRESS_ALLOW": "models.example.com:8443",
    "GROUNDWIRE_EGRESS_CA": "/ca.pem",
    "GROUNDWIRE_INDEX": "https://index.example",
    "GROUNDWIRE_INDEX_USER": "reader",
    "GROUNDWIRE_INDEX_PASSWORD": "word",
    "GROUNDWIRE_EMBEDDER": "bedrock:cohere.embed-v4:0",
    "GROUNDWIRE_EMBEDDER_MODEL": "own/384",
    "GROUNDWIRE_PLANNER": "openai:m",
    "GROUNDWIRE_MODEL_HOSTS": "models.example.com",
}


def test_the_groups_give_each_field_of_the_settings_once() -> None:
    given = [field for group in SETTING_GROUPS for field in group.members({})]
    assert sorted(given) == sorted(field.name for field in fields(environment.Settings))


def test_values_of_the_catalog_have_the_types_of_their_fields() -> None:
    """Values get to their fields by name, where no type checker looks."""
    assert wrong_types(environment.read_settings({})) == []
    read = environment.read_settings(FULL)
    assert wrong_types(read, read.sign_in, read.egress, read.planner, read.index_service, read.embedding_service) == []
    assert wrong_types(read.egress._replace(allowed={"models.example.com"})) == ["allowed"]  # pyright: ignore[reportArgumentType]


def wrong_types(*objects: object) -> list[str]:
    """Return the fields whose value has not the type of the field."""
    hints = ((each, get_type_hints(type(each), localns=NAMED)) for each in objects)
    return [
        name for each, of_fields in hints for name, hint in of_fields.items() if not has_type(getattr(each, name), hint)
    ]


def has_type(value: object, hint: Any) -> bool:
    if hint is SignIn:
        # Its fields are checked like those of the settings.
        return isinstance(value, SignIn)
    try:
        TypeAdapter(hint).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def test_one_entry_is_a_whole_setting() -> None:
    entry = Setting("RETRIES", "Attempts of a call.", whole_number(1, 9), "retries", "3")
    group = SettingGroup(Audience.SERVER_OPERATOR, "Calls", (entry,))
    assert (group.members({}), entry.shown_default) == ({"retries": 3}, "`3`")
    assert group.members({"GROUNDWIRE_RETRIES": ""}) == {"retries": 3}
    assert group.members({"GROUNDWIRE_RETRIES": "7"}) == {"retries": 7}
    with pytest.raises(InvalidInput, match=r"^GROUNDWIRE_RETRIES must be a whole number of 1 to 9, not '10'\.$"):
        group.members({"GROUNDWIRE_RETRIES": "10"})
