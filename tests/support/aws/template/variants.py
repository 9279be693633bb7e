"""The template as CloudFormation sees it for given parameters: conditions decided, excluded resources removed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from groundwire.entry.gateway.cloudformation import load_template

ROOT: Final = Path(__file__).parents[4]
TEMPLATE: Final[dict[str, Any]] = load_template(ROOT / "template.yaml")
NOTHING: Final[Mapping[str, str]] = {"Ref": "AWS::NoValue"}
PLACEHOLDER: Final = re.compile(r"\$\{(!?)([^}]+)\}")
"""A name in the text of `Fn::Sub`; with the mark in the first group it is a literal text."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What a stack with these parameters consists of; references to resources stay as they are written."""

    resources: Mapping[str, dict[str, Any]]
    outputs: Mapping[str, dict[str, Any]]

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties by logical id."""
        return {name: each["Properties"] for name, each in self.resources.items() if each["Type"] == kind}

    def references(self) -> set[str]:
        """Logical ids that anything of the stack points at."""
        everything = [*self.resources.values(), *self.outputs.values()]
        return {name for each in everything for name in references(each)}

    def variables(self, function: str) -> dict[str, Any]:
        """The environment of a function, what all have included."""
        own = self.of_type("AWS::Serverless::Function")[function]
        ignored = self.resources[function].get("IgnoreGlobals", [])
        shared = {} if "Environment" in ignored else TEMPLATE["Globals"]["Function"]["Environment"]["Variables"]
        return {**shared, **own["Environment"]["Variables"]}


def variant(**parameters: str | int) -> Variant:
    """The stack that somebody gets who gives these parameters and leaves the others as they are."""
    return variant_of(TEMPLATE, parameters)


def variant_of(template: Mapping[str, Any], parameters: Mapping[str, str | int]) -> Variant:
    """Return the stack of any template with these parameters; a section that the template lacks is empty."""
    defaults = {name: each["Default"] for name, each in template.get("Parameters", {}).items() if "Default" in each}
    values = defaults | dict(parameters)
    expressions = template.get("Conditions", {})
    conditions = {name: _holds(expression, values, expressions) for name, expression in expressions.items()}

    def kept(section: str) -> dict[str, dict[str, Any]]:
        return {
            name: _decided(each, conditions, values)
            for name, each in template.get(section, {}).items()
            if "Condition" not in each or conditions[each["Condition"]]
        }

    return Variant(kept("Resources"), kept("Outputs"))


def refusals(**parameters: str | int) -> list[str]:
    """Return the messages of CloudFormation's rules that these parameters break, before it makes anything."""
    values = {name: parameter["Default"] for name, parameter in TEMPLATE["Parameters"].items()} | parameters
    return [
        assertion["AssertDescription"]
        for rule in TEMPLATE["Rules"].values()
        if "RuleCondition" not in rule or _holds(rule["RuleCondition"], values, TEMPLATE["Conditions"])
        for assertion in rule["Assertions"]
        if not _holds(assertion["Assert"], values, TEMPLATE["Conditions"])
    ]


def _holds(expression: Any, values: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    ((form, argument),) = expression.items()
    match form:
        case "Fn::Equals":
            one, other = (_value(each, values) for each in argument)
            return str(one) == str(other)
        case "Fn::Not":
            return not _holds(argument[0], values, conditions)
        case "Fn::And":
            return all(_holds(each, values, conditions) for each in argument)
        case "Fn::Or":
            return any(_holds(each, values, conditions) for each in argument)
        case _:
            return _holds(conditions[argument], values, conditions)


def _value(node: Any, values: Mapping[str, Any]) -> Any:
    return values[node["Ref"]] if isinstance(node, dict) else node


def _decided(node: Any, conditions: Mapping[str, bool], values: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        chosen = (_decided(each, conditions, values) for each in node)
        return [each for each in chosen if each != NOTHING]
    if not isinstance(node, dict):
        return node
    if "Fn::If" in node:
        condition, one, other = node["Fn::If"]
        return _decided(one if conditions[condition] else other, conditions, values)
    if node.get("Ref") in values:
        return values[node["Ref"]]
    chosen = {name: _decided(each, conditions, values) for name, each in node.items()}
    return {name: each for name, each in chosen.items() if each != NOTHING}


def references(resource: Mapping[str, Any]) -> set[str]:
    """Return the names that a resource, an output or any part of a template points at or depends on."""
    depends = resource.get("DependsOn", [])
    return {*_names(resource), *([depends] if isinstance(depends, str) else depends)}


def _names(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from _names(each)
    if not isinstance(node, dict):
        return
    for form, argument in cast("dict[str, Any]", node).items():
        if form == "Ref":
            yield str(argument).partition(".")[0]
        elif form == "Fn::GetAtt":
            yield argument[0]
        elif form == "Fn::Sub":
            yield from _names_in_text(argument)
        else:
            yield from _names(argument)


def _names_in_text(argument: Any) -> Iterator[str]:
    text, given = argument if isinstance(argument, list) else (argument, {})
    found = {name.partition(".")[0] for literal, name in PLACEHOLDER.findall(text) if not literal}
    yield from found - given.keys()
    yield from _names(given)
