"""Retrieval by queries that a model planned: the record of the activity, and the models of definitions."""

from collections.abc import Generator

import pytest

from tests.server.dialects.azure.administration import address, admin, agent, base, model, source
from tests.server.dialects.azure.office import (
    APRIL_2026,
    AUGUST_2025,
    AUGUST_2026,
    MAY_2025,
    MAY_2026,
    NOVEMBER_2025,
    Office,
    found_office,
    message,
    searches,
)
from tests.support.models.model_service import KEY, USAGE, ModelService, conversation_of, model_service
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import open_world

FOLLOW_UP = {"messages": [message("What does the pump need?"), message("Oil.", "assistant"), message("And the wheel?")]}
OWN_KEY = "sk-of-the-definition"


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[ModelService]:
    with model_service(tmp_path_factory.mktemp("model")) as running:
        running.planned = lambda _: {"queries": ["wheel spokes", "wheel pump cellar"]}
        yield running


def opened(service: ModelService, monkeypatch: pytest.MonkeyPatch, **settings: str) -> Generator[Office]:
    """An office on a server with these settings."""
    for name, value in {**service.allowed, **settings}.items():
        monkeypatch.setenv(f"GROUNDWIRE_{name}", value)
    with fresh_home() as home, open_world(home, monkeypatch) as world:
        yield found_office(world)


@pytest.fixture
def planning_office(service: ModelService, monkeypatch: pytest.MonkeyPatch) -> Generator[Office]:
    """An office whose server plans by the service."""
    yield from opened(service, monkeypatch, PLANNER="openai:small", PLANNER_URL=service.url, PLANNER_KEY=KEY)


@pytest.fixture
def defining_office(service: ModelService, monkeypatch: pytest.MonkeyPatch) -> Generator[Office]:
    """An office whose operator allows definitions to name the service, and has no model of the server's own."""
    yield from opened(service, monkeypatch, MODEL_HOSTS=f"models.example {service.host}")


COUNTS = {"inputTokens": USAGE[0], "outputTokens": USAGE[1]}
NAMED = {"modelName": "small"}
RECORDS = {
    MAY_2025: {"type": "ModelQueryPlanning", "id": 0, **COUNTS},
    AUGUST_2025: {"type": "modelQueryPlanning", "id": 0, **COUNTS},
    NOVEMBER_2025: {"type": "modelQueryPlanning", "id": 0, **COUNTS},
    MAY_2026: {"type": "modelQueryPlanning", "id": 0, **COUNTS, **NAMED},
    AUGUST_2026: {"type": "modelQueryPlanning", "id": 0, **COUNTS, "model": {**NAMED, "deploymentId": "small"}},
}


@pytest.mark.parametrize("version", RECORDS)
def test_the_planner_has_a_record_with_the_members_of_the_version(planning_office: Office, version: str) -> None:
    answer = planning_office.retrieve(FOLLOW_UP, version)
    record, *_ = answer["activity"]
    assert record.pop("elapsedMs") >= 0
    assert record == RECORDS[version]
    found = [each.get("query", each.get("searchIndexArguments")) for each in searches(answer)]
    assert [each["search"] for each in found] == ["wheel spokes", "wheel pump cellar"]


def test_queries_that_the_client_planned_and_single_questions_ask_no_model(
    planning_office: Office, service: ModelService
) -> None:
    single = {"messages": [message("Where is the wheel pump?")]}
    for body, version in (
        ({"intents": [{"type": "semantic", "search": "wheel"}]}, APRIL_2026),
        (single, MAY_2026),
    ):
        types = [each["type"] for each in planning_office.retrieve(body, version)["activity"]]
        assert "modelQueryPlanning" not in types
    assert service.requests == []


def test_a_model_that_fails_leaves_the_answer_of_the_rules_without_a_record(
    planning_office: Office, service: ModelService
) -> None:
    service.planned = lambda _: {"queries": "none"}
    answer = planning_office.retrieve(FOLLOW_UP, MAY_2026)
    assert len(service.requests) == 1
    assert answer["activity"][0]["type"] == "searchIndex"
    assert answer["references"]


def test_nothing_of_the_callers_credentials_leaves(planning_office: Office, service: ModelService) -> None:
    planning_office.retrieve(FOLLOW_UP, MAY_2026)
    [request] = service.requests
    sent = f"{request.target} {request.headers} {request.body!r}"
    for own in (planning_office.key.secret.reveal(), planning_office.tenant, "ana", "handbook"):
        assert own not in sent
    assert conversation_of(request)["messages"][-1] == {"role": "user", "text": "And the wheel?"}


