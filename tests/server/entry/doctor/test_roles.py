"""Roles of a stack in IAM against its template: equal ones in another form, and every kind of difference, once each."""

import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final

import botocore.session
import pytest
from botocore.stub import Stubber

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.adapters.aws.account.stack import CloudFormationStack
from groundwire.adapters.aws.account.stack_template import UNKNOWN, StackTemplate
from groundwire.ports.account import DeployedRole
from tests.support.aws.template.variants import TEMPLATE

NOW: Final = datetime.fromtimestamp(1_800_000_000, UTC)
ROLE: Final = {"RoleName": "dev-role"}
BOUNDARY: Final = "arn:aws:iam::123456789012:policy/least"
BUCKET: Final = "arn:aws:s3:::dev-bucket"
STACK_ID: Final = "arn:aws:cloudformation:eu-central-1:123456789012:stack/dev/0a1b"
TRUST: Final = {
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]
}
RESOURCES: Final = {"Role": ("AWS::IAM::Role", "dev-role"), "Bucket": ("AWS::S3::Bucket", "dev-bucket")}
DECLARED: Final[dict[str, Any]] = {
    "AssumeRolePolicyDocument": TRUST,
    "Policies": [
        {
            "PolicyName": "one",
            "PolicyDocument": {
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Action": ["s3:GetObject", "s3:PutObject"],
                        "Resource": {"Fn::Sub": "${Bucket.Arn}/*"},
                        "Condition": {"Bool": {"aws:SecureTransport": True}},
                    },
                    {"Fn::If": ["Traces", {"Effect": "Allow", "Action": "xray:*"}, {"Ref": "AWS::NoValue"}]},
                ]
            },
        }
    ],
}
GRANTED: Final[dict[str, Any]] = {
    "Statement": [
        {
            "Effect": "Allow",
            "Action": each,
            "Resource": [f"{BUCKET}/*"],
            "Condition": {"Bool": {"aws:SecureTransport": ["true"]}},
        }
        for each in ("s3:PutObject", "s3:GetObject")
    ]
}
"""Policy with the rights of `DECLARED`, in statements that are grouped in another way."""
IF_SECURE: Final = 'if {"Bool":{"aws:SecureTransport":["true"]}}'
GET: Final = f"allow s3:GetObject on {BUCKET}/* {IF_SECURE}"


def role(
    policy: Mapping[str, Any] = GRANTED,
    *,
    trust: Mapping[str, Any] = TRUST,
    attached: tuple[str, ...] = (),
    boundary: str = "",
    declared: Mapping[str, Any] = DECLARED,
) -> DeployedRole:
    """A stack's role that differs in IAM from the stack's template."""
    rows = [
        {
            "LogicalResourceId": name,
            "ResourceType": kind,
            "PhysicalResourceId": made,
            "LastUpdatedTimestamp": NOW,
            "ResourceStatus": "CREATE_COMPLETE",
        }
        for name, (kind, made) in RESOURCES.items()
    ]
    template = {
        "Conditions": {"Traces": {"Fn::Equals": [{"Ref": "Tracing"}, "Active"]}},
        "Resources": {"Role": {"Properties": declared}},
    }
    stack = {
        "StackName": "dev",
        "StackId": STACK_ID,
        "StackStatus": "CREATE_COMPLETE",
        "CreationTime": NOW,
        "Parameters": [{"ParameterKey": "Tracing", "ParameterValue": "PassThrough"}],
    }
    made = {
        **ROLE,
        "Path": "/",
        "RoleId": "AROA1234567890123",
        "Arn": "arn:aws:iam::123456789012:role/dev-role",
        "CreateDate": NOW,
        "AssumeRolePolicyDocument": json.dumps(trust),
        **({"PermissionsBoundary": {"PermissionsBoundaryArn": boundary}} if boundary else {}),
    }
    policies = [{"PolicyArn": each, "PolicyName": "managed"} for each in attached]
    named = {**ROLE, "PolicyName": "other"}
    clients = AccountClients("eu-central-1")
    answers: dict[str, list[tuple[str, Any, Any]]] = {
        "cloudformation": [
            ("list_stack_resources", {"StackResourceSummaries": rows}, {"StackName": "dev"}),
            (
                "get_template",
                {"TemplateBody": json.dumps(template)},
                {"StackName": "dev", "TemplateStage": "Processed"},
            ),
            ("describe_stacks", {"Stacks": [stack]}, {"StackName": "dev"}),
        ],
        "iam": [
            ("get_role", {"Role": made}, ROLE),
            ("list_role_policies", {"PolicyNames": ["other"]}, ROLE),
            ("get_role_policy", {**named, "PolicyDocument": json.dumps(policy)}, named),
            ("list_attached_role_policies", {"AttachedPolicies": policies}, ROLE),
        ],
    }
    for service, expected in answers.items():
        client: Any = botocore.session.get_session().create_client(
            service, region_name="eu-central-1", aws_access_key_id="local", aws_secret_access_key="local"
        )
        stubber = Stubber(client)
        for operation, answer, parameters in expected:
            stubber.add_response(operation, answer, parameters)
        stubber.activate()
        clients._clients[service] = client
    (found,) = CloudFormationStack("dev", clients).roles()
    return found


