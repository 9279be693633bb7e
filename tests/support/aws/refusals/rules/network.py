"""Rules of VPCs: how many an account takes, and which networks, rules and endpoints."""

import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Network, ip_network
from itertools import combinations
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_QUOTAS: Final = Source("Amazon VPC user guide: Amazon VPC quotas", LOOKED_UP)
_NETWORKS: Final = Source("Amazon VPC user guide: VPC CIDR blocks; Subnet CIDR blocks", LOOKED_UP)
_WIDEST, _NARROWEST = 16, 28
_MOST_RULES: Final = 60
_MOST_GROUPS: Final = 5
_MOST_GATEWAY_ENDPOINTS: Final = 20
_GROUP: Final = "AWS::EC2::SecurityGroup"
_GROUP_DESCRIPTION: Final = 255
_FIREWALL: Final = Source("Route 53 Resolver API reference: CreateFirewallRule; AssociateFirewallRuleGroup", LOOKED_UP)
_FIREWALL_TYPES: Final = ("FirewallDomainList", "FirewallRuleGroup", "FirewallRuleGroupAssociation")
_FIREWALL_NAME: Final = re.compile(r"(?!^[0-9]+$)[a-zA-Z0-9\-_' ]{1,64}")
_FIRST_PRIORITY, _LAST_PRIORITY = 100, 9_900


def _vpcs(template: Template) -> Iterator[str]:
    return above(template.account.vpcs, [("the Region", len(template.of_type("AWS::EC2::VPC")))], "further VPCs")


def _blocks(template: Template, kind: str) -> dict[str, IPv4Network]:
    declared = template.of_type(kind).items()
    texts = {name: template.text(each["CidrBlock"]) for name, each in declared if "CidrBlock" in each}
    blocks = {name: ip_network(text, strict=False) for name, text in texts.items()}
    return {name: block for name, block in blocks.items() if isinstance(block, IPv4Network)}


def _block_sizes(template: Template) -> Iterator[str]:
    for kind in ("AWS::EC2::VPC", "AWS::EC2::Subnet"):
        for name, block in _blocks(template, kind).items():
            if not _WIDEST <= block.prefixlen <= _NARROWEST:
                yield f"{name}: {block}"


def _overlaps(template: Template) -> Iterator[str]:
    subnets = template.of_type("AWS::EC2::Subnet")
    blocks = _blocks(template, "AWS::EC2::Subnet")
    for (one, block), (other, second) in combinations(blocks.items(), 2):
        if subnets[one].get("VpcId") == subnets[other].get("VpcId") and block.overlaps(second):
            yield f"{one} and {other}: {block} and {second}"


def _zones(template: Template) -> Iterator[str]:
    for name, subnet in template.of_type("AWS::EC2::Subnet").items():
        if "CidrBlock" in subnet and "Fn::GetAZs" in str(subnet.get("AvailabilityZone")):
            yield f"{name}: give the zone by name, or none"


def _group_rules(template: Template) -> Iterator[str]:
    for direction in ("SecurityGroupIngress", "SecurityGroupEgress"):
        sizes = ((name, len(group.get(direction, []))) for name, group in template.of_type(_GROUP).items())
        yield from above(_MOST_RULES, sizes, f"rules in {direction}")


def _group_descriptions(template: Template) -> Iterator[str]:
    for name, group in template.of_type(_GROUP).items():
        if not 0 < len(template.text(group.get("GroupDescription", ""))) <= _GROUP_DESCRIPTION:
            yield f"{name}: GroupDescription"


def _groups_per_function(template: Template) -> Iterator[str]:
    def groups(function: dict[str, Any]) -> int:
        return len(function.get("VpcConfig", {}).get("SecurityGroupIds", []))

    return above(_MOST_GROUPS, ((name, groups(one)) for name, one in template.functions.items()), "security groups")


def _halves(template: Template) -> Iterator[str]:
    for name, function in template.functions.items():
        network = function.get("VpcConfig")
        if network and bool(network.get("SubnetIds")) != bool(network.get("SecurityGroupIds")):
            yield f"{name}: subnets and security groups belong together"