def define(office: Office, uri: str, version: str = MAY_2026, key: str | None = OWN_KEY) -> str:
    """The name of a new agent or knowledge base with a model at this address."""
    headers = admin(office)
    given = model(key, uri, "their-deployment")
    if version == AUGUST_2025:
        written = source("all", "handbook")
        assert office.send("PUT", address("knowledgesources", "all", version), written, headers).status == 201
        body, kind = agent(version, "desk", "all", models=[given]), "agents"
    elif version == MAY_2025:
        body, kind = agent(version, "desk", "handbook", models=[given]), "agents"
    else:
        body, kind = base("desk", "handbook", models=[given]), "knowledgebases"
    answer = office.send("PUT", address(kind, "desk", version), body, headers)
    assert answer.status == 201, answer.payload
    return "desk"


@pytest.mark.parametrize("version", RECORDS)
def test_the_model_of_a_definition_plans_at_an_allowed_host_with_the_definitions_key(
    defining_office: Office, service: ModelService, version: str
) -> None:
    name = define(defining_office, service.url, version)
    record, *_ = defining_office.retrieve(FOLLOW_UP, version, name)["activity"]
    assert record["type"].lower() == "modelqueryplanning"
    if version == AUGUST_2026:
        assert record["model"] == {"modelName": "gpt-x", "deploymentId": "their-deployment"}
    [request] = service.requests
    assert request.target.startswith("/openai/deployments/their-deployment/chat/completions?api-version=")
    assert request.headers["api-key"] == OWN_KEY


def test_another_tenants_call_never_uses_the_definition(defining_office: Office, service: ModelService) -> None:
    define(defining_office, service.url)
    other = defining_office.world.tenant("birch")
    stranger = Office(defining_office.world, other, defining_office.world.acting_key(other))
    stranger.add("pump", "The other pump.", collection="desk")
    stranger.retrieve(FOLLOW_UP, MAY_2026, "desk")
    assert service.requests == []


@pytest.mark.parametrize(
    "host", ["localhost", "[::1]", "169.254.169.254", "10.0.0.8", "other.example", "models.example.evil.example"]
)
def test_a_host_that_the_operator_does_not_list_is_not_called(
    defining_office: Office, service: ModelService, host: str
) -> None:
    name = define(defining_office, f"https://{host}:{service.server.port}")
    answer = defining_office.retrieve(FOLLOW_UP, MAY_2026, name)
    assert answer["activity"][0]["type"] == "searchIndex"
    assert service.requests == []


def test_a_listed_host_at_a_private_address_is_not_called_without_the_operators_entry(
    service: ModelService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for office in opened(service, monkeypatch, MODEL_HOSTS=service.host, EGRESS_ALLOW=""):
        name = define(office, service.url)
        assert office.retrieve(FOLLOW_UP, MAY_2026, name)["activity"][0]["type"] == "searchIndex"
    assert service.requests == []


def test_without_a_host_list_no_definition_is_called_and_the_servers_own_model_plans(
    planning_office: Office, service: ModelService
) -> None:
    name = define(planning_office, service.url)
    record, *_ = planning_office.retrieve(FOLLOW_UP, AUGUST_2026, name)["activity"]
    assert record["model"] == {"modelName": "small", "deploymentId": "small"}
    [request] = service.requests
    assert request.target == "/chat/completions"
    assert OWN_KEY not in f"{request.headers} {request.body!r}"


def test_a_definition_without_a_key_is_not_called(defining_office: Office, service: ModelService) -> None:
    name = define(defining_office, service.url, key=None)
    assert defining_office.retrieve(FOLLOW_UP, MAY_2026, name)["activity"][0]["type"] == "searchIndex"
    assert service.requests == []


def test_no_key_is_logged_or_returned(
    defining_office: Office, service: ModelService, caplog: pytest.LogCaptureFixture
) -> None:
    name = define(defining_office, service.url)
    with caplog.at_level("DEBUG"):
        service.planned = lambda got: {"queries": [f"x\u0007{got.headers['api-key']}"]}
        answer = defining_office.retrieve(FOLLOW_UP, MAY_2026, name)
    assert "by rules" in caplog.text
    assert OWN_KEY not in caplog.text
    assert OWN_KEY not in str(answer)
