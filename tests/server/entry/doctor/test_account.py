"""Requests of the AWS adapters behind `groundwire doctor`, checked by botocore's own models of the services."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import botocore.session
import pytest
from botocore.parsers import ResponseParserError
from botocore.stub import Stubber

from groundwire.adapters.aws.account.clients import AccountClients
from groundwire.adapters.aws.account.prospective import ProspectiveRegion
from groundwire.adapters.aws.account.stack import CloudFormationStack
from groundwire.domain.errors import DomainError, Forbidden, InvalidInput, NotFound, Unavailable
from groundwire.ports.account import FunctionNotReady, QuotaUse, RequiredRight
from groundwire.wiring import remote_targets

NOW: Final = 1_800_000_000.0
Account = Callable[..., AccountClients]
STACK: Final = {"StackName": "dev"}
QUEUE_DEPTH: Final = {"QueueUrl": "https://sqs/queue", "AttributeNames": ["ApproximateNumberOfMessages"]}
S3_LIST: Final = {"Filters": [{"Name": "prefix-list-name", "Values": ["com.amazonaws.eu-central-1.s3"]}]}
VPC_QUOTA: Final = {"ServiceCode": "vpc", "QuotaCode": "L-F678F1CE"}
DATED: Final = {"HTTPHeaders": {"date": "Fri, 15 Jan 2027 07:50:00 GMT"}}
"""Metadata of an answer of ten minutes before `NOW`."""
ROWS: Final = {
    "McpFunction": ("AWS::Lambda::Function", "dev-mcp"),
    "McpRole": ("AWS::IAM::Role", "dev-mcp-role"),
    "Queue": ("AWS::SQS::Queue", "https://sqs/queue"),
    "FaultsAlarm": ("AWS::CloudWatch::Alarm", "dev-faults"),
}
IN_VPC: Final = {"Fn::If": ["IsClosed", {"SubnetIds": ["subnet-1"]}, {"Ref": "AWS::NoValue"}]}
TEMPLATE: Final = {
    "Conditions": {"IsClosed": {"Fn::Equals": [{"Ref": "Network"}, "closed"]}},
    "Resources": {"McpFunction": {"Properties": {"Role": {"Fn::GetAtt": ["McpRole", "Arn"]}, "VpcConfig": IN_VPC}}},
}


def create_client(service: str) -> Any:
    return botocore.session.get_session().create_client(service, region_name="eu-central-1")


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Account:
    """Clients of stubbed services: `service=[(operation, response or error code, expected parameters)]`."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")

    def build(**answers: list[tuple[str, Any, Any]]) -> AccountClients:
        clients = AccountClients("eu-central-1", lambda: NOW)
        for service, expected in answers.items():
            name = service.replace("_", "-")
            client = create_client(name)
            stubber = Stubber(client)
            for operation, response, parameters in expected:
                if isinstance(response, str):
                    text = f"{response} does not exist"
                    stubber.add_client_error(operation, response, text, expected_params=parameters)
                else:
                    stubber.add_response(operation, response, parameters)
            stubber.activate()
            clients._clients[name] = client
        return clients

    return build


def resources() -> tuple[str, Any, Any]:
    rows = [
        {
            "LogicalResourceId": name,
            "ResourceType": kind,
            "PhysicalResourceId": made,
            "LastUpdatedTimestamp": datetime.fromtimestamp(NOW, UTC),
            "ResourceStatus": "CREATE_COMPLETE",
        }
        for name, (kind, made) in ROWS.items()
    ]
    return ("list_stack_resources", {"StackResourceSummaries": rows}, STACK)


def stack(network: str = "closed") -> tuple[str, Any, Any]:
    made = {
        "Parameters": [{"ParameterKey": "Network", "ParameterValue": network}],
        "StackName": "dev",
        "StackId": "arn:aws:cloudformation:eu-central-1:1:stack/dev/0a",
        "StackStatus": "CREATE_COMPLETE",
        "CreationTime": datetime.fromtimestamp(NOW, UTC),
    }
    return ("describe_stacks", {"Stacks": [made]}, STACK)


