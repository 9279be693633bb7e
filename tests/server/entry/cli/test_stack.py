"""Commands of an operator against a stack: the function is the real one, only AWS's door to it is not."""

import io
import json
import stat
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, NoCredentialsError, ReadTimeoutError

from groundwire import wiring
from groundwire.adapters.aws.account.operator_function import OperatorFunction
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.audit.lines import person_facts
from groundwire.domain.documents.record import DocumentState, Ingestion, Refusal, RefusalCause
from groundwire.entry.operator.action_result import ListPage
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.services.ingest.source_objects.source_paths import source_path
from tests.support.aws import insights
from tests.support.aws.operator_stack import URL, Stack, opened_stack
from tests.support.aws.tenant_content import fill
from tests.support.entry.command import Command
from tests.support.registry.records import DOCUMENT

_LISTS = (("key.list", "keys"), ("user.list", "users"), ("user.blocked", "users"))


class Door:
    """Test double of the clients of CloudFormation and Lambda.

    Attributes:
        stacks: name of the operator function by that of its stack. fault: what AWS answers instead.
    """

    def __init__(self, stack: Stack) -> None:
        self.stacks = {"prod": "prod-operator"}
        self.error: Exception | None = None
        self._stack = stack

    def describe_stack_resource(self, *, StackName: str, LogicalResourceId: str) -> Mapping[str, Any]:  # noqa: N803
        assert LogicalResourceId == "OperatorFunction"
        if self.error is not None:
            raise self.error
        if StackName not in self.stacks:
            raise refusal("ValidationError")
        return {"StackResourceDetail": {"PhysicalResourceId": self.stacks[StackName]}}

    def get_paginator(self, operation: str) -> "Door":
        assert operation == "list_stack_resources"
        return self

    def paginate(self, *, StackName: str) -> list[Mapping[str, Any]]:  # noqa: N803
        if StackName not in self.stacks:
            raise refusal("ValidationError")
        kinds = {"McpFunction": "AWS::Lambda::Function", "KeysTable": "AWS::DynamoDB::Table"}
        rows = [
            {"LogicalResourceId": name, "PhysicalResourceId": f"prod-{name}", "ResourceType": kind}
            for name, kind in kinds.items()
        ]
        # A stack has more resources than a page of the answer.
        return [{"StackResourceSummaries": [row]} for row in rows]

    def get_function_configuration(self, *, FunctionName: str) -> Mapping[str, Any]:  # noqa: N803
        assert FunctionName == "prod-McpFunction"
        return {
            "FunctionArn": f"arn:aws:lambda:eu-central-1:123456789012:function:{FunctionName}",
            "Environment": {"Variables": {"GROUNDWIRE_DOCUMENTS_TABLE": "prod-DocumentsTable"}},
        }

    def invoke(self, *, FunctionName: str, Payload: bytes) -> Mapping[str, Any]:  # noqa: N803
        assert FunctionName == "prod-operator"
        return {"Payload": io.BytesIO(json.dumps(self._stack.invoke(json.loads(Payload))).encode())}


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code}}, "Describe")


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with opened_stack(tmp_path / "stack", monkeypatch) as stack:
        services, door = stack.services, Door(stack)
        monkeypatch.setattr(wiring, "cloud_services", lambda: services)

        def opened(_function: OperatorFunction, _service: str, _config: object) -> Door:
            return door

        monkeypatch.setattr(OperatorFunction, "_client", opened)
        monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME")
        yield door


@pytest.fixture
def stack(door: Any) -> Stack:
    stack = door._stack
    assert isinstance(stack, Stack)
    return stack


