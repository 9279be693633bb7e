"""Each file of events/ goes through the built function that it is for, under Lambda's runtime, as
`sam local invoke McpFunction -e events/rag_search.json --env-vars stack.json` sends it."""

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from groundwire.domain.keys.auth_decision import AuthStatus
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment import lambda_function
from tests.support.aws.deployment.artifacts import ROOT, Artifact
from tests.support.aws.refusals.calls.gateway import AUTHORIZER_RULES, Decision
from tests.support.aws.refusals.rule import require_accepted
from tests.support.entry.command import Command

if TYPE_CHECKING:
    from tests.support.engines.lambda_runtime import Function

EVENTS: Final = ROOT / "events"
OTHERS: Final = {
    "authorizer": "AuthorizerFunction",
    "api": "ApiFunction",
    "azure": "ApiFunction",
    "ingestion": "IngestionFunction",
    "operator": "OperatorFunction",
    "parser": "ParserFunction",
    "sources": "SourcesFunction",
    "vertex": "ApiFunction",
    "opensearch": "ApiFunction",
}
"""Every other event but the embedding function's goes to /mcp."""
STATUSES: Final = {
    **dict.fromkeys(("initialize", "tools_list", "discover", "verify", "rag_search", "spoofed_headers"), 200),
    "mindset": 200,
    "foundry": 200,
    "no_key": 401,
    **dict.fromkeys(("tools_list_in_session", "delete_session"), 404),
}
Invoke = Callable[[str], Any]


def event(name: str) -> dict[str, Any]:
    return json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def invoke(deployment: Deployment, built: Mapping[str, Artifact]) -> Generator[Invoke]:
    """Sends an event to its function, which is started when the first one comes."""
    account, stack = deployment.account, deployment.stack
    started: dict[str, Function] = {}
    with ExitStack() as running:

        def answer(name: str) -> Any:
            function = OTHERS.get(name, "McpFunction")
            if function not in started:
                reported = {
                    **lambda_function.variables(account, stack, function),
                    "AWS_ENDPOINT_URL_LAMBDA": deployment.embedding.url,
                }
                started[function] = running.enter_context(lambda_function.function(account, built, function, reported))
            return started[function].invoke(event(name))

        yield answer


@pytest.mark.parametrize("name", sorted(STATUSES))
def test_an_event_of_mcp_is_answered_by_the_built_function(invoke: Invoke, name: str) -> None:
    answer = invoke(name)
    assert answer["statusCode"] == STATUSES[name], answer


def test_a_search_in_a_tenant_without_documents_finds_nothing(invoke: Invoke) -> None:
    answer = json.loads(invoke("rag_search")["body"])
    assert answer["result"]["segments"] == []


def test_the_built_authorizer_lets_every_call_through_and_admits_no_key_that_was_never_issued(invoke: Invoke) -> None:
    answer = invoke("authorizer")
    assert answer["isAuthorized"] is True
    assert answer["context"]["decision"] == AuthStatus.UNAUTHENTICATED
    require_accepted(AUTHORIZER_RULES, Decision(answer))


def test_the_built_rest_function_answers_the_status_of_a_tenant(invoke: Invoke) -> None:
    answer = invoke("api")
    assert answer["statusCode"] == 200, answer
    assert json.loads(answer["body"])["tenant"] == "t_0123456789abcdef"


def test_the_built_rest_function_answers_a_dialect_in_the_form_of_its_system(invoke: Invoke) -> None:
    answer = invoke("vertex")
    assert (answer["statusCode"], json.loads(answer["body"])["error"]["status"]) == (404, "NOT_FOUND"), answer
    answer = invoke("azure")
    assert (answer["statusCode"], json.loads(answer["body"])["error"]["code"]) == (404, ""), answer
    answer = invoke("opensearch")
    reason = json.loads(answer["body"])["error"]["reason"]
    assert (answer["statusCode"], reason) == (404, "no such index [handbook]"), answer


def test_the_built_ingestion_function_takes_an_object_of_a_tenant_that_is_not_there_from_the_queue(
    invoke: Invoke,
) -> None:
    assert invoke("ingestion") == {"batchItemFailures": []}


def test_the_built_parser_function_reports_each_restriction_of_its_worker_and_a_lookup_of_its_network(
    invoke: Invoke,
) -> None:
    answer = invoke("parser")
    assert answer["isolation"] == "tenant"
    # The function runs on a kernel that refuses filters and has no Landlock, as Lambda's.
    assert [one["enforced"] for one in answer["confinement"]] == [False, False, True, True, True], answer
    # What comes of it is up to the resolver of this machine.
    assert answer["lookup"].keys() == {"name", "outcome", "detail"}
    assert "trial failed" not in answer["lookup"]["detail"]


def test_the_built_operator_function_lists_tenants(invoke: Invoke) -> None:
    answer = invoke("operator")
    assert answer["ok"] is True
    assert isinstance(answer["tenants"], list)


def test_the_built_sources_function_counts_a_call_and_sends_nothing_to_a_private_address(invoke: Invoke) -> None:
    answer = json.loads(invoke("sources"))
    assert answer["error"]["code"] == "source_unavailable", answer


def test_every_event_has_its_function() -> None:
    assert {file.stem for file in EVENTS.iterdir()} == {*STATUSES, *OTHERS, "embedding"}


def test_a_function_of_the_checkout_searches_the_stack_whose_variables_a_command_wrote(
    deployment: Deployment, tmp_path: Path
) -> None:
    groundwire = Command(tmp_path / "home", {})
    account, stack = deployment.account, tmp_path / "stack.json"
    services = {**account.credentials, "AWS_ENDPOINT_URL": account.url}
    groundwire("--stack", deployment.stack.name, "env", str(stack), **services).done()

    reported = {**services, "AWS_ENDPOINT_URL_LAMBDA": deployment.embedding.url}
    answer = groundwire("invoke", str(EVENTS / "rag_search.json"), "--env", str(stack), **reported).done().json

    assert answer["statusCode"] == 200, answer
    assert json.loads(answer["body"])["result"]["segments"] == []
