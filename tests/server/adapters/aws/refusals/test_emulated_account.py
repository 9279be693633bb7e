"""An emulated account refuses stacks and calls as AWS does, before the emulator makes or does anything."""

import io
import zipfile
from collections.abc import Generator
from typing import Any, Final

import pytest
from botocore.exceptions import ClientError

from tests.support.aws.deployment.waiting import until
from tests.support.engines import ministack
from tests.support.engines.missing import Absent, answer

TEMPLATE: Final = """\
Transform: AWS::Serverless-2016-10-31
Parameters:
  Seconds: {Type: Number, Default: 30}
Globals:
  Function: {Handler: index.handler, Runtime: python3.12}
Resources:
  Isolated:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: "def handler(event, _): return event"
      TenancyConfig: {TenantIsolationMode: PER_TENANT}
      Timeout: !Ref Seconds
  Shared:
    Type: AWS::Serverless::Function
    Properties: {InlineCode: "def handler(event, _): return event"}
"""
ROUTE: Final = """\
  Route{number}:
    Type: AWS::ApiGatewayV2::Route
    Properties: {{ApiId: api, RouteKey: GET /{number}}}
"""
CAPABILITIES: Final = {"Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]}
TOO_LARGE: Final = 262_144_001


@pytest.fixture(scope="module")
def account() -> Generator[ministack.Account]:
    try:
        with ministack.running() as running:
            yield running
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def functions(account: ministack.Account) -> dict[str, str]:
    """Names of the functions of a stack, by logical id."""
    formation: Any = account.cloudformation
    formation.create_stack(StackName="made", TemplateBody=TEMPLATE, **CAPABILITIES)
    until(lambda: status(account, "made") == "CREATE_COMPLETE", "the stack is made")
    rows = formation.describe_stack_resources(StackName="made")["StackResources"]
    return {row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows}


def status(account: ministack.Account, stack: str) -> str:
    [found] = account.cloudformation.describe_stacks(StackName=stack)["Stacks"]
    return found["StackStatus"]


def refused(account: ministack.Account, action: str, **order: Any) -> str:
    """Return why CloudFormation refuses the stack."""
    with pytest.raises(ClientError, match="ValidationError") as failure:
        getattr(account.cloudformation, action)(**order, **CAPABILITIES)
    return str(failure.value)


def uploaded(account: ministack.Account, key: str, content: bytes) -> str:
    if not account.s3.list_buckets().get("Buckets"):
        place: Any = {"LocationConstraint": ministack.REGION}
        account.s3.create_bucket(Bucket="uploads", CreateBucketConfiguration=place)
    account.s3.put_object(Bucket="uploads", Key=key, Body=content)
    return f"{account.url}/uploads/{key}"


def test_a_stack_that_breaks_a_rule_is_refused_before_it_is_made(account: ministack.Account) -> None:
    six = TEMPLATE + "".join(ROUTE.format(number=number) for number in range(6))
    stated = refused(account, "create_stack", StackName="new", TemplateBody=six)
    assert "routes-created-at-once" in stated
    address = uploaded(account, "six.yaml", six.encode())
    change: dict[str, Any] = {"StackName": "new", "ChangeSetName": "first", "ChangeSetType": "CREATE"}
    assert "routes-created-at-once" in refused(account, "create_change_set", TemplateURL=address, **change)
    stacks = account.cloudformation.list_stacks().get("StackSummaries", [])
    assert "new" not in {stack["StackName"] for stack in stacks}


def test_a_stack_is_judged_with_its_parameters(account: ministack.Account) -> None:
    given = [{"ParameterKey": "Seconds", "ParameterValue": "901"}]
    stated = refused(account, "create_stack", StackName="slow", TemplateBody=TEMPLATE, Parameters=given)
    assert "function-timeout: Isolated: 901 s" in stated


def test_a_stack_is_judged_with_the_size_of_its_artifacts(account: ministack.Account) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(TOO_LARGE))
    uploaded(account, "large.zip", packed.getvalue())
    layered = TEMPLATE.replace("Timeout: !Ref Seconds", "Layers: [!Ref Layer]")
    layered += "  Layer: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: s3://uploads/large.zip}}\n"
    stated = refused(account, "create_stack", StackName="large", TemplateBody=layered)
    assert f"unpacked-size: Isolated: {TOO_LARGE:,} bytes" in stated


def test_an_update_is_judged_against_the_stack_that_is_there(
    account: ministack.Account, functions: dict[str, str]
) -> None:
    assert functions
    route = ROUTE.format(number="a/")
    keeps = [{"ParameterKey": "Seconds", "UsePreviousValue": True}]
    changed = (TEMPLATE + route.replace("Routea/:", "Route:")).replace("Default: 30", "Default: 901")
    stated = refused(account, "update_stack", StackName="made", TemplateBody=changed, Parameters=keeps)
    assert "route-trailing-slash" in stated
    # The stack keeps its own value of the parameter, so the new default is not judged.
    assert "function-timeout" not in stated


def test_an_invocation_names_a_tenant_exactly_where_the_function_separates_tenants(
    account: ministack.Account, functions: dict[str, str]
) -> None:
    client: Any = account.functions
    arn = client.get_function_configuration(FunctionName=functions["Isolated"])["FunctionArn"]
    for name in (functions["Isolated"], arn):
        assert client.invoke(FunctionName=name, Payload=b"{}", TenantId="t_acme")["Payload"].read() == b"{}"
        with pytest.raises(ClientError, match="tenant-id-missing"):
            client.invoke(FunctionName=name, Payload=b"{}")
    assert client.invoke(FunctionName=functions["Shared"], Payload=b"{}")["Payload"].read() == b"{}"
    with pytest.raises(ClientError, match="tenant-id-unwanted"):
        client.invoke(FunctionName=functions["Shared"], Payload=b"{}", TenantId="t_acme")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"Key": "k" * 1_025}, "KeyTooLongError"),
        ({"Key": "k", "Metadata": {"a": "x" * 2_048}}, "MetadataTooLarge"),
    ],
    ids=["key", "metadata"],
)
def test_an_object_beyond_a_quota_is_refused_in_the_words_of_the_service(
    account: ministack.Account, order: dict[str, Any], code: str
) -> None:
    uploaded(account, "here", b"x")
    with pytest.raises(ClientError, match=code):
        account.s3.put_object(Bucket="uploads", Body=b"x", **order)
    account.s3.put_object(Bucket="uploads", Key="ä" * 512, Body=b"x", Metadata={"a": "x" * 2_047})
