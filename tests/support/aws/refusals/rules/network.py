"""Rules of VPCs: how many an account takes, and which networks, rules and endpoints."""

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


TEMPLATE_RULES: Final = (
    Rule("vpcs-per-region", "A stack makes more VPCs than the account has left.", "5 VPCs per Region", _QUOTAS, _vpcs),
    Rule("network-size", "A VPC or a subnet is too wide or too narrow.", "/16 to /28", _NETWORKS, _block_sizes),
    Rule("subnets-overlap", "Two subnets of a VPC overlap.", "InvalidSubnet.Conflict", _NETWORKS, _overlaps),
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
)
