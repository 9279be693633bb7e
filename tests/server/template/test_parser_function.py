"""The wall around the parser: what it may reach, in each of its forms."""

from typing import Any, Final

import pytest

from groundwire.adapters.aws.s3.blobs import FOLDER
from tests.support.aws.refusals.rule import Reading, findings
from tests.support.aws.refusals.rules import CHANGE_RULES
from tests.support.aws.refusals.template import Change, Template
from tests.support.aws.template.variants import TEMPLATE, Variant, refusals, variant

CLOSED: Final = variant()
OPEN: Final = variant(ParserNetwork="open")
EXCLUDED_BY_TENANCY: Final = {
    *("AutoPublishAlias", "Events", "FunctionUrlConfig", "ProvisionedConcurrencyConfig", "SnapStart"),
}
"""Properties that tenant isolation excludes. Source: AWS Lambda's guide, "Tenant isolation"."""


def parser(stack: Variant) -> dict[str, Any]:
    """Return the properties of the parser function."""
    return stack.of_type("AWS::Serverless::Function")["ParserFunction"]


def test_each_tenant_has_environments_of_its_own_unless_the_account_refuses_that() -> None:
    assert parser(CLOSED)["TenancyConfig"] == {"TenantIsolationMode": "PER_TENANT"}
    shared = variant(ParserIsolation="environment")
    assert "TenancyConfig" not in parser(shared)


@pytest.mark.parametrize("isolation", ["tenant", "environment"])
def test_the_function_and_its_callers_have_the_same_isolation(isolation: str) -> None:
    stack = variant(ParserIsolation=isolation)
    for name in ("ParserFunction", "IngestionFunction", "ApiFunction"):
        assert stack.variables(name)["GROUNDWIRE_PARSER_ISOLATION"] == isolation


def test_the_function_has_nothing_that_tenant_isolation_excludes_and_no_fixed_name() -> None:
    assert not EXCLUDED_BY_TENANCY & (parser(CLOSED).keys() | TEMPLATE["Globals"]["Function"].keys())
    # A change of the isolation replaces the function, which a fixed name would forbid.
    assert "FunctionName" not in parser(CLOSED)
    called = [
        name for name, each in CLOSED.resources.items() if "ParserFunction" in str(each) and "Lambda" in each["Type"]
    ]
    assert called == []


def test_the_network_of_the_function_has_no_way_to_the_internet() -> None:
    kinds = {each["Type"] for each in CLOSED.resources.values() if each["Type"].startswith("AWS::EC2::")}
    assert kinds == {
        *("AWS::EC2::VPC", "AWS::EC2::Subnet", "AWS::EC2::RouteTable", "AWS::EC2::SubnetRouteTableAssociation"),
        *("AWS::EC2::VPCEndpoint", "AWS::EC2::SecurityGroup"),
    }
    assert parser(CLOSED)["VpcConfig"] == {
        "SecurityGroupIds": [{"Ref": "ParserSecurityGroup"}],
        "SubnetIds": [{"Ref": "ParserSubnetA"}, {"Ref": "ParserSubnetB"}],
    }
    associated = CLOSED.of_type("AWS::EC2::SubnetRouteTableAssociation").values()
    assert {each["SubnetId"]["Ref"] for each in associated} == {"ParserSubnetA", "ParserSubnetB"}
    assert {each["RouteTableId"]["Ref"] for each in associated} == {"ParserRouteTable"}


def test_the_endpoint_passes_on_files_and_results_of_this_bucket_alone() -> None:
    [endpoint] = CLOSED.of_type("AWS::EC2::VPCEndpoint").values()
    assert endpoint["VpcEndpointType"] == "Gateway"
    assert endpoint["RouteTableIds"] == [{"Ref": "ParserRouteTable"}]
    [statement] = endpoint["PolicyDocument"]["Statement"]
    assert statement["Effect"] == "Allow"
    assert statement["Resource"] == {"Fn::Sub": f"${{Bucket.Arn}}/tenants/*/{FOLDER}results/*"}
    assert set(statement["Action"]) == {
        *("s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:PutObjectTagging"),
    }


def test_what_passes_the_bucket_is_read_and_written_from_the_network_of_the_parser_alone() -> None:
    [policy] = CLOSED.of_type("AWS::S3::BucketPolicy").values()
    bound = {
        (line["Effect"], str(line["Action"])): line["Resource"]["Fn::Sub"]
        for line in policy["PolicyDocument"]["Statement"]
        if line.get("Condition") == {"StringNotEquals": {"aws:SourceVpce": {"Ref": "ParserBucketEndpoint"}}}
    }
    assert bound == {
        ("Deny", "s3:PutObject"): f"${{Bucket.Arn}}/tenants/*/{FOLDER}results/*.result",
        ("Deny", "['s3:GetObject', 's3:GetObjectVersion']"): f"${{Bucket.Arn}}/tenants/*/{FOLDER}results/*.content",
    }
    assert "SourceVpce" not in str(OPEN.of_type("AWS::S3::BucketPolicy"))


