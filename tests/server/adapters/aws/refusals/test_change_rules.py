"""Each rule of updates finds a smallest update that breaks it alone, and passes one that keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.server.adapters.aws.refusals.examples.building import function, resource, routes, template
from tests.server.adapters.aws.refusals.examples.functions import INTERFACE_RIGHTS, joining
from tests.support.aws.refusals.rule import Reading, findings
from tests.support.aws.refusals.rules import CHANGE_RULES
from tests.support.aws.refusals.template import Change


@dataclass(frozen=True, slots=True)
class Example:
    """An update that a rule refuses, and one that it accepts."""

    refused: Change
    accepted: Change


def change(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    return Change(template(before), template(after))


def table(*indexes: str) -> dict[str, Any]:
    named = [{"IndexName": name, "KeySchema": []} for name in indexes]
    return {"One": resource("DynamoDB::Table", GlobalSecondaryIndexes=named)}


def outside(*actions: str) -> dict[str, Any]:
    """Return the function of `joining` outside of its VPC."""
    made = joining(*actions)
    del made["One"]["Properties"]["VpcConfig"]
    return made


PER_TENANT: Final = {"TenantIsolationMode": "PER_TENANT"}
SIX: Final = [f"GET /{number}" for number in range(6)]
EXAMPLES: Final[Mapping[str, Example]] = {
    "routes-changed-at-once": Example(change({}, routes(*SIX)), change({}, routes(*SIX, chained=True))),
    "route-key-claimed": Example(
        change({"Old": routes("ANY /mcp")["Route0"]}, {"New": routes("ANY /mcp")["Route0"]}),
        change({"Old": routes("ANY /mcp")["Route0"]}, {"New": routes("ANY /other")["Route0"]}),
    ),
    "vpc-function-leaves": Example(
        change(joining(*INTERFACE_RIGHTS), outside()),
        change(joining(*INTERFACE_RIGHTS), outside(*INTERFACE_RIGHTS)),
    ),
    "tenancy-change": Example(
        change({"One": function(FunctionName="f")}, {"One": function(FunctionName="f", TenancyConfig=PER_TENANT)}),
        change({"One": function()}, {"One": function(TenancyConfig=PER_TENANT)}),
    ),
    "table-index-changes": Example(change(table("a"), table("b")), change(table("a"), table("a", "b"))),
}


def broken(update: Change, reading: Reading = Reading.REFUSED) -> set[str]:
    return {finding.rule for finding in findings(CHANGE_RULES, update, reading)}


def test_every_rule_has_an_example() -> None:
    assert EXAMPLES.keys() == {rule.id for rule in CHANGE_RULES}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_an_update_that_breaks_one_rule_breaks_no_other(rule: str) -> None:
    assert broken(EXAMPLES[rule].refused) == {rule}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_an_update_that_keeps_the_rule_passes_all(rule: str) -> None:
    assert broken(EXAMPLES[rule].accepted) == set()


@pytest.mark.parametrize("rule", CHANGE_RULES, ids=lambda rule: rule.id)
def test_a_disputed_rule_counts_in_one_reading_alone(rule: Any) -> None:
    assert broken(EXAMPLES[rule.id].refused, Reading.ACCEPTED) == (set() if rule.doubt else {rule.id})


def test_routes_that_a_template_drops_count_as_changes() -> None:
    assert broken(change(routes(*SIX), {})) == {"routes-changed-at-once"}
    assert broken(change(routes(*SIX, chained=True), {})) == set()


def test_routes_that_stay_as_they_are_do_not_count() -> None:
    assert broken(change(routes(*SIX), routes(*SIX, "GET /more"))) == set()


def test_a_key_with_a_slash_is_still_held_by_the_route_without_it() -> None:
    update = change({"Old": routes("ANY /mcp/")["Route0"]}, {"New": routes("ANY /mcp")["Route0"]})
    assert broken(update) == {"route-key-claimed"}


def test_a_key_may_move_to_a_route_that_waits_for_its_holder() -> None:
    before = {"Old": routes("ANY /mcp")["Route0"]}
    new = {**routes("ANY /mcp")["Route0"], "DependsOn": "Old"}
    assert broken(change(before, {"Old": routes("ANY /old")["Route0"], "New": new})) == set()


def test_five_chains_of_routes_change_five_at_once() -> None:
    chains = {
        f"Chain{chain}Link{link}": {
            **resource("ApiGatewayV2::Route", ApiId="api", RouteKey=f"GET /{chain}/{link}"),
            **({"DependsOn": f"Chain{chain}Link{link - 1}"} if link else {}),
        }
        for chain in range(5)
        for link in range(8)
    }
    assert broken(change({}, chains)) == set()
    crossed = {**chains, "More": resource("ApiGatewayV2::Route", ApiId="api", RouteKey="GET /more")}
    assert broken(change({}, crossed)) == {"routes-changed-at-once"}


def test_a_function_with_a_new_name_may_change_its_tenant_isolation() -> None:
    renamed = function(FunctionName="g", TenancyConfig=PER_TENANT)
    assert broken(change({"One": function(FunctionName="f")}, {"One": renamed})) == set()
