"""Examples of functions, tenant isolation, networks and policies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tests.server.adapters.aws.refusals.examples.building import Example, function, of, of_function, resource, template
from tests.support.aws.refusals.template import NEW_ACCOUNT, Template

INTERFACE_RIGHTS: Final = ["ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"]
_ISOLATED: Final = {"TenancyConfig": {"TenantIsolationMode": "PER_TENANT"}}


def _policy(size: int) -> dict[str, Any]:
    """Return a policy of so many characters."""
    empty = {"Statement": [{"Action": ""}]}
    return {"Statement": [{"Action": "x" * (size - len('{"Statement":[{"Action":""}]}'))}]} if size else empty


def _reserving(concurrency: int) -> Template:
    made = template({"One": function(ReservedConcurrentExecutions=2)})
    return replace(made, account=replace(NEW_ACCOUNT, concurrency=concurrency))


def joining(*actions: str) -> dict[str, Any]:
    """Return a function in a VPC with a role that has these rights."""
    statement = {"Effect": "Allow", "Action": ["logs:PutLogEvents", *actions], "Resource": "*"}
    return {
        "One": function(
            VpcConfig={"SubnetIds": ["a"], "SecurityGroupIds": ["b"]}, Role={"Fn::GetAtt": ["Role", "Arn"]}
        ),
        "Role": resource("IAM::Role", Policies=[{"PolicyDocument": {"Statement": [statement]}}]),
    }


def _in_network(**network: Any) -> dict[str, Any]:
    joined = joining(*INTERFACE_RIGHTS)
    joined["One"]["Properties"]["VpcConfig"] = network
    return joined


def _subnets(*blocks: str) -> dict[str, Any]:
    vpc = {"Ref": "Vpc"}
    made = {f"Subnet{number}": resource("EC2::Subnet", VpcId=vpc, CidrBlock=one) for number, one in enumerate(blocks)}
    return {"Vpc": resource("EC2::VPC", CidrBlock="10.0.0.0/16"), **made}


def _permissions(count: int) -> dict[str, Any]:
    source = {"Fn::Sub": "arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:abcdefghij/$default/*/one"}
    permission = resource(
        "Lambda::Permission",
        FunctionName={"Ref": "One"},
        Action="lambda:InvokeFunction",
        Principal="apigateway.amazonaws.com",
        SourceArn=source,
    )
    return {"One": function(), **{f"Permission{number}": permission for number in range(count)}}


def _blocking(*priorities: int) -> dict[str, Any]:
    rules = [{"Priority": one, "Action": "BLOCK", "BlockResponse": "NODATA"} for one in priorities]
    return {"Name": "rules", "FirewallRules": rules}


_GROUPS: Final = [f"sg-{number}" for number in range(6)]
EXAMPLES: Final[Mapping[str, Example]] = {
    "function-timeout": of_function({"Timeout": 901}, {"Timeout": 900}),
    "function-memory": of_function({"MemorySize": 127}, {"MemorySize": 128}),
    "new-account-memory": of_function({"MemorySize": 3_009}, {"MemorySize": 3_008}),
    "reserved-concurrency": Example(_reserving(101), _reserving(102)),
    "environment-size": of_function(
        {"Environment": {"Variables": {"NAME": "x" * 4_093}}}, {"Environment": {"Variables": {"NAME": "x" * 4_092}}}
    ),
    "environment-names": of_function(
        {"Environment": {"Variables": {"AWS_REGION": "x"}}}, {"Environment": {"Variables": {"REGION": "x"}}}
    ),
    "layers-per-function": of_function({"Layers": ["a"] * 6}, {"Layers": ["a"] * 5}),
    "unpacked-size": Example(
        replace(template({"One": function(Layers=[{"Ref": "L"}])}), unpacked={"One": 1, "L": 262_144_000}),
        replace(template({"One": function(Layers=[{"Ref": "L"}])}), unpacked={"One": 0, "L": 262_144_000}),
    ),
    "function-description": of_function({"Description": "x" * 257}, {"Description": "x" * 256}),
    "vpc-function-role": Example(template(joining()), template(joining(*INTERFACE_RIGHTS))),
    "tenancy-excludes": of_function(
        {**_ISOLATED, "SnapStart": {"ApplyOn": "PublishedVersions"}}, {**_ISOLATED, "SnapStart": {"ApplyOn": "None"}}
    ),
    "vpcs-per-region": Example(
        template({f"Vpc{number}": resource("EC2::VPC", CidrBlock="10.0.0.0/16") for number in range(5)}),
        template({f"Vpc{number}": resource("EC2::VPC", CidrBlock="10.0.0.0/16") for number in range(4)}),
    ),
    "network-size": of("EC2::VPC", {"CidrBlock": "10.0.0.0/29"}, {"CidrBlock": "10.0.0.0/28"}),
    "subnets-overlap": Example(
        template(_subnets("10.0.0.0/24", "10.0.0.0/25")), template(_subnets("10.0.0.0/24", "10.0.1.0/24"))
    ),
    "subnet-zone-of-list": of(
        "EC2::Subnet",
        {"CidrBlock": "10.0.0.0/25", "AvailabilityZone": {"Fn::Select": [0, {"Fn::GetAZs": ""}]}},
        {"CidrBlock": "10.0.0.0/25", "AvailabilityZone": "eu-central-1a"},
    ),
    "security-group-rules": of(
        "EC2::SecurityGroup",
        {"GroupDescription": "x", "SecurityGroupEgress": [{}] * 61},
        {"GroupDescription": "x", "SecurityGroupEgress": [{}] * 60},
    ),
    "security-group-description": of("EC2::SecurityGroup", {"GroupDescription": ""}, {"GroupDescription": "x"}),
    "security-groups-per-interface": Example(
        template(_in_network(SubnetIds=["a"], SecurityGroupIds=_GROUPS)),
        template(_in_network(SubnetIds=["a"], SecurityGroupIds=_GROUPS[:5])),
    ),
    "vpc-config-halves": Example(
        template(_in_network(SubnetIds=["a"], SecurityGroupIds=[])),
        template(_in_network(SubnetIds=["a"], SecurityGroupIds=["b"])),
    ),
    "gateway-endpoints": Example(
        template({f"Endpoint{number}": resource("EC2::VPCEndpoint") for number in range(21)}),
        template({f"Endpoint{number}": resource("EC2::VPCEndpoint") for number in range(20)}),
    ),
    "name-firewall-names": of(
        "Route53Resolver::FirewallDomainList",
        {"Name": "x" * 65, "Domains": ["*"]},
        {"Name": "x" * 64, "Domains": ["*"]},
    ),
    "name-firewall-rules": of("Route53Resolver::FirewallRuleGroup", _blocking(1, 1), _blocking(1, 2)),
    "name-firewall-priority": of(
        "Route53Resolver::FirewallRuleGroupAssociation",
        {"Name": "rules", "Priority": 99},
        {"Name": "rules", "Priority": 100},
    ),
    "role-inline-policies": of(
        "IAM::Role",
        {"Policies": [{"PolicyDocument": _policy(5_000)}, {"PolicyDocument": _policy(5_241)}]},
        {"Policies": [{"PolicyDocument": _policy(5_000)}, {"PolicyDocument": _policy(5_240)}]},
    ),
    "role-trust-policy": of(
        "IAM::Role", {"AssumeRolePolicyDocument": _policy(2_049)}, {"AssumeRolePolicyDocument": _policy(2_048)}
    ),
    "bucket-policy": of("S3::BucketPolicy", {"PolicyDocument": _policy(20_481)}, {"PolicyDocument": _policy(20_480)}),
    "queue-policy": of("SQS::QueuePolicy", {"PolicyDocument": _policy(8_193)}, {"PolicyDocument": _policy(8_192)}),
    "function-policy": Example(template(_permissions(80)), template(_permissions(40))),
    "endpoint-policy": of("EC2::VPCEndpoint", {"PolicyDocument": _policy(20_481)}, {"PolicyDocument": _policy(20_480)}),
}