@pytest.mark.parametrize(
    ("zones", "chosen"), [("", []), ("eu-central-1a,eu-central-1b", ["eu-central-1a", "eu-central-1b"])]
)
def test_ec2_chooses_the_zones_of_the_parser_unless_they_are_given(zones: str, chosen: list[str]) -> None:
    subnets = variant(ParserZones=zones).of_type("AWS::EC2::Subnet")
    template = Template(TEMPLATE, {"ParserZones": zones})
    assert [template.text(one["AvailabilityZone"]) for one in subnets.values() if "AvailabilityZone" in one] == chosen


def test_a_function_that_leaves_its_network_keeps_the_rights_to_delete_its_interfaces() -> None:
    update = Change(Template(TEMPLATE, {"ParserNetwork": "closed"}), Template(TEMPLATE, {"ParserNetwork": "open"}))
    assert list(findings(CHANGE_RULES, update, Reading.REFUSED)) == []


def test_no_name_but_that_of_the_bucket_is_looked_up_and_a_firewall_that_fails_answers_none() -> None:
    [association] = CLOSED.of_type("AWS::Route53Resolver::FirewallRuleGroupAssociation").values()
    assert association["FirewallRuleGroupId"] == {"Fn::GetAtt": ["ParserNameRules", "Id"]}
    assert association["VpcId"] == {"Ref": "ParserVpc"}
    [group] = CLOSED.of_type("AWS::Route53Resolver::FirewallRuleGroup").values()
    allowed, *others = sorted(group["FirewallRules"], key=lambda rule: rule["Priority"])
    # The names to which S3 leads this one on are for S3 to choose; a wildcard would take any bucket's name.
    assert {**allowed, "Priority": 0} == {
        "Priority": 0,
        "Action": "ALLOW",
        "FirewallDomainListId": {"Fn::GetAtt": ["ParserBucketNames", "Id"]},
        "FirewallDomainRedirectionAction": "TRUST_REDIRECTION_DOMAIN",
    }
    assert [(rule["Action"], rule["FirewallDomainListId"]["Fn::GetAtt"], "Qtype" in rule) for rule in others] == [
        ("BLOCK", ["ParserOtherNames", "Id"], False)
    ]
    names = CLOSED.of_type("AWS::Route53Resolver::FirewallDomainList")
    assert {name: each["Domains"] for name, each in names.items()} == {
        "ParserBucketNames": [{"Fn::GetAtt": ["Bucket", "RegionalDomainName"]}],
        "ParserOtherNames": ["*"],
    }
    # Failing open is a setting of a VPC, which the default of each VPC leaves off.
    assert "AWS::Route53Resolver::FirewallConfig" not in {each["Type"] for each in CLOSED.resources.values()}


def test_the_function_waits_for_the_firewall_and_the_stack_can_remove_it() -> None:
    for subnet in parser(CLOSED)["VpcConfig"]["SubnetIds"]:
        assert CLOSED.resources[subnet["Ref"]]["DependsOn"] == "ParserNameFirewall"
    association = CLOSED.of_type("AWS::Route53Resolver::FirewallRuleGroupAssociation")["ParserNameFirewall"]
    assert association["MutationProtection"] == "DISABLED"


@pytest.mark.parametrize(
    ("prefix_list", "destination"),
    [("", {"CidrIp": "0.0.0.0/0"}), ("pl-0123456789abcdef0", {"DestinationPrefixListId": "pl-0123456789abcdef0"})],
)
def test_the_security_group_lets_nothing_in_and_one_port_out(prefix_list: str, destination: dict[str, str]) -> None:
    [group] = variant(S3PrefixList=prefix_list).of_type("AWS::EC2::SecurityGroup").values()
    assert "SecurityGroupIngress" not in group
    [rule] = group["SecurityGroupEgress"]
    assert {name: value for name, value in rule.items() if name in {"IpProtocol", "FromPort", "ToPort"}} == {
        "IpProtocol": "tcp",
        "FromPort": 443,
        "ToPort": 443,
    }
    given = {name: value for name, value in rule.items() if name.startswith(("Cidr", "Destination"))}
    reference = {"DestinationPrefixListId": {"Ref": "S3PrefixList"}}
    assert given in (destination, reference if prefix_list else destination)


def test_an_account_without_a_vpc_to_spare_gets_the_function_without_one() -> None:
    assert not [each for each in OPEN.resources.values() if each["Type"].startswith(("AWS::EC2::", "AWS::Route53"))]
    assert "VpcConfig" not in parser(OPEN)
    assert refusals(ParserNetwork="open", ParserIsolation="environment") == []


def test_a_rule_deletes_after_a_day_what_is_left_on_the_way_to_the_parser_and_back() -> None:
    rules = CLOSED.of_type("AWS::S3::Bucket")["Bucket"]["LifecycleConfiguration"]["Rules"]
    [rule] = [each for each in rules if each["Id"] == "transient-files"]
    assert rule["TagFilters"] == [{"Key": "groundwire", "Value": "transient"}]
    assert (rule["ExpirationInDays"], rule["NoncurrentVersionExpiration"]) == (1, {"NoncurrentDays": 1})