def template() -> tuple[str, Any, Any]:
    return ("get_template", {"TemplateBody": json.dumps(TEMPLATE)}, {**STACK, "TemplateStage": "Processed"})


@pytest.mark.parametrize("network", ["closed", "open"])
def test_a_function_has_its_role_its_declared_role_its_layers_its_isolation_and_its_network(
    account: Account, network: str
) -> None:
    configuration = {
        "Role": "arn:aws:iam::1:role/path/dev-other-role",
        "Layers": [{"Arn": "arn:layer:3"}],
        "TenancyConfig": {"TenantIsolationMode": "PER_TENANT"},
    }
    clients = account(
        cloudformation=[resources(), template(), stack(network)],
        **{"lambda": [("get_function_configuration", configuration, {"FunctionName": "dev-mcp"})]},
    )
    (function,) = CloudFormationStack("dev", clients).functions()
    assert (function.role, function.declared_role) == ("dev-other-role", "dev-mcp-role")
    assert (function.layers, function.isolates_tenants) == (("arn:layer:3",), True)
    assert function.is_in_network is (network == "closed")


def test_a_stack_that_is_there_passes(account: Account) -> None:
    CloudFormationStack("dev", account(cloudformation=[stack()])).require_exists()


def test_a_stack_that_is_not_there_is_not_found(account: Account) -> None:
    clients = account(cloudformation=[("describe_stacks", "ValidationError", STACK)])
    with pytest.raises(NotFound, match="AWS has no such thing"):
        CloudFormationStack("dev", clients).require_exists()


def test_a_malformed_region_is_an_input_of_the_caller() -> None:
    clients = AccountClients("no region")
    with pytest.raises(InvalidInput, match=r"'no region' doesn't match a supported format\. .*give --region\.$"):
        CloudFormationStack("dev", clients).require_exists()


def test_throttles_are_the_sum_of_the_stacks_own_functions(account: Account) -> None:
    def points(*sums: float) -> dict[str, Any]:
        return {"Datapoints": [{"Sum": each} for each in sums]}

    expected = {
        "Namespace": "AWS/Lambda",
        "MetricName": "Throttles",
        "Dimensions": [{"Name": "FunctionName", "Value": "dev-mcp"}],
        "StartTime": datetime.fromtimestamp(NOW - 3600, UTC),
        "EndTime": datetime.fromtimestamp(NOW, UTC),
        "Period": 3600,
        "Statistics": ["Sum"],
    }
    clients = account(cloudformation=[resources()], cloudwatch=[("get_metric_statistics", points(2.0, 3.0), expected)])
    assert CloudFormationStack("dev", clients, lambda: NOW).throttles(3600) == {"McpFunction": 5}


def test_queues_alarms_and_confirmed_receivers_are_those_of_the_stack(account: Account) -> None:
    alarm = {"AlarmName": "dev-faults", "AlarmActions": ["arn:topic"], "StateValue": "ALARM"}
    subscriptions = [{"SubscriptionArn": "PendingConfirmation"}, {"SubscriptionArn": "arn:confirmed"}]
    clients = account(
        cloudformation=[resources()],
        sqs=[("get_queue_attributes", {"Attributes": {"ApproximateNumberOfMessages": "4"}}, QUEUE_DEPTH)],
        cloudwatch=[("describe_alarms", {"MetricAlarms": [alarm]}, {"AlarmNames": ["dev-faults"], "MaxRecords": 100})],
        sns=[("list_subscriptions_by_topic", {"Subscriptions": subscriptions}, {"TopicArn": "arn:topic"})],
    )
    stack = CloudFormationStack("dev", clients)
    assert stack.queue_depths() == {"Queue": 4}
    (found,) = stack.alarms()
    assert (found.logical_id, found.actions, found.is_ringing) == ("FaultsAlarm", ("arn:topic",), True)
    assert stack.confirmed_receivers("arn:topic") == 1


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("AccessDenied", Forbidden, "Your AWS user lacks cloudformation:ListStackResources."),
        ("ExpiredToken", Forbidden, "sign in again"),
        ("ValidationError", NotFound, "does not exist"),
        ("Throttling", Unavailable, "AWS refuses cloudformation:ListStackResources (Throttling)"),
    ],
)
def test_an_error_of_aws_is_a_domain_error_with_its_remedy(
    account: Account, code: str, error: type[DomainError], text: str
) -> None:
    stack = CloudFormationStack("dev", account(cloudformation=[("list_stack_resources", code, STACK)]))
    with pytest.raises(error) as raised:
        stack.queue_depths()
    assert text in str(raised.value)