def test_a_tenant_is_made_and_the_way_to_its_first_key_and_call_can_be_pasted(
    groundwire: Command, stack: Stack
) -> None:
    made = groundwire("--stack", "prod", "tenant", "create", "acme").done().out
    assert "groundwire --stack prod key create --tenant acme --scope admin --user YOU" in made
    key = groundwire("--stack", "prod", "key", "create", "--tenant", "acme", "--scope", "admin", "--user", "ann").done()
    text = next(line for line in key.out.splitlines() if line.startswith("gw_live_"))
    assert f"curl -s {URL}/v1/status -H 'Authorization: Bearer KEY'" in key.out
    assert stack.services.access.authorize({"authorization": f"Bearer {text}"}).caller is not None
    assert not groundwire.home.exists()


def test_the_stack_may_be_named_by_the_environment(groundwire: Command, stack: Stack) -> None:
    made = groundwire("tenant", "create", "acme", "--json", GROUNDWIRE_STACK="prod").done().json
    listed = groundwire("tenant", "list", "--json", GROUNDWIRE_STACK="prod").done().json
    assert [row["tenant"] for row in listed] == [made["tenant"]]


def test_keys_are_listed_rotated_and_revoked(groundwire: Command, stack: Stack) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    options = ("--stack", "prod", "key")
    key = groundwire(*options, "create", "-t", "acme", "--scope", "search", "--act-as", "--json").done().json
    rotated = groundwire(*options, "rotate", key["kid"], "-t", "acme", "--json").done().json
    assert rotated["key"] != key["key"]
    assert "Revoked key" in groundwire(*options, "revoke", key["kid"], "-t", "acme").done().out
    (listed,) = groundwire(*options, "list", "-t", "acme", "--json").done().json
    assert (listed["kid"], listed["revoked"]) == (key["kid"], True)


def test_a_tenant_of_a_stack_is_limited_suspended_and_resumed(groundwire: Command, stack: Stack) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    create = ("create", "-t", "acme", "--user", "ann", "--scope", "search", "--json")
    headers = {"authorization": f"Bearer {groundwire('--stack', 'prod', 'key', *create).done().json['key']}"}
    groundwire("--stack", "prod", "tenant", "set-rate", "acme", "--rate", "1200", "--burst", "200").done()
    groundwire("--stack", "prod", "tenant", "suspend", "acme").done()
    assert stack.services.access.authorize(headers).caller is None
    [row] = groundwire("--stack", "prod", "tenant", "list", "--json").done().json
    assert (row["rate_per_minute"], row["suspended_at"] is None) == (1200, False)
    groundwire("--stack", "prod", "tenant", "resume", "acme").done()
    assert stack.services.access.authorize(headers).caller is not None


def test_a_key_of_a_stack_is_edited_and_its_next_call_has_the_new_rights(groundwire: Command, stack: Stack) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    create = ("create", "-t", "acme", "--user", "ann", "--scope", "search", "--tag", "hr", "--json")
    key = groundwire("--stack", "prod", "key", *create).done().json
    edit = ("edit", key["kid"], "-t", "acme", "--name", "desk", "--tag", "sales", "--collection", "handbook", "--yes")
    groundwire("--stack", "prod", "key", *edit, "--rate", "7").done()
    decision = stack.services.access.authorize({"authorization": f"Bearer {key['key']}"})
    assert decision.caller is not None
    assert (decision.caller.principal.tags, decision.caller.collections) == ({"sales"}, {"handbook"})
    [row] = groundwire("--stack", "prod", "key", "list", "-t", "acme", "--json").done().json
    assert [row[name] for name in ("name", "tags", "collections", "rate_per_minute")] == [
        "desk",
        ["sales"],
        ["handbook"],
        7,
    ]
    shown = groundwire("--stack", "prod", "key", "list", "-t", "acme").done().out
    assert all(text in shown for text in ("desk", "sales", "handbook", row["last_used"]))


