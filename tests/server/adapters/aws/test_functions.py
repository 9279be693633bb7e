"""The deployed functions over the tables, the secret and the audit log of the template, as the gateway calls them."""

import json

import boto3
import pytest

from groundwire import wiring
from groundwire.adapters.codecs.audit_line import GENESIS_HASH, parse_line
from groundwire.domain.errors import InvalidInput
from tests.server.adapters.aws.deployment import GROUP, Deployment, message


def test_a_client_shakes_hands_lists_and_leaves_and_each_call_is_a_line_of_one_chain(deployment: Deployment) -> None:
    started = deployment.answer(message("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={}))
    session = started["headers"]["mcp-session-id"]

    listed = deployment.answer(message("tools/list"), session=session)
    ended = deployment.answer(None, session=session, method="DELETE")
    deleted = deployment.answer(message("tools/list"), session=session)

    assert "rag_search" in {tool["name"] for tool in json.loads(listed["body"])["result"]["tools"]}
    assert (started["statusCode"], ended["statusCode"], deleted["statusCode"]) == (200, 204, 404)
    lines = [parse_line(line) for line in deployment.audit_lines()]
    reported = [json.loads(line) for line in deployment.audit_lines()]
    assert [one["sequence"] for one in reported] == [1, 2, 3, 4]
    assert {one["tenant"] for one in reported} == {"t_acme"}
    chain = [(line.prev, line.hash) for line in lines if line is not None]
    assert [before for before, _ in chain] == [GENESIS_HASH, *(after for _, after in chain[:-1])]


def test_a_session_is_unknown_to_another_user_of_the_same_key(deployment: Deployment) -> None:
    started = deployment.answer(message("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={}))

    answer = deployment.answer(message("ping"), user="joe", session=started["headers"]["mcp-session-id"])

    assert answer["statusCode"] == 404


def test_a_citation_is_verified_from_the_registry_alone(deployment: Deployment) -> None:
    arguments = {"segment_uid": "doc_0123456789abcdef.0123456789abcdef"}
    answer = deployment.answer(message("tools/call", name="verify_document_access", arguments=arguments))

    assert json.loads(answer["body"])["result"]["has_access"] is False


def test_a_search_without_an_index_is_worth_another_try_and_does_not_describe_the_deployment(
    deployment: Deployment,
) -> None:
    answer = deployment.answer(message("tools/call", name="rag_search", arguments={"search_phrases": ["pumps"]}))

    error = json.loads(answer["body"])["error"]
    assert (error["code"], error["data"]["retryable"]) == (-32000, True)
    assert "home folder" not in answer["body"]


def test_a_wrong_secret_is_answered_like_an_unknown_key(deployment: Deployment) -> None:
    deployment.key = deployment.key[:-10] + "0" * 10

    assert deployment.answer(message("ping"))["statusCode"] == 401


def test_an_answer_whose_audit_line_is_not_taken_is_not_given_and_the_next_begins_another_chain(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert deployment.answer(message("ping"))["statusCode"] == 200
    logs = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
    logs.delete_log_group(logGroupName=GROUP)
    lost = deployment.answer(message("ping"))
    logs.create_log_group(logGroupName=GROUP)

    again = deployment.answer(message("ping"))

    assert (lost["statusCode"], again["statusCode"]) == (503, 200)
    assert int(lost["headers"]["retry-after"]) > 0
    (line,) = deployment.audit_lines()
    assert json.loads(line)["sequence"] == 1
    assert json.loads(line)["stream"].endswith("/2")


def test_a_function_without_its_table_setting_names_the_setting(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDWIRE_USERS_TABLE")
    wiring.reset()

    with pytest.raises(InvalidInput, match="GROUNDWIRE_USERS_TABLE"):
        _ = wiring.admin_services().stores.users
