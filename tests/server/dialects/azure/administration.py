"""Definitions of the office: its administrator's calls, and bodies that are right."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.services.call_context import CallContext
from tests.server.dialects.azure.office import APRIL_2026, AUGUST_2025, MAY_2025, Office
from tests.support.worlds.world import READ, Answer, caller

SECRET: Final = "sk-marmalade-4711"
REPRESENTATION: Final = {"prefer": "return=representation"}


def admin(office: Office, user: str = "ana") -> dict[str, str]:
    """The headers of the administrator, who acts for a user."""
    key = office.world.acting_key(office.tenant, scopes=READ | {Scope.ADMIN})
    return caller(key, user)


def call_of(office: Office) -> CallContext:
    """A call of nobody in particular, to look at what is stored."""
    principal = Principal(office.tenant, None, frozenset())
    return CallContext(Caller.from_key(office.key.key, principal, frozenset(), TagSource.KEY, now=0))


def address(kind: str, name: str | None = None, version: str = APRIL_2026) -> str:
    """The address of a definition, or of the list."""
    quoted = "" if name is None else f"('{name}')"
    return f"/{kind}{quoted}?api-version={version}"


def model(
    key: str | None = SECRET, uri: str = "https://models.example", deployment: str = "small", **more: object
) -> dict[str, Any]:
    """An entry of `models`."""
    parameters = {"resourceUri": uri, "deploymentId": deployment, "modelName": "gpt-x", "apiKey": key}
    return {"kind": "azureOpenAI", "azureOpenAIParameters": {**parameters, **more}}


def source(name: str, collection: str, **parameters: object) -> dict[str, Any]:
    """A knowledge source."""
    return {
        "name": name,
        "kind": "searchIndex",
        "description": f"All of {name}.",
        "searchIndexParameters": {"searchIndexName": collection, **parameters},
    }


def base(name: str, *sources: str, **members: object) -> dict[str, Any]:
    """A knowledge base."""
    return {"name": name, "knowledgeSources": [{"name": each} for each in sources], **members}


def agent(version: str, name: str, *targets: str, **members: object) -> dict[str, Any]:
    """An agent of one of the two versions."""
    if version == MAY_2025:
        named: dict[str, Any] = {"targetIndexes": [{"indexName": each} for each in targets]}
    else:
        assert version == AUGUST_2025
        named = {"knowledgeSources": [{"name": each} for each in targets]}
    return {"name": name, "models": [model()], **named, **members}


def put(
    office: Office,
    kind: str,
    body: Mapping[str, Any],
    version: str = APRIL_2026,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """The answer to a PUT by the administrator, or with these headers."""
    sent = {**admin(office), **(headers or {})}
    return office.send("PUT", address(kind, body["name"], version), body, sent)


def stored(office: Office, kind: str, body: Mapping[str, Any], version: str = APRIL_2026) -> dict[str, Any]:
    """The definition after a write that succeeds."""
    answer = put(office, kind, body, version)
    assert answer.status in {200, 201}, answer.payload
    return answer.payload


def message_of(answer: Answer) -> str:
    """The message of an error in Azure's form."""
    error = answer.payload["error"]
    assert {"code", "message"} <= error.keys() <= {"code", "message", "details"}
    return error["message"]
