"""The wall before the emulators finds what AWS refuses of stacks, updates and invocations."""

from dataclasses import replace
from typing import Final

import pytest

from tests.server.adapters.aws.refusals.examples.building import function, routes, template
from tests.support.aws.refusals.calls.invocations import Invocation
from tests.support.aws.refusals.rule import RefusedByAwsError
from tests.support.aws.refusals.wall import refused_stack, require_invocation

LIMIT: Final = 262_144_000
LAYERED: Final = template({"One": function(Layers=[{"Ref": "Layer"}])})
ISOLATED: Final = template({"One": function(TenancyConfig={"TenantIsolationMode": "PER_TENANT"}), "Other": function()})


def test_a_stack_is_refused_for_the_size_of_its_artifacts() -> None:
    assert refused_stack(None, replace(LAYERED, unpacked={"Layer": LIMIT}), ()) == []
    [found] = refused_stack(None, replace(LAYERED, unpacked={"Layer": LIMIT, "One": 1}), ())
    assert str(found).startswith("unpacked-size: One")


def test_an_update_is_refused_that_changes_too_many_routes_at_once() -> None:
    six = template(routes(*(f"GET /{number}" for number in range(6))))
    assert {found.rule for found in refused_stack(template({}), six, ())} == {
        "routes-created-at-once",
        "routes-changed-at-once",
    }
    assert refused_stack(six, six, ("routes-created-at-once",)) == []


def test_an_excused_rule_does_not_count_and_others_do() -> None:
    slow = template({"One": function(Timeout=901)})
    assert refused_stack(None, slow, ("function-timeout",)) == []
    assert [found.rule for found in refused_stack(None, slow, ("function-memory",))] == ["function-timeout"]


def test_an_invocation_names_a_tenant_exactly_where_the_function_separates_tenants() -> None:
    require_invocation(ISOLATED, Invocation("One", b"{}", tenant="t_acme"))
    require_invocation(ISOLATED, Invocation("Other", b"{}"))
    with pytest.raises(RefusedByAwsError, match="tenant-id-missing: One"):
        require_invocation(ISOLATED, Invocation("One", b"{}"))
    with pytest.raises(RefusedByAwsError, match="tenant-id-unwanted: Other"):
        require_invocation(ISOLATED, Invocation("Other", b"{}", tenant="t_acme"))
