"""Calls to MCP servers of other systems leave a stack from the function that is there for them, under its own role."""

import json
from typing import Any

import pytest

from groundwire.domain.limits import SOURCE_FAILURES
from tests.e2e.cloud.company import Company, founded
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.artifacts import ROOT

PRIVATE = "https://127.0.0.1/mcp"


@pytest.fixture(scope="module")
def acme(deployment: Deployment) -> Company:
    return founded(deployment, "acme")


def call(deployment: Deployment, tenant: str) -> Any:
    """Return the answer of the function to the sample event for a tenant."""
    event = json.loads((ROOT / "events" / "sources.json").read_text(encoding="utf-8"))
    event["target"]["tenant"] = tenant
    return json.loads(json.loads(deployment.invoked("SourcesFunction", json.dumps(event).encode())))


def test_the_function_may_count_calls_and_leaves_a_server_alone_that_does_not_answer(
    deployment: Deployment, acme: Company
) -> None:
    answers = [call(deployment, acme.tenant)["error"] for _ in range(SOURCE_FAILURES + 1)]
    assert {answer["code"] for answer in answers} == {"source_unavailable"}
    assert ["repeatedly" in answer["message"] for answer in answers] == [False] * SOURCE_FAILURES + [True]


def test_a_server_is_inspected_by_the_function_before_its_source_is_stored(
    deployment: Deployment, acme: Company
) -> None:
    deployment.embedding.requested.clear()
    body = {
        "name": "Tickets",
        "kind": "remote_mcp",
        "auth_type": "unauthenticated",
        "remote_mcp_parameters": {"server_url": PRIVATE},
    }
    headers = {"authorization": f"Bearer {acme.admin}"}
    answer = deployment.http.post("/edgeai/knowledgesources", json=body, headers=headers)
    assert (answer.status_code, "cannot be used" in answer.text) == (400, True), answer.text
    requested = [function for function, _ in deployment.embedding.requested]
    assert [deployment.stack.resources["SourcesFunction"] in function for function in requested] == [True]