def test_a_stacks_users_are_offboarded_and_the_key_is_refused_on_the_next_call(
    groundwire: Command, stack: Stack
) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    create = ("--stack", "prod", "key", "create", "-t", "acme", "--scope", "search", "--json")
    personal = groundwire(*create, "--user", "elif").done().json
    agent = groundwire(*create, "--act-as", "--any-tag").done().json
    headers = {"authorization": f"Bearer {agent['key']}", "x-user-id": "elif"}
    assert stack.services.access.authorize(headers).caller is not None
    receipt = groundwire("--stack", "prod", "user", "offboard", "Elif", "-t", "acme", "--json").done().json
    assert [each["kid"] for each in receipt["revoked_keys"]] == [personal["kid"]]
    assert [each["kid"] for each in receipt["keys_without_user"]] == [agent["kid"]]
    assert stack.services.access.authorize(headers).caller is None
    [blocked] = groundwire("--stack", "prod", "user", "list", "--blocked", "-t", "acme", "--json").done().json
    assert (blocked["user"], blocked["decided_by"]) == ("Elif", None)
    groundwire("--stack", "prod", "user", "unblock", "elif", "-t", "acme").done()
    assert stack.services.access.authorize(headers).caller is not None


def test_a_key_for_mindset_is_proposed_the_tags_of_the_stacks_policies(groundwire: Command, stack: Stack) -> None:
    tenant = groundwire("--stack", "prod", "tenant", "create", "acme", "--json").done().json["tenant"]
    fill(stack, tenant)
    create = ("--stack", "prod", "key", "create", "-t", "acme", "--for", "mindset")
    [document] = stack.services.stores.documents.all(tenant, None)
    sales = parse_policy(public=False, users=[], any_tags=["department:sales"], all_tags=[])
    stack.services.administration.document_admin.override_policy(tenant, document.doc_id, sales)
    refused = groundwire(*create)
    assert (refused.code, "--max-tag department:sales (tags that policies use)" in refused.line) == (2, True)
    made = groundwire(*create, "--max-tag", "department:sales", "--json").done().json
    assert (made["toolset"], made["max_tags"]) == ("mindset", ["department:sales"])


@pytest.fixture
def acme(groundwire: Command, stack: Stack) -> str:
    """The id of a tenant with three documents of the same content, whose readers an option named."""
    tenant = str(groundwire("--stack", "prod", "tenant", "create", "acme", "--json").done().json["tenant"])
    fill(stack, tenant, documents=3)
    registry = stack.services.stores.documents
    for document in registry.all(tenant, None):
        registry.write(tenant, replace(document, parent=None), document)
    return tenant


