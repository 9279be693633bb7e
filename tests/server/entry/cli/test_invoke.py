"""`groundwire invoke` and `groundwire --stack NAME env`: a function of the checkout on a developer's machine."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.entry.cli.sample_events import invoke
from groundwire.entry.cli.sample_events.event_functions import function_of
from groundwire.entry.gateway.template import read_function
from tests.support.aws.template.variants import ROOT, TEMPLATE
from tests.support.entry.command import Command

EVENTS: Final = ROOT / "events"
FUNCTIONS: Final = {
    "authorizer": "AuthorizerFunction",
    "ingestion": "IngestionFunction",
    "operator": "OperatorFunction",
    "parser": "ParserFunction",
    "sources": "SourcesFunction",
    "embedding": "EmbeddingFunction",
    **dict.fromkeys(("api", "azure", "opensearch", "vertex"), "ApiFunction"),
}
"""Functions by event; every other event is a call of /mcp."""


def sample(name: str) -> dict[str, Any]:
    return json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(file.stem for file in EVENTS.iterdir()))
def test_the_function_of_an_event_follows_from_the_event(name: str) -> None:
    function = function_of(sample(name), ROOT / "template.yaml")

    assert function == FUNCTIONS.get(name, "McpFunction")
    assert read_function(ROOT / "template.yaml", function).file.is_file()


@pytest.mark.parametrize(
    ("event", "function"),
    [
        ({**sample("rag_search"), "routeKey": "POST /renamed"}, "McpFunction"),
        ({"Records": [{"body": '{"action": "tenant.sweep", "tenant": "t_0123456789abcdef"}'}]}, "OperatorFunction"),
        ({"sweep": True}, "IngestionFunction"),
        ({"nonce": "0123", "type": "pdf", "images": True, "thumbnails": False}, "ParserFunction"),
        ({"groundwire": "warm"}, "McpFunction"),
    ],
)
def test_orders_of_queues_and_schedules_and_a_route_of_another_name_find_their_function(
    event: Mapping[str, object], function: str
) -> None:
    assert function_of(event, ROOT / "template.yaml") == function


def test_a_call_is_answered_by_the_function_of_the_checkout_under_the_runtime_client(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    key = groundwire.acting_key(tenant)
    groundwire("events", str(tmp_path), "--user", "maria", KEY=key).done()

    answered = groundwire("invoke", str(tmp_path / "tools_list.json")).done().json

    assert answered["statusCode"] == 200
    assert "rag_search" in answered["body"]
    [line] = groundwire.json("audit", "list", "--last", "1")
    assert (line["tenant"], line["user"]) == (tenant, "maria")


@pytest.mark.usefixtures("tenant")
def test_a_function_that_fails_prints_the_error_of_lambda_and_exits_with_1(groundwire: Command, tmp_path: Path) -> None:
    event = tmp_path / "malformed.json"
    event.write_text('{"texts": 5, "kind": "query"}')

    failed = groundwire("invoke", str(event))

    assert failed.code == 1
    assert failed.json["errorType"] == "InvalidInput"


@pytest.mark.usefixtures("tenant")
def test_a_function_that_ends_without_an_answer_is_reported_at_once(groundwire: Command, tmp_path: Path) -> None:
    event, stack = tmp_path / "event.json", tmp_path / "stack.json"
    event.write_text('{"groundwire": "warm"}')
    stack.write_text(json.dumps({"McpFunction": {"PYTHONHOME": str(tmp_path)}}))

    failed = groundwire("invoke", str(event), "--env", str(stack))

    assert failed.code == 1
    assert "McpFunction ended with exit code 1" in failed.line


@pytest.mark.parametrize(
    ("content", "reported"),
    [
        ('{"detail": {}}', "This is no event of a function"),
        ("[]", "is not a JSON object"),
        ('{"action": "tenant.list"}', "OperatorFunction works on a stack only"),
        ('{"probe": "confinement"}', "ParserFunction works on a stack only"),
    ],
)
@pytest.mark.usefixtures("tenant")
def test_an_event_that_cannot_be_sent_is_refused_with_a_remedy(
    groundwire: Command, tmp_path: Path, content: str, reported: str
) -> None:
    event = tmp_path / "event.json"
    event.write_text(content)

    refused = groundwire("invoke", str(event))

    assert refused.code == 2
    assert reported in refused.line


@pytest.mark.parametrize(
    ("missing", "reported"), [("checkout", "the functions of a checkout"), ("client", "pip install awslambdaric")]
)
def test_what_the_command_needs_and_lacks_is_stated_in_one_line(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch, missing: str, reported: str
) -> None:
    if missing == "checkout":
        monkeypatch.setattr(invoke, "checkout_folder", lambda: None)
    else:
        monkeypatch.setattr(invoke, "find_spec", {"awslambdaric": None}.get)

    refused = groundwire("invoke", str(EVENTS / "rag_search.json"))

    assert refused.code == 2
    assert reported in refused.line


def test_variables_of_a_stack_need_a_stack(groundwire: Command) -> None:
    refused = groundwire("env")

    assert refused.code == 2
    assert "groundwire --stack NAME env stack.json" in refused.line


def test_every_function_of_the_template_can_be_named() -> None:
    functions = {name for name, one in TEMPLATE["Resources"].items() if one["Type"] == "AWS::Serverless::Function"}
    for name in functions:
        spec = read_function(ROOT / "template.yaml", name)
        assert (spec.name, spec.attribute, spec.memory_mb >= 1024) == (name, "handler", True)