@pytest.mark.parametrize("code", ["ResourceNotReadyException", "ResourceConflictException", "ENINotReadyException"])
def test_a_function_that_slept_for_weeks_is_distinguished_from_one_that_fails(account: Account, code: str) -> None:
    call = {"FunctionName": "dev-mcp", "Payload": b"{}"}
    clients = account(cloudformation=[resources()], **{"lambda": [("invoke", code, call)]})
    with pytest.raises(FunctionNotReady, match="in some minutes"):
        CloudFormationStack("dev", clients).invoke("McpFunction", {}, None)


def test_an_answer_that_is_not_from_aws_is_unavailable(account: Account) -> None:
    clients = account()
    with pytest.raises(Unavailable, match="AWS does not answer"), clients.asking("sts"):
        raise ResponseParserError("invalid XML received")


def test_without_credentials_a_stack_is_refused_before_any_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "absent"))
    with pytest.raises(InvalidInput, match="Unable to locate credentials"):
        remote_targets.deployed_stack("dev", "eu-central-1")


def test_without_a_region_the_error_names_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with pytest.raises(InvalidInput, match="give --region"):
        ProspectiveRegion(AccountClients(None)).vpcs()


def test_the_clock_is_compared_with_the_date_of_an_answer(account: Account) -> None:
    identity = {"Arn": "arn:aws:iam::123456789012:user/ann", "ResponseMetadata": DATED}
    assert account(sts=[("get_caller_identity", identity, {})]).clock_skew_s() == 600.0


def test_the_clock_is_compared_also_where_aws_refuses_the_signature(account: Account) -> None:
    clients = account()
    client: Any = create_client("sts")
    clients._clients["sts"] = client
    with Stubber(client) as stubber:
        stubber.add_client_error("get_caller_identity", "SignatureDoesNotMatch", response_meta=DATED)
        stubber.add_client_error("get_caller_identity", "AccessDenied")
        assert clients.clock_skew_s() == 600.0
        with pytest.raises(Forbidden):
            clients.clock_skew_s()


def test_quotas_are_compared_with_what_is_in_use(account: Account) -> None:
    api = {"Name": "a", "ProtocolType": "HTTP", "RouteSelectionExpression": "x"}
    limit = {"ConcurrentExecutions": 10, "UnreservedConcurrentExecutions": 8}
    region = ProspectiveRegion(
        account(
            ec2=[
                ("describe_vpcs", {"Vpcs": [{"VpcId": "vpc-1"}]}, {}),
                ("describe_managed_prefix_lists", {"PrefixLists": [{"PrefixListId": "pl-1"}]}, S3_LIST),
                ("describe_managed_prefix_lists", {"PrefixLists": []}, S3_LIST),
            ],
            service_quotas=[("get_service_quota", {"Quota": {"Value": 7.0}}, VPC_QUOTA)],
            apigatewayv2=[("get_apis", {"Items": [api]}, {})],
            **{"lambda": [("get_account_settings", {"AccountLimit": limit}, {})]},
        )
    )
    assert region.concurrency() == QuotaUse(2, 10)
    assert region.vpcs() == QuotaUse(1, 7)
    assert (region.s3_prefix_list(), region.s3_prefix_list()) == ("pl-1", None)
    assert region.apis() == QuotaUse(1, 600)


def test_whoever_may_not_ask_for_quotas_is_assumed_to_have_the_default(account: Account) -> None:
    region = ProspectiveRegion(
        account(
            ec2=[("describe_vpcs", {"Vpcs": []}, {})],
            service_quotas=[("get_service_quota", "AccessDeniedException", VPC_QUOTA)],
        )
    )
    assert region.vpcs() == QuotaUse(0, 5)


