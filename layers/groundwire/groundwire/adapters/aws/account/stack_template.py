"""Template of a deployed stack with its own parameters: conditions decided, references replaced by what was created."""

import re
from collections.abc import Callable, Mapping
from typing import Final, cast

from groundwire.domain.text.json_values import is_list, is_mapping, mapping_or_empty

UNKNOWN: Final = "(unknown: "
"""Start of the text in place of a value that cannot be known from outside of CloudFormation."""
_ABSENT: Final = object()
_PLACEHOLDER: Final = re.compile(r"\$\{(!?)([^}]+)\}")
_ARNS: Final = {
    "AWS::DynamoDB::Table": "arn:{partition}:dynamodb:{region}:{account}:table/{name}",
    "AWS::Lambda::Function": "arn:{partition}:lambda:{region}:{account}:function:{name}",
    "AWS::Logs::LogGroup": "arn:{partition}:logs:{region}:{account}:log-group:{name}:*",
    "AWS::OpenSearchServerless::Collection": "arn:{partition}:aoss:{region}:{account}:collection/{name}",
    "AWS::S3::Bucket": "arn:{partition}:s3:::{name}",
    "AWS::SQS::Queue": "arn:{partition}:sqs:{region}:{account}:{name}",
}
"""Value of `Fn::GetAtt` for `Arn`, by the type of the resource (CloudFormation template reference)."""


class StackTemplate:
    """A processed template with the values of one stack.

    Args:
        body: the template after its transforms.
        parameters: values of the stack's parameters by name.
        stack_id: ARN of the stack.
        resources: type and physical id of each resource by logical id.
    """

    def __init__(
        self,
        body: Mapping[str, object],
        parameters: Mapping[str, str],
        stack_id: str,
        resources: Mapping[str, tuple[str, str]],
    ) -> None:
        _, partition, _, region, account, path = stack_id.split(":", 5)
        self._resources = mapping_or_empty(body.get("Resources"))
        self._conditions = mapping_or_empty(body.get("Conditions"))
        self._made = resources
        self._place = {"partition": partition, "region": region, "account": account}
        self._texts = {
            **parameters,
            "AWS::AccountId": account,
            "AWS::Partition": partition,
            "AWS::Region": region,
            "AWS::StackId": stack_id,
            "AWS::StackName": path.split("/")[1],
        }
        self._functions: Mapping[str, Callable[[object], object]] = {
            "Ref": lambda name: self._reference(str(name)),
            "Fn::GetAtt": lambda argument: self._attribute(*_attribute_name(argument)),
            "Fn::Sub": lambda pattern: self._substitute(str(pattern)) if isinstance(pattern, str) else _unknown("Sub"),
            "Fn::If": lambda argument: self._decide(*cast("list[object]", argument)),
        }

    def properties(self, logical_id: str) -> Mapping[str, object]:
        """Return the properties of a resource with the values of this stack; a value that is absent is left out.

        A text with `UNKNOWN` stands for a value that this class cannot know.
        """
        resource = mapping_or_empty(self._resources.get(logical_id))
        return mapping_or_empty(self._resolve(resource.get("Properties")))

    def declared(self, logical_id: str) -> Mapping[str, object]:
        """Return the properties of a resource as the template has them."""
        return mapping_or_empty(mapping_or_empty(self._resources.get(logical_id)).get("Properties"))

    def _resolve(self, value: object) -> object:
        if is_list(value):
            return [each for each in map(self._resolve, value) if each is not _ABSENT]
        if not is_mapping(value):
            return value
        name, argument = next(iter(value.items()), ("", None))
        if len(value) == 1 and (name == "Ref" or name.startswith("Fn::")):
            return self._functions.get(name, lambda _: _unknown(name))(argument)
        resolved = {key: self._resolve(each) for key, each in value.items()}
        return {key: each for key, each in resolved.items() if each is not _ABSENT}

    def _reference(self, name: str) -> object:
        if name == "AWS::NoValue":
            return _ABSENT
        if name in self._texts:
            return self._texts[name]
        return self._made[name][1] if name in self._made else _unknown(name)

    def _attribute(self, name: str, attribute: str) -> str:
        kind, physical_id = self._made.get(name, ("", ""))
        if attribute != "Arn" or kind not in _ARNS:
            return _unknown(f"{name}.{attribute}")
        # The id of a queue is its address, which ends in the name. A log group's name has slashes of its own.
        is_address = kind == "AWS::SQS::Queue"
        made = physical_id.rpartition("/")[2] if is_address else physical_id
        return _ARNS[kind].format(**self._place, name=made)

    def _substitute(self, pattern: str) -> str:
        def replaced(found: re.Match[str]) -> str:
            literal, name = found.groups()
            if literal:
                return f"${{{name}}}"
            resource, _, attribute = name.partition(".")
            return self._attribute(resource, attribute) if attribute else str(self._reference(name))

        return _PLACEHOLDER.sub(replaced, pattern)

    def _decide(self, condition: object, one: object, other: object) -> object:
        holds = self._holds({"Condition": condition})
        return _unknown(str(condition)) if holds is None else self._resolve(one if holds else other)

    def _holds(self, expression: object) -> bool | None:
        """Return whether a condition holds; None where that is unknown."""
        name, argument = next(iter(mapping_or_empty(expression).items()), ("", None))
        if name == "Condition":
            return self._holds(self._conditions.get(str(argument)))
        if name == "Fn::Equals":
            one, other = (str(self._resolve(each)) for each in cast("list[object]", argument))
            return None if UNKNOWN in one + other else one == other
        if name not in {"Fn::Not", "Fn::And", "Fn::Or"}:
            return None
        parts = [self._holds(each) for each in cast("list[object]", argument)]
        if None in parts:
            return None
        return not parts[0] if name == "Fn::Not" else all(parts) if name == "Fn::And" else any(parts)


def _attribute_name(argument: object) -> tuple[str, str]:
    """Return logical id and attribute of a `Fn::GetAtt`, which a template has as a list or as one text."""
    if is_list(argument):
        name, attribute = argument
        return str(name), str(attribute)
    name, _, attribute = str(argument).partition(".")
    return name, attribute


def _unknown(name: str) -> str:
    return f"{UNKNOWN}{name})"
