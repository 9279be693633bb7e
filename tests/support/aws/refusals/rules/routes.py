"""Rules of routes: keys that API Gateway takes, and how many changes of one API it takes at the same time."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Change, Template

ROUTE: Final = "AWS::ApiGatewayV2::Route"
_QUOTAS: Final = Source("API Gateway developer guide: Quotas for configuring and running an HTTP API", LOOKED_UP)
_ROUTES: Final = Source("API Gateway developer guide: Create routes for HTTP APIs", LOOKED_UP)
_CDK: Final = Source(
    "aws-cdk HttpRouteKey.with; aws/serverless-application-model#1949; storacha/w3infra#166", LOOKED_UP
)
_CONCURRENT: Final = Source(
    "hashicorp/terraform-provider-aws#29735 and #18018; brefphp/bref#868; go-to-k/cdkd#1607", LOOKED_UP
)
_PARTS: Final = Source("anomalyco/sst#207; API Gateway developer guide: Create routes for HTTP APIs", LOOKED_UP)
_LEVELS: Final = Source("KensioSoftware/yulin#307", LOOKED_UP)
_MOST_ROUTES: Final = 300
_FORM: Final = re.compile(r"\$default|(ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) /\S*")
_PART: Final = re.compile(r"\{[\w.-]+\+?\}|[a-zA-Z0-9._-]+", re.ASCII)
_VARIABLE: Final = re.compile(r"\{[^{}+]+\}")
_MOST_AT_ONCE: Final = 5


def _keys(template: Template) -> dict[str, str]:
    return {name: template.text(route["RouteKey"]) for name, route in template.of_type(ROUTE).items()}


def _normal(key: str) -> str:
    """Return the key as a service stores it that strips the slash."""
    method, _, path = key.partition(" ")
    return f"{method} {path.rstrip('/')}" if path.rstrip("/") else key


def _trailing_slashes(template: Template) -> Iterator[str]:
    for name, key in _keys(template).items():
        if key.endswith("/") and _normal(key) != key:
            yield f"{name}: {key}"


def _twins(keys: Mapping[str, str]) -> Iterator[str]:
    counted = Counter(keys.values())
    for name, key in keys.items():
        if counted[key] > 1:
            yield f"{name}: {key} is the key of {counted[key]} routes"


def _equal(template: Template) -> Iterator[str]:
    return _twins(_keys(template))


def _equal_without_slash(template: Template) -> Iterator[str]:
    # Keys that are equal as they are written break the certain rule already.
    distinct = {name: key for name, key in _keys(template).items() if Counter(_keys(template).values())[key] == 1}
    return _twins({name: _normal(key) for name, key in distinct.items()})


def _malformed(template: Template) -> Iterator[str]:
    return (f"{name}: {key}" for name, key in _keys(template).items() if not _FORM.fullmatch(key))


def _segments(template: Template) -> Iterator[str]:
    for name, key in _keys(template).items():
        # A slash at the end is a rule of its own, and so is a key without a path.
        *inner, last = _normal(key).partition(" /")[2].split("/")
        invalid = any(not _PART.fullmatch(part) for part in (*inner, last) if [*inner, last] != [""])
        if invalid or any(part.endswith("+}") for part in inner):
            yield f"{name}: {key}"


def _variable_names(template: Template) -> Iterator[str]:
    first: dict[str, str] = {}
    for name, key in _keys(template).items():
        for variable in _VARIABLE.finditer(key.partition(" ")[2]):
            before = variable.string[: variable.start()]
            known = first.setdefault(_VARIABLE.sub("{}", before), variable[0])
            if known != variable[0]:
                yield f"{name}: {key} names {variable[0]} what another route names {known}"


def _too_many(template: Template) -> Iterator[str]:
    apis = Counter(template.text(route["ApiId"]) for route in template.of_type(ROUTE).values())
    return above(_MOST_ROUTES, apis.items(), "routes")


def _created_at_once(template: Template) -> Iterator[str]:
    return _at_once(template, template.of_type(ROUTE), "created")


def _changed_at_once(change: Change) -> Iterator[str]:
    before, after = change.before.of_type(ROUTE), change.after.of_type(ROUTE)
    written = [name for name, route in after.items() if before.get(name) != route]
    yield from _at_once(change.after, written, "created or changed")
    yield from _at_once(change.before, before.keys() - after.keys(), "deleted")


def _at_once(template: Template, names: Iterable[str], done: str) -> Iterator[str]:
    at_once = _width(template.dependencies(), list(names))
    return above(_MOST_AT_ONCE, [(f"routes that can be {done} at the same time", at_once)], "routes")


def _width(dependencies: Mapping[str, set[str]], names: list[str]) -> int:
    """Return the largest number of these resources of which none waits for another.

    By Dilworth's theorem it is the number of chains that cover them: each pair of a largest matching joins two chains.
    """
    waits = {name: _all_before(name, dependencies) & set(names) for name in names}
    follower: dict[str, str] = {}

    def joined(name: str, tried: set[str]) -> bool:
        for earlier in waits[name] - tried:
            tried.add(earlier)
            if earlier not in follower or joined(follower[earlier], tried):
                follower[earlier] = name
                return True
        return False

    return len(names) - sum(joined(name, set()) for name in names)


def _all_before(name: str, dependencies: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = dependencies.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found


def _claimed(change: Change) -> Iterator[str]:
    """Yield routes that take a key before its holder gives it up: CloudFormation deletes at the end of an update."""
    before, after = _keys(change.before), _keys(change.after)
    holders = {_normal(key): name for name, key in before.items()}
    order = change.after.dependencies()
    for name, key in after.items():
        holder = holders.get(_normal(key), name)
        gives_up_first = holder in after and holder in _all_before(name, order)
        if holder != name and _normal(before.get(name, "")) != _normal(key) and not gives_up_first:
            yield f"{name}: {key} is still the key of {holder}"


TEMPLATE_RULES: Final = (
    Rule(
        "route-trailing-slash",
        "The key of a route ends in a slash.",
        'CDK: "must not end with a trailing slash"; a report of a failed deployment: invalid route name',
        _CDK,
        _trailing_slashes,
        doubt="No AWS reference states whether the service refuses the key or strips the slash.",
    ),
    Rule(
        "route-equal-keys",
        "Two routes of an API have the same key.",
        "409 ConflictException",
        _ROUTES,
        _equal,
    ),
    Rule(
        "route-equal-without-slash",
        "Two routes of an API have the same key but for a slash at the end.",
        "409 ConflictException where the service strips the slash",
        _CDK,
        _equal_without_slash,
        doubt="SAM's translator states in its code that API Gateway strips the slash and does not document it.",
    ),
    Rule(
        "route-key-form",
        "The key of a route is neither `$default` nor a method in upper case, one space and a path.",
        '"Routes consist of two parts: an HTTP method and a resource path"',
        _ROUTES,
        _malformed,
        doubt="The guide states the form; no source states that the service refuses a method in lower case.",
    ),
    Rule(
        "route-segments",
        "A segment of a path is empty, or has other characters, or a greedy variable is not the last segment.",
        '"One or more path parts appear to be invalid", and the message has the expression that a part must match',
        _PARTS,
        _segments,
    ),
    Rule(
        "route-variable-names",
        "Two routes of an API name the variable at one place of their paths differently.",
        '"conflicting variable on the same hierarchical level": 409 ConflictException',
        _LEVELS,
        _variable_names,
        doubt="One report has the message, at second hand. No AWS reference states the rule for HTTP APIs.",
    ),
    Rule("routes-per-api", "An API has too many routes.", "300 routes", _QUOTAS, _too_many),
    Rule(
        "routes-created-at-once",
        "More routes of one API are created at the same time than it takes.",
        'reports: fails "after 6 routes", ConflictException for concurrent changes',
        _CONCURRENT,
        _created_at_once,
        doubt="CloudFormation may repeat the calls; nobody reported a number for it.",
    ),
)
CHANGE_RULES: Final = (
    Rule(
        "routes-changed-at-once",
        "An update changes or deletes more routes of one API at the same time than it takes.",
        'reports: fails "after 6 routes", ConflictException for concurrent changes',
        _CONCURRENT,
        _changed_at_once,
        doubt="CloudFormation may repeat the calls; nobody reported a number for it. It deletes routes after all else, "
        "tries each three times, and then ends the update without them.",
    ),
    Rule(
        "route-key-claimed",
        "An update gives a key to a route while another route of the stack still has it.",
        "CloudFormation deletes what a template leaves out after it made the rest: 409 ConflictException",
        Source("CloudFormation user guide: Update behaviors of stack resources", LOOKED_UP),
        _claimed,
    ),
)