def test_types_runtime_and_isolation_are_those_of_the_region(account: Account) -> None:
    group = {"Type": "RESOURCE", "TypeName": "AWS::OpenSearchServerless::CollectionGroup"}
    function = {"Type": "RESOURCE", "TypeName": "AWS::Lambda::Function"}
    clients = account(
        cloudformation=[
            ("describe_type", "TypeNotFoundException", group),
            ("describe_type", {"Schema": '{"properties":{"TenancyConfig":{}}}'}, function),
            ("describe_type", {"Schema": '{"properties":{}}'}, function),
        ],
    )
    region = ProspectiveRegion(clients)
    assert region.lacks_type("AWS::OpenSearchServerless::CollectionGroup") is True
    assert region.has_tenant_isolation() is True
    assert region.has_tenant_isolation() is False


def test_a_runtime_that_lambda_does_not_know_is_refused_by_its_list_of_layers(account: Account) -> None:
    requested = {"CompatibleRuntime": "python3.13", "CompatibleArchitecture": "arm64", "MaxItems": 1}
    answers = [("list_layers", {"Layers": []}, requested), ("list_layers", "InvalidParameterValueException", requested)]
    region = ProspectiveRegion(account(**{"lambda": answers}))
    assert region.has_runtime("python3.13", "arm64") is True
    assert region.has_runtime("python3.13", "arm64") is False


def test_names_are_compared_exactly(account: Account) -> None:
    stack = {"StackName": "dev", "StackStatus": "ROLLBACK_COMPLETE", "CreationTime": datetime.fromtimestamp(NOW, UTC)}
    name = "/aws/vendedlogs/dev-access"
    groups = {"logGroups": [{"logGroupName": f"{name}-2"}]}
    region = ProspectiveRegion(
        account(
            cloudformation=[
                ("describe_stacks", {"Stacks": [stack]}, STACK),
                ("describe_stacks", "ValidationError", STACK),
            ],
            logs=[("describe_log_groups", groups, {"logGroupNamePrefix": name})],
        )
    )
    assert region.stack_status("dev") == "ROLLBACK_COMPLETE"
    assert region.stack_status("dev") is None
    assert region.has_log_group(name) is False


def test_permissions_of_an_assumed_role_are_simulated_for_the_role_with_its_path(account: Account) -> None:
    role = {
        "Path": "/aws-reserved/",
        "RoleName": "Deployer",
        "RoleId": "AROA1234567890123",
        "Arn": "arn:aws:iam::123456789012:role/aws-reserved/Deployer",
        "CreateDate": datetime.fromtimestamp(NOW, UTC),
    }
    simulated = {
        "PolicySourceArn": role["Arn"],
        "ActionNames": ["iam:PassRole", "s3:GetObject"],
        "ResourceArns": ["*"],
        "ContextEntries": [
            {"ContextKeyName": "iam:PassedToService", "ContextKeyValues": ["lambda"], "ContextKeyType": "string"}
        ],
    }
    results = [
        {"EvalActionName": "iam:PassRole", "EvalDecision": "implicitDeny"},
        {"EvalActionName": "s3:GetObject", "EvalDecision": "allowed"},
    ]
    region = ProspectiveRegion(
        account(
            sts=[("get_caller_identity", {"Arn": "arn:aws:sts::123456789012:assumed-role/Deployer/ann"}, {})],
            iam=[
                ("get_role", {"Role": role}, {"RoleName": "Deployer"}),
                ("simulate_principal_policy", {"EvaluationResults": results}, simulated),
            ],
        )
    )
    right = RequiredRight(("iam:PassRole", "s3:GetObject"), ("*",), {"iam:PassedToService": "lambda"})
    assert region.denied_actions(right) == ["iam:PassRole"]


def test_the_root_user_may_do_everything(account: Account) -> None:
    region = ProspectiveRegion(account(sts=[("get_caller_identity", {"Arn": "arn:aws:iam::123456789012:root"}, {})]))
    assert region.denied_actions(RequiredRight(("s3:GetObject",), ("*",), {})) == []