def test_a_stacks_documents_are_listed_and_shown_in_answers_of_any_size(
    groundwire: Command, stack: Stack, acme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each row needs an answer of its own.
    monkeypatch.setattr("groundwire.entry.operator.action_result._MAX_ANSWER_BYTES", 1)
    options = ("--stack", "prod", "documents")
    listed = groundwire(*options, "list", "-t", "acme", "--json").done().json
    assert [row["doc_id"] for row in listed] == ["doc-0", "doc-1", "doc-2"]
    shown = groundwire(*options, "show", "doc-1", "-t", "acme", "--json").done().json
    assert [each["text"] for each in shown["passages"]] == ["The ledger of doc-1."]
    assert "next_passage" not in shown
    pairs = groundwire(*options, "duplicates", "-t", "acme", "--json").done().json
    assert [(row["doc_id"], row["other_doc_id"]) for row in pairs] == [("doc-0", "doc-1"), ("doc-0", "doc-2")]
    closed = groundwire(*options, "close", "doc-0", "-t", acme, "--copies").done()
    assert closed.out.count("Readers of") == 3
    limited = groundwire(*options, "list", "-t", "acme", "--ceilings", "--json").done().json
    assert [row["doc_id"] for row in limited] == ["doc-0", "doc-1", "doc-2"]
    for name in ("doc-0", "doc-2"):
        groundwire(*options, "delete", name, "-t", "acme", "--yes").done()
    deleted = groundwire(*options, "list", "--deleted", "-t", "acme", "--json").done().json
    assert [row["doc_id"] for row in deleted] == ["doc-0", "doc-2"]


def test_a_stacks_keys_and_users_are_listed_in_answers_of_any_size(
    groundwire: Command, stack: Stack, acme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in ("zoe", "ann", "\u00e9lif"):
        groundwire("--stack", "prod", "user", "set", user, "--tag", "sales", "-t", acme, "--yes").done()
        groundwire("--stack", "prod", "key", "create", "-t", acme, "--scope", "search", "--user", user, "--json").done()
    groundwire("--stack", "prod", "user", "block", "zoe", "ann", "ben", "-t", acme).done()
    kinds = (["key", "list"], ["user", "list"], ["user", "list", "--blocked"])
    lists = [("--stack", "prod", *kind, "-t", acme, "--json") for kind in kinds]
    whole = [groundwire(*each).done().json for each in lists]
    # Each row needs an answer of its own.
    monkeypatch.setattr("groundwire.entry.operator.action_result._MAX_ANSWER_BYTES", 1)
    assert [groundwire(*each).done().json for each in lists] == whole
    assert [row["user"] for row in whole[0]] == [None, "zoe", "ann", "\u00e9lif"]
    assert [row["user"] for row in whole[1]] == ["ann", "zoe", "\u00e9lif"]
    assert [row["user"] for row in whole[2]] == ["ann", "ben", "zoe"]
    # A command of an earlier release reads one answer, and must not show the first page as all.
    assert [len(stack.done(action, tenant=acme)[name]) for action, name in _LISTS] == [4, 3, 3]
    assert [len(stack.done(action, tenant=acme, pages=True)[name]) for action, name in _LISTS] == [1] * 3
    for action in ("key.list", "user.blocked"):
        assert stack.refused(action, tenant=acme, pages=True, after="unknown")["code"] == "invalid"


def test_a_page_of_users_begins_after_an_entry_that_was_deleted_meanwhile(stack: Stack, acme: str) -> None:
    for user in ("ann", "ben", "cem"):
        stack.services.stores.users.set(acme, user, frozenset())
    stack.services.stores.users.delete(acme, "ben")
    page = stack.done("user.list", tenant=acme, pages=True, after="ben")
    assert [row["user"] for row in page["users"]] == ["cem"]


def test_a_stack_of_an_earlier_release_lists_its_keys_and_users_in_one_answer(
    groundwire: Command, stack: Stack, acme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def knowing_no_pages(_fields: ObjectReader) -> ListPage:
        return ListPage(is_paged=False, after=None)

    stack.services.stores.users.set(acme, "ann", frozenset())
    groundwire("--stack", "prod", "key", "create", "-t", acme, "--scope", "search", "--user", "ann", "--json").done()
    monkeypatch.setattr(ListPage, "read", knowing_no_pages)
    for noun in ("key", "user"):
        rows = groundwire("--stack", "prod", noun, "list", "-t", acme, "--json").done().json
        assert [row["user"] for row in rows if row["user"] is not None] == ["ann"]


def test_decisions_about_a_stacks_documents_are_in_force_and_on_record(
    groundwire: Command, stack: Stack, acme: str
) -> None:
    options, where = ("--stack", "prod", "documents"), ("-t", "acme", "--reason", "legal hold")
    before = len(stack.audit_lines())
    groundwire(*options, "set-policy", "doc-0", "doc-1", "--any-tag", "team:legal", *where, "--yes").done()
    groundwire(*options, "close", "doc-0", *where).done()
    groundwire(*options, "lift", "doc-0", *where).done()
    groundwire(*options, "delete", "doc-0", *where, "--yes").done()
    [row] = groundwire(*options, "list", "--deleted", "-t", "acme", "--json").done().json
    # AWS knows the operator, and CloudTrail has the name.
    assert (row["doc_id"], row["decision_reason"], row["decided_by"]) == ("doc-0", "legal hold", None)
    groundwire(*options, "restore", "doc-0", *where).done()
    groundwire(*options, "forget", "doc-0", *where, "--yes").done()
    missing = groundwire(*options, "show", "doc-0", "-t", "acme")
    assert (missing.code, "'doc-0'" in missing.line) == (1, True)
    decided = [line for line in stack.audit_lines()[before:] if "decision_reason" in line]
    assert [line["action"].removeprefix("documents.") for line in decided] == [
        *("set-policy", "set-policy", "close", "lift", "delete", "restore", "forget")
    ]
    assert {line["tenant"] for line in decided} == {acme}


def test_a_token_of_a_stack_without_a_provider_is_explained_by_what_is_missing(groundwire: Command, acme: str) -> None:
    refused = groundwire("--stack", "prod", "key", "explain-token", "-t", "acme", typed="a.b.c")
    assert (refused.code, "accepts no access tokens" in refused.line) == (2, True)


def test_a_stacks_tags_and_groups_are_renamed_with_a_plan_and_one_audit_line(
    groundwire: Command, stack: Stack, acme: str
) -> None:
    groundwire("--stack", "prod", "group", "set", "/sales", "--tag", "team:sales", "-t", "acme").done()
    groundwire("--stack", "prod", "documents", "set-policy", "doc-0", "--any-tag", "team:sales", "-t", "acme").done()
    rename = ("--stack", "prod", "tags", "rename", "team:sales", "team:revenue", "-t", "acme")
    renamed = groundwire(*rename, "--yes").done()
    assert "team:sales becomes team:revenue in: 1 readers of documents, 1 mapped groups." in renamed.err
    assert groundwire("--stack", "prod", "group", "list", "-t", "acme", "--json").done().json == [
        {"group": "/sales", "tags": ["team:revenue"]}
    ]
    [line] = [line for line in stack.audit_lines() if line["action"] == "tags.rename"]
    assert (line["tag_before"], line["tag_after"], line["counts"]["documents"]) == ("team:sales", "team:revenue", 1)


def test_a_stacks_audit_log_is_listed_by_tenant_and_its_tags_have_their_last_call(
    groundwire: Command, stack: Stack, acme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insights.install(monkeypatch, insights.Insights())
    monkeypatch.setattr(time, "sleep", float)
    other = groundwire("--stack", "prod", "tenant", "create", "other", "--json").done().json["tenant"]
    groundwire("--stack", "prod", "user", "set", "ann", "--tag", "hr", "-t", "acme").done()
    facts = person_facts(Principal(acme, "ann", frozenset({"hr"})))
    for tenant in (acme, other):
        called = {"tenant": tenant, "kid": "k", **facts, "tool": "rag_search", "status": 200, "time": time.time()}
        stack.services.stores.audit.append(called)
    listed = groundwire("--stack", "prod", "audit", "list", "-t", "acme", "--user", "ANN", "--json").done().json
    assert [row["call"] for row in listed] == ["user.set", "rag_search"]
    # As over REST, the log states about whom somebody requested.
    [requested] = [line for line in stack.audit_lines() if line.get("entry") == "ANN"]
    assert requested["tenant"] == acme
    groundwire("--stack", "prod", "audit", "list", "-t", "acme", "--kid", "k").done()
    assert stack.audit_lines()[-1]["key"] == "k"
    assert groundwire("--stack", "prod", "audit", "list", "-t", "acme", "--last", "1").done().out.count("\n") == 2
    tags = groundwire("--stack", "prod", "tags", "list", "-t", "acme", "--json").done().json
    [last] = [row["last_call"] for row in tags["tags"] if row["tag"] == "hr"]
    assert (last is None, tags["unrecognised_calls"]) == (False, 0)
    [seen] = groundwire("--stack", "prod", "user", "list", "--seen", "-t", "acme", "--json").done().json
    assert (seen["user"], seen["kid"], seen["tags"], seen["calls"]) == ("ann", "k", ["hr"], 1)


def test_the_audit_log_of_a_stack_is_that_of_a_named_tenant(groundwire: Command, acme: str) -> None:
    refused = groundwire("--stack", "prod", "audit", "list")
    assert (refused.code, "--tenant" in refused.line) == (2, True)
    unknown = groundwire("--stack", "prod", "audit", "list", "-t", "nobody")
    assert (unknown.code, "nobody" in unknown.line) == (1, True)
    refused = groundwire("--stack", "prod", "audit", "list", "-t", acme, "--since", "yesterday")
    assert (refused.code, "is no time" in refused.line) == (2, True)


def test_a_tenant_is_deleted_with_counts_and_once_more_by_its_id(groundwire: Command, stack: Stack) -> None:
    tenant = groundwire("--stack", "prod", "tenant", "create", "acme", "--json").done().json["tenant"]
    fill(stack, tenant)
    declined = groundwire("--stack", "prod", "tenant", "delete", "acme", typed="globex\n")
    assert (declined.code, "Nothing was deleted" in declined.err) == (2, True)
    reported = groundwire("--stack", "prod", "tenant", "delete", "acme", "--yes").done().out
    assert "1 documents" in reported
    assert "900 s" in reported
    again = groundwire("--stack", "prod", "tenant", "delete", tenant, "--yes", "--json").done().json
    assert set(again["deleted"].values()) == {0}
    unknown = groundwire("--stack", "prod", "tenant", "delete", "acme", "--yes")
    assert (unknown.code, "'acme'" in unknown.line) == (1, True)


def test_a_reindex_is_continued_until_it_is_done(
    groundwire: Command, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = groundwire("--stack", "prod", "tenant", "create", "acme", "--json").done().json["tenant"]
    fill(stack, tenant, documents=3)
    stack.models.default, stack.models.other = stack.models.other, stack.models.default
    # No time is left at any moment, so that each call of the function does one document.
    monkeypatch.setattr("groundwire.entry.operator.reindex.MAX_RUN_SECONDS", -1.0)
    done = groundwire("--stack", "prod", "reindex", "acme", "--model", stack.models.default.model.name, "--json").done()
    assert (done.json["documents"], done.json["model"]) == (3, stack.models.default.model.name)
    abandoned = groundwire("--stack", "prod", "reindex", "acme", "--abandon", "--json").done().json
    assert abandoned == {"tenant": tenant, "abandoned": True}


def test_what_the_function_refuses_is_one_line_with_the_exit_code_of_its_kind(
    groundwire: Command, stack: Stack
) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    taken = groundwire("--stack", "prod", "tenant", "create", "acme")
    unusable = groundwire("--stack", "prod", "tenant", "create", " ")
    assert (taken.code, "choose another name" in taken.line) == (1, True)
    assert (unusable.code, "printable" in unusable.line) == (2, True)


@pytest.mark.parametrize(
    ("error", "stated"),
    [
        (refusal("ValidationError"), "no stack 'prod'"),
        (refusal("AccessDenied"), "lambda:InvokeFunction"),
        (refusal("ExpiredToken"), "sign in again"),
        (refusal("Throttling"), "try again"),
        (NoCredentialsError(), "Sign in"),
        (ReadTimeoutError(endpoint_url="https://lambda"), "does not answer"),
    ],
)
def test_a_refusal_of_aws_is_one_line_that_states_what_to_do(
    groundwire: Command, door: Door, error: Exception, stated: str
) -> None:
    door.error = error
    refused = groundwire("--stack", "prod", "tenant", "list")
    assert refused.code in {1, 2}
    assert stated in refused.line


@pytest.mark.parametrize(
    "command",
    [
        ["serve"],
        ["backup", "x"],
        ["ingest", "x", "-t", "acme"],
        ["collection", "list", "-t", "acme"],
        ["search", "pumps", "-t", "acme"],
    ],
)
def test_commands_for_owners_or_for_one_machine_say_that_they_do_not_work_there(
    groundwire: Command, door: Door, command: list[str]
) -> None:
    refused = groundwire("--stack", "prod", *command)
    assert refused.code == 2
    assert "--stack" in refused.line
    assert "GROUNDWIRE_STACK" in refused.line


def test_one_place_is_named_at_a_time(groundwire: Command) -> None:
    refused = groundwire("--stack", "prod", "--url", "https://docs.example", "key", "list")
    assert (refused.code, "not both" in refused.line) == (2, True)


@pytest.mark.parametrize(
    "name", ["foo_bad!", "1prod", "-prod", "prod\n", "p" * 129, "arn:aws:cloudformation:stack/prod"]
)
def test_a_name_that_no_stack_can_have_is_refused_before_any_call(groundwire: Command, door: Door, name: str) -> None:
    door.error = AssertionError("AWS is called")
    refused = groundwire("--stack", name, "tenant", "list")
    assert (refused.code, "letters, digits and hyphens" in refused.line) == (2, True)


def test_a_region_without_a_stack_is_refused_and_lists_nothing_of_this_machine(groundwire: Command) -> None:
    groundwire("tenant", "create", "acme").done()
    for target in ([], ["--url", "https://docs.example", "--key", "gw_local_one"]):
        refused = groundwire("--region", "eu-central-1", *target, "tenant", "list")
        assert (refused.code, refused.out, "name the stack with --stack" in refused.line) == (2, "", True)


def test_an_empty_variable_names_no_stack(groundwire: Command, door: Door) -> None:
    assert groundwire("tenant", "list", GROUNDWIRE_STACK="") == groundwire("tenant", "list")


VARIABLES = {"McpFunction": {"GROUNDWIRE_DOCUMENTS_TABLE": "prod-DocumentsTable", "AWS_DEFAULT_REGION": "eu-central-1"}}


@pytest.mark.usefixtures("door")
def test_the_variables_of_the_functions_are_printed_or_written_for_their_owner_alone(
    groundwire: Command, tmp_path: Path
) -> None:
    file = tmp_path / "stack.json"
    file.write_text("an old file that others may read")
    file.chmod(0o644)

    assert groundwire("--stack", "prod", "env").done().json == VARIABLES
    assert groundwire("--stack", "prod", "env", str(file)).done().out.strip() == str(file)

    assert json.loads(file.read_text()) == VARIABLES
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.usefixtures("door")
def test_the_variables_of_a_stack_that_is_not_there_are_not_found(groundwire: Command, tmp_path: Path) -> None:
    refused = groundwire("--stack", "test", "env", str(tmp_path / "stack.json"))

    assert (refused.code, "has no stack 'test'" in refused.line) == (1, True)
    assert not (tmp_path / "stack.json").exists()


def test_files_that_the_parser_did_not_read_are_queued_again_and_counted(groundwire: Command, stack: Stack) -> None:
    groundwire("--stack", "prod", "tenant", "create", "acme").done()
    [tenant] = [each.tenant for each in stack.services.administration.tenant_admin.all()]
    refusal = Refusal(RefusalCause.PARSER_BROKEN, "the parser does not start")
    record = replace(DOCUMENT, version=0, ingestion=Ingestion(DocumentState.FAILED, refusal))
    for number in range(2):
        path = source_path(tenant, f"handbook/{number}.txt")
        stack.services.stores.documents.write(tenant, replace(record, doc_id=f"d-{number}", source_path=path), None)
    stated = groundwire("--stack", "prod", "rebuild", "acme").done().out
    assert stated.startswith("Queued 2 files of acme.")
    answer = json.loads(groundwire("--stack", "prod", "rebuild", "acme", "--all", "--json").done().out)
    assert answer == {"tenant": tenant, "queued": 0, "without_file": 0}
    assert len(stack.work()) == 2
