"""What a role of the template may do, as a table: actions by what they are allowed on."""

from collections.abc import Mapping
from typing import Any, Final

from tests.support.aws.template.variants import Variant, variant

DEFAULTS: Final = variant()
_TYPES_WHOSE_REF_IS_THEIR_ARN: Final = ("AWS::SecretsManager::Secret",)


def statements(role: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [line for policy in role["Policies"] for line in policy["PolicyDocument"]["Statement"]]


def as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def granted(role: str, stack: Variant = DEFAULTS) -> dict[str, set[str]]:
    """Actions by what they are allowed on: its logical id, and what of it, such as `Bucket/tenants/*`."""
    grants: dict[str, set[str]] = {}
    for statement in statements(stack.of_type("AWS::IAM::Role")[role]):
        if statement["Effect"] == "Deny":
            continue
        assert statement["Effect"] == "Allow"
        for resource in as_list(statement["Resource"]):
            grants.setdefault(_named(stack, resource), set()).update(as_list(statement["Action"]))
    return grants


def denials(role: str, stack: Variant = DEFAULTS) -> list[dict[str, Any]]:
    """The statements that deny something, which `granted` leaves out."""
    return [each for each in statements(stack.of_type("AWS::IAM::Role")[role]) if each["Effect"] == "Deny"]


def conditions(role: str, stack: Variant = DEFAULTS) -> dict[str, Any]:
    """The conditions of those statements that have one, by what they are about."""
    return {
        _named(stack, resource): statement["Condition"]
        for statement in statements(stack.of_type("AWS::IAM::Role")[role])
        if "Condition" in statement
        for resource in as_list(statement["Resource"])
    }


def conditions_by_action(role: str, stack: Variant = DEFAULTS) -> dict[str, Any]:
    """The conditions of those statements that have one, by what they allow."""
    return {
        action: statement["Condition"]
        for statement in statements(stack.of_type("AWS::IAM::Role")[role])
        if "Condition" in statement
        for action in as_list(statement["Action"])
    }


def _named(stack: Variant, resource: Any) -> str:
    if isinstance(resource, str):
        return resource
    if "Ref" in resource:
        name, _, attribute = resource["Ref"].partition(".")
        assert attribute == "Alias" or stack.resources[name]["Type"] in _TYPES_WHOSE_REF_IS_THEIR_ARN
        return resource["Ref"]
    if "Fn::Sub" in resource:
        return resource["Fn::Sub"].replace("${", "").replace(".Arn}", "").replace("}", "")
    name, attribute = resource["Fn::GetAtt"]
    assert attribute == "Arn"
    return name