def changed(**members: Any) -> dict[str, Any]:
    """Return `GRANTED` with other members in its second statement; None removes a member."""
    policy = deepcopy(GRANTED)
    policy["Statement"][1] |= members
    policy["Statement"][1] = {name: each for name, each in policy["Statement"][1].items() if each is not None}
    return policy


def test_a_role_that_grants_the_same_in_other_statements_is_equal() -> None:
    found = role()
    assert found.granted == found.declared
    assert found.unknown == frozenset()
    assert found.declared == {
        GET,
        GET.replace("Get", "Put"),
        "be assumed: allow sts:AssumeRole to Service lambda.amazonaws.com",
    }


@pytest.mark.parametrize(
    ("actual", "extra", "missing"),
    [
        ({"policy": changed(Effect="Deny")}, GET.replace("allow", "deny"), GET),
        ({"policy": changed(Action=["s3:GetObject", "s3:*"])}, GET.replace("GetObject", "*"), ""),
        ({"policy": changed(Action=None, NotAction="s3:GetObject")}, GET.replace("s3:Get", "all but s3:Get"), GET),
        ({"policy": changed(Resource="*")}, GET.replace(f"{BUCKET}/*", "*"), GET),
        ({"policy": changed(Resource=None, NotResource="a")}, GET.replace(f"{BUCKET}/*", "all but a"), GET),
        ({"policy": changed(Condition=None)}, GET.removesuffix(f" {IF_SECURE}"), GET),
        (
            {"policy": changed(Condition={"Bool": {"aws:SecureTransport": "false"}})},
            GET.replace("true", "false"),
            GET,
        ),
        ({"policy": {"Statement": GRANTED["Statement"][:1]}}, "", GET),
        (
            {"trust": {"Statement": [*TRUST["Statement"], {**TRUST["Statement"][0], "Principal": {"AWS": "1"}}]}},
            "be assumed: allow sts:AssumeRole to AWS 1",
            "",
        ),
        (
            {"trust": {"Statement": []}},
            "",
            "be assumed: allow sts:AssumeRole to Service lambda.amazonaws.com",
        ),
        ({"attached": ("arn:aws:iam::aws:policy/Admin",)}, "have the policy arn:aws:iam::aws:policy/Admin", ""),
        ({"boundary": BOUNDARY}, f"have the boundary {BOUNDARY}", ""),
        ({"declared": {**DECLARED, "PermissionsBoundary": "arn:b"}}, "", "have the boundary arn:b"),
        ({"declared": {**DECLARED, "ManagedPolicyArns": ["arn:m"]}}, "", "have the policy arn:m"),
    ],
)
def test_every_kind_of_difference_is_a_right_too_much_or_too_little(
    actual: dict[str, Any], extra: str, missing: str
) -> None:
    found = role(**actual)
    assert found.granted - found.declared == ({extra} if extra else set())
    assert found.declared - found.granted == ({missing} if missing else set())


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"Fn::ImportValue": "x"}, "Fn::ImportValue"),
        ({"Fn::GetAtt": ["Bucket", "DomainName"]}, "Bucket.DomainName"),
        ({"Fn::GetAtt": "Nobody.Arn"}, "Nobody.Arn"),
        ({"Fn::Sub": "arn:${Nobody}"}, "Nobody"),
        ({"Fn::Sub": ["${a}", {"a": "b"}]}, "Sub"),
        ({"Ref": "Nobody"}, "Nobody"),
        ({"Fn::If": ["Undefined", "a", "b"]}, "Undefined"),
    ],
)
def test_a_value_that_cannot_be_known_is_named_and_never_equal(value: Any, named: str) -> None:
    declared = deepcopy(DECLARED)
    declared["Policies"][0]["PolicyDocument"]["Statement"][0]["Resource"] = value
    found = role(declared=declared)
    assert len(found.unknown) == 2
    assert all(f"{UNKNOWN}{named})" in each for each in found.unknown)
    assert found.granted - found.declared == {GET, GET.replace("Get", "Put")}


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"Tracing": "Active", "OpenSearchUrl": "https://x", "OpenSearchSecret": "arn:s"},
        {"BedrockEmbedder": "m", "BedrockReranker": "r", "BedrockPlanner": "p", "PlannerSecret": "arn:p"},
    ],
)
def test_every_value_in_the_roles_of_the_template_is_known(chosen: dict[str, str]) -> None:
    resources = {
        name: (each["Type"].replace("Serverless::Function", "Lambda::Function"), f"made-{name}")
        for name, each in TEMPLATE["Resources"].items()
    }
    # SAM makes the alias a resource of its own.
    resources["EmbeddingFunction.Alias"] = ("AWS::Lambda::Alias", "arn:alias")
    defaults = {name: str(each.get("Default", "x")) for name, each in TEMPLATE["Parameters"].items()}
    template = StackTemplate(TEMPLATE, {**defaults, **chosen}, STACK_ID, resources)
    roles = [name for name, each in TEMPLATE["Resources"].items() if each["Type"] == "AWS::IAM::Role"]
    assert len(roles) == 8
    for name in roles:
        assert UNKNOWN not in json.dumps(template.properties(name))
