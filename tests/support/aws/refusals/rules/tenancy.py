"""Rules of tenant isolation: what a function with `TenancyConfig` may not have, and that a change replaces it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source
from tests.support.aws.refusals.template import Change, Template

_ISOLATION: Final = Source("Lambda developer guide: Tenant isolation; aws-cdk TenancyConfig", LOOKED_UP)
_EXCLUDED: Final = {
    "SnapStart": "SnapStart",
    "ProvisionedConcurrencyConfig": "provisioned concurrency",
    "FunctionUrlConfig": "a function URL",
}
_SOURCES_ALLOWED: Final = frozenset({"Api", "HttpApi"})


def is_isolated(function: Mapping[str, Any]) -> bool:
    """Return whether Lambda keeps the environments of this function's tenants apart."""
    return bool(function.get("TenancyConfig"))


def _excluded(template: Template) -> Iterator[str]:
    for name, function in template.functions.items():
        if is_isolated(function):
            yield from (f"{name}: {title}" for member, title in _EXCLUDED.items() if _is_on(function.get(member)))
            yield from (f"{name}: event source {event}" for event in _event_sources(template, name, function))
            yield from (f"{name}: {url}" for url in _targets(template, "AWS::Lambda::Url", "TargetFunctionArn", name))


def _is_on(value: Any) -> bool:
    return bool(value) and value != {"ApplyOn": "None"}


def _event_sources(template: Template, name: str, function: Mapping[str, Any]) -> Iterator[str]:
    events = function.get("Events", {})
    yield from (event for event, source in events.items() if source["Type"] not in _SOURCES_ALLOWED)
    yield from _targets(template, "AWS::Lambda::EventSourceMapping", "FunctionName", name)


def _targets(template: Template, kind: str, member: str, function: str) -> Iterator[str]:
    for name, properties in template.of_type(kind).items():
        if f"'{function}'" in str(properties.get(member)):
            yield name


def _changed(change: Change) -> Iterator[str]:
    for name, function in change.after.functions.items():
        before = change.before.functions.get(name)
        if before is None or before.get("TenancyConfig") == function.get("TenancyConfig"):
            continue
        if "FunctionName" in function and function["FunctionName"] == before.get("FunctionName"):
            yield f"{name}: the function has the name {function['FunctionName']}; leave the name out"


TEMPLATE_RULES: Final = (
    Rule(
        "tenancy-excludes",
        "A function with tenant isolation has SnapStart, provisioned concurrency, a URL or an event source.",
        '"incompatible with SnapStart, Provisioned Concurrency, Function URLs, most Event sources"',
        _ISOLATION,
        _excluded,
    ),
)
CHANGE_RULES: Final = (
    Rule(
        "tenancy-change",
        "An update switches tenant isolation of a function that keeps a name of its own: another one replaces it.",
        'TenancyConfig is in createOnlyProperties ("Update requires: Replacement"); "CloudFormation cannot update a '
        'stack when a custom-named resource requires replacing"',
        Source(
            "CloudFormation template reference: AWS::Lambda::Function TenancyConfig; Name type; resource schema of "
            "AWS::Lambda::Function in cfn-lint 1.58",
            LOOKED_UP,
        ),
        _changed,
    ),
)