def _gateway_endpoints(template: Template) -> Iterator[str]:
    endpoints = template.of_type("AWS::EC2::VPCEndpoint").values()
    gateways = sum(one.get("VpcEndpointType", "Gateway") == "Gateway" for one in endpoints)
    return above(_MOST_GATEWAY_ENDPOINTS, [("the Region", gateways)], "gateway endpoints")


def _firewall(template: Template, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return iter(template.of_type(f"AWS::Route53Resolver::{kind}").items())


def _firewall_names(template: Template) -> Iterator[str]:
    for kind in _FIREWALL_TYPES:
        for name, one in _firewall(template, kind):
            if not _FIREWALL_NAME.fullmatch(template.text(one.get("Name", ""))):
                yield f"{name}: Name"


def _firewall_rules(template: Template) -> Iterator[str]:
    for name, group in _firewall(template, "FirewallRuleGroup"):
        rules = group.get("FirewallRules", [])
        priorities = Counter(rule["Priority"] for rule in rules)
        yield from (f"{name}: two rules of priority {one}" for one, count in priorities.items() if count > 1)
        answers = (rule for rule in rules if (rule["Action"] == "BLOCK") != ("BlockResponse" in rule))
        yield from (f"{name}: rule {rule['Priority']}: BlockResponse" for rule in answers)


def _firewall_priorities(template: Template) -> Iterator[str]:
    for name, association in _firewall(template, "FirewallRuleGroupAssociation"):
        if not _FIRST_PRIORITY <= association["Priority"] <= _LAST_PRIORITY:
            yield f"{name}: {association['Priority']}"


TEMPLATE_RULES: Final = (
    Rule("vpcs-per-region", "A stack makes more VPCs than the account has left.", "5 VPCs per Region", _QUOTAS, _vpcs),
    Rule("network-size", "A VPC or a subnet is too wide or too narrow.", "/16 to /28", _NETWORKS, _block_sizes),
    Rule("subnets-overlap", "Two subnets of a VPC overlap.", "InvalidSubnet.Conflict", _NETWORKS, _overlaps),
    Rule(
        "subnet-zone-of-list",
        "A subnet with fixed addresses is in a zone of Fn::GetAZs, whose answer may change between two deployments.",
        "CIDR Block must change if Availability Zone is changed and VPC ID is not changed",
        Source("CloudFormation user guide: Fn::GetAZs; buildkite/elastic-ci-stack-for-aws#319", LOOKED_UP),
        _zones,
        doubt="The zones and their order stay the same in most accounts.",
    ),
    Rule(
        "security-group-rules",
        "A security group has too many rules in one direction.",
        "60 inbound and 60 outbound rules",
        _QUOTAS,
        _group_rules,
    ),
    Rule(
        "security-group-description",
        "A security group has no description, or one that is too long.",
        "1 to 255 characters",
        Source("Amazon EC2 API reference: CreateSecurityGroup", LOOKED_UP),
        _group_descriptions,
    ),
    Rule(
        "security-groups-per-interface",
        "A function has too many security groups.",
        "5 security groups per network interface",
        _QUOTAS,
        _groups_per_function,
    ),
    Rule(
        "vpc-config-halves",
        "A function names subnets without security groups, or the reverse.",
        "InvalidParameterValueException: SubnetIds and SecurityGroupIds must coexist or be both empty list",
        Source("Lambda API reference: VpcConfig", LOOKED_UP),
        _halves,
    ),
    Rule(
        "gateway-endpoints",
        "A stack makes too many gateway endpoints.",
        "20 gateway VPC endpoints per Region",
        _QUOTAS,
        _gateway_endpoints,
    ),
    Rule(
        "name-firewall-names",
        "A part of a firewall for names has no name, or one that the service does not take.",
        "1 to 64 letters, digits, spaces, hyphens, underscores and apostrophes, not digits alone",
        _FIREWALL,
        _firewall_names,
    ),
    Rule(
        "name-firewall-rules",
        "Two rules of a group have one priority, or a rule that blocks does not say what is answered.",
        "unique priority for each rule; BlockResponse is required if the action is BLOCK",
        _FIREWALL,
        _firewall_rules,
    ),
    Rule(
        "name-firewall-priority",
        "A group of rules has a priority for a VPC that is reserved.",
        "The allowed values for Priority are between 100 and 9900.",
        _FIREWALL,
        _firewall_priorities,
    ),
)
