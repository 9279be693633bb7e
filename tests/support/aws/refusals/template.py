"""A template as the rules see it: conditions decided, globals merged, references replaced by names as long as AWS's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from groundwire.entry.gateway.cloudformation import load_template
from tests.support.aws.template.variants import PLACEHOLDER, Variant, references, variant_of

FUNCTION: Final = "AWS::Serverless::Function"
REGION: Final = "eu-central-1"
_ACCOUNT: Final = "123456789012"
_STACK: Final = "groundwire"
_SUFFIX: Final = "0A1B2C3D4E5F"
"""Suffix of the length that CloudFormation adds to the name of a resource."""
_PSEUDO: Final = {
    "AWS::AccountId": _ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{_ACCOUNT}:stack/{_STACK}/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f",
    "AWS::StackName": _STACK,
    "AWS::URLSuffix": "amazonaws.com",
}


@dataclass(frozen=True, slots=True)
class AccountQuotas:
    """Quotas of the account that is deployed to.

    Attributes:
        concurrency: calls of all functions at the same time.
        function_memory_mb: memory of a function.
        vpcs: VPCs that the Region still takes.
    """

    concurrency: int
    function_memory_mb: int
    vpcs: int


NEW_ACCOUNT: Final = AccountQuotas(concurrency=10, function_memory_mb=3_008, vpcs=4)
"""Reports of new accounts name these two numbers of Lambda; the default VPC is one of five."""


@dataclass(frozen=True)
class Template:
    """A template with parameters, for an account and a Region.

    Attributes:
        body: the template in long form.
        size: bytes of its text.
        inline: the text itself goes to CloudFormation, not its address in S3.
        unpacked: bytes of each built function and layer, by logical id, as far as they are built.
    """

    body: Mapping[str, Any]
    parameters: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    account: AccountQuotas = NEW_ACCOUNT
    region: str = REGION
    size: int = 0
    inline: bool = False
    unpacked: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def stack(self) -> Variant:
        """Resources and outputs with these parameters."""
        return variant_of(self.body, self.parameters)

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the properties by logical id."""
        return {name: each.get("Properties", {}) for name, each in self.stack.resources.items() if each["Type"] == kind}

    @cached_property
    def functions(self) -> dict[str, dict[str, Any]]:
        """Properties of each function with the globals that it does not ignore, as SAM merges them."""
        # The section of the globals holds conditions and references as a resource does.
        globals_alone = {**self.body, "Resources": self.body.get("Globals", {})}
        shared = variant_of(globals_alone, self.parameters).resources.get("Function", {})
        return {name: self._merged(name, own, shared) for name, own in self.of_type(FUNCTION).items()}

    def _merged(self, name: str, own: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
        ignored = self.stack.resources[name].get("IgnoreGlobals", [])
        taken = {key: value for key, value in shared.items() if key not in ignored}
        return cast("dict[str, Any]", _merge(taken, own))

    def text(self, value: Any) -> str:
        """Return the value as text; a name that AWS gives is replaced by one of the usual length."""
        match value:
            case {"Ref": str(name)}:
                return self._reference(name)
            case {"Fn::GetAtt": [str(name), str(attribute)]}:
                return self._attribute(name, attribute)
            case {"Fn::Sub": [str(pattern), dict(names)]}:
                return self._substituted(pattern, cast("dict[str, Any]", names))
            case {"Fn::Sub": str(pattern)}:
                return self._substituted(pattern, {})
            case _:
                return self._composed(value)

    def _composed(self, value: Any) -> str:
        match value:
            case {"Fn::Join": [str(between), list(parts)]}:
                return between.join(self.text(part) for part in cast("list[Any]", parts))
            case {"Fn::Select": [position, list(parts)]}:
                return self.text(cast("list[Any]", parts)[int(position)])
            case {"Fn::Select": [position, {"Fn::Split": [str(between), whole]}]}:
                return self.text(whole).split(between)[int(position)]
            case _:
                return str(value)

    def resolved(self, value: Any) -> Any:
        """Return the value with every text of a function in it resolved."""
        if isinstance(value, list):
            return [self.resolved(one) for one in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        members = cast("dict[str, Any]", value)
        if len(members) == 1 and next(iter(members)).startswith(("Ref", "Fn::")):
            return self.text(members)
        return {name: self.resolved(one) for name, one in members.items()}

    def _reference(self, name: str) -> str:
        if name == "AWS::Region":
            return self.region
        return _PSEUDO.get(name) or str(self._values.get(name, f"{_STACK}-{name.partition('.')[0]}-{_SUFFIX}"))

    @cached_property
    def _values(self) -> dict[str, Any]:
        declared = self.body.get("Parameters", {})
        return {name: each["Default"] for name, each in declared.items() if "Default" in each} | dict(self.parameters)

    def _attribute(self, name: str, attribute: str) -> str:
        named = self._reference(name)
        return f"arn:aws:service:{self.region}:{_ACCOUNT}:resource/{named}" if attribute.endswith("Arn") else named

    def _substituted(self, pattern: str, names: Mapping[str, Any]) -> str:
        def replaced(found: re.Match[str]) -> str:
            literal, name = found.groups()
            if literal:
                return f"${{{name}}}"
            if name in names:
                return self.text(names[name])
            resource, _, attribute = name.partition(".")
            return self._attribute(resource, attribute) if attribute else self._reference(name)

        return PLACEHOLDER.sub(replaced, pattern)

    def dependencies(self) -> dict[str, set[str]]:
        """Return for each resource those that CloudFormation makes before it."""
        return {name: references(each) & self.stack.resources.keys() for name, each in self.stack.resources.items()}


@dataclass(frozen=True, slots=True)
class Change:
    """An update of a stack from one template to another."""

    before: Template
    after: Template


def read_template(path: Path, parameters: Mapping[str, str | int]) -> Template:
    """Return the template of a file with these parameters, for a new account.

    Raises:
        InvalidInput: the file is no template.
    """
    return Template(load_template(path), parameters, size=path.stat().st_size)


def template_of(text: str, parameters: Mapping[str, str | int]) -> Template:
    """Return the template of a text with these parameters, for a new account.

    Raises:
        InvalidInput: the text is no template.
    """
    with TemporaryDirectory(prefix="groundwire-template-") as made:
        path = Path(made) / "template.yaml"
        path.write_text(text, encoding="utf-8")
        return read_template(path, parameters)


def _merge(shared: Any, own: Any) -> Any:
    """Return lists joined and mappings merged, as SAM does with a function's globals."""
    if isinstance(shared, list) and isinstance(own, list):
        return [*cast("list[Any]", shared), *cast("list[Any]", own)]
    if not isinstance(shared, dict) or not isinstance(own, dict):
        return own
    merged = dict(cast("dict[str, Any]", shared))
    for name, value in cast("dict[str, Any]", own).items():
        merged[name] = _merge(merged[name], value) if name in merged else value
    return merged
