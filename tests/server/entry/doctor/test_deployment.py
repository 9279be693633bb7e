"""Checks of a deployed stack: all hold in a healthy one, and each is seen failing."""

from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.entry.cli.commands.doctor.deployment import check_deployment
from groundwire.ports.account import DeployedAlarm, DeployedRole
from tests.server.entry.doctor.fakes import (
    LAYER,
    REPORT,
    REPORTED,
    RIGHT,
    TOPIC,
    Clock,
    Findings,
    HealthyService,
    HealthyStack,
    cases,
    function,
)

OTHER_LAYER: Final = replace(function("Mcp"), layers=(f"{LAYER}:2",))
PARSER: Final = function("Parser", isolates_tenants=True, is_in_network=True)
GRANT: Final = frozenset({RIGHT})
OTHER: Final = frozenset({"allow s3:PutObject on *"})
NONE: Final = frozenset[str]()
UNKNOWN: Final = frozenset({"allow s3:GetObject on (unknown: Fn::ImportValue)"})
ANSWERED: Final = {"name": "example.com", "outcome": "answered", "detail": "it has an address"}
UNKNOWN_LOOKUP: Final = {**ANSWERED, "outcome": "unknown", "detail": "no answer within 5 s"}
NOT_ENFORCED: Final = {"restriction": "no sockets", "enforced": False, "detail": "EPERM"}


def checked(**broken: Any) -> Findings:
    findings = Findings()
    check_deployment(HealthyStack(**broken), HealthyService(), Clock().budget(), findings)
    return findings


def test_in_a_healthy_stack_every_promise_holds_without_a_warning() -> None:
    findings = checked()
    assert (findings.bad(), findings.warned()) == (set(), set())
    assert all(each.promise.endswith(".") for each in findings.all)
    assert findings.of("confined").detail == (
        "Each tenant has execution environments of its own. Enforced inside: no sockets."
    )


@pytest.mark.parametrize(
    ("check", "broken", "detail"),
    [
        ("clock", {"skew_s": 400.0}, "The clock is 400 s ahead"),
        ("clock", {"skew_s": -400.0}, "The clock is 400 s behind"),
        ("versions", {"listed_functions": (OTHER_LAYER, PARSER)}, "Functions use different versions of"),
        ("roles", {"listed_functions": (replace(PARSER, role="Admin"),)}, "has the role Admin, not ParserRole"),
        (
            "roles",
            {"listed_roles": (DeployedRole("McpRole", GRANT | OTHER, GRANT, NONE),)},
            "McpRole also has: allow s3:PutObject on *.",
        ),
        ("roles", {"listed_roles": (DeployedRole("McpRole", NONE, GRANT, NONE),)}, f"McpRole lacks: {RIGHT}."),
        (
            "roles",
            {"listed_roles": (DeployedRole("McpRole", OTHER, GRANT, NONE),)},
            f"McpRole also has: allow s3:PutObject on *, and lacks: {RIGHT}.",
        ),
        ("roles", {"listed_roles": (DeployedRole("McpRole", NONE, GRANT, UNKNOWN),)}, f"McpRole lacks: {RIGHT}."),
        ("confined", {"probe": {**REPORTED, "confinement": []}}, "does not report its restrictions"),
        ("names", {"probe": {**REPORTED, "lookup": ANSWERED}}, "It looked up example.com, so names can carry text"),
        ("queues", {"depths": {"DeadLetterQueue": 3}}, "DeadLetterQueue 3."),
        (
            "alarms",
            {"listed_alarms": (DeployedAlarm("FaultsAlarm", (TOPIC,), is_ringing=True),)},
            "Ringing now: FaultsAlarm",
        ),
    ],
)
def test_a_broken_part_is_found_by_its_check_and_by_no_other(check: str, broken: dict[str, Any], detail: str) -> None:
    findings = checked(**broken)
    assert (findings.bad(), findings.warned()) == ({check}, set())
    assert detail in findings.of(check).detail


@pytest.mark.parametrize(
    ("check", "broken", "detail"),
    [
        (
            "roles",
            {"listed_roles": (DeployedRole("McpRole", GRANT | OTHER, GRANT, UNKNOWN),)},
            "(unknown: Fn::ImportValue). Beside the known rights it has: allow s3:PutObject on *.",
        ),
        (
            "confined",
            {"listed_functions": (function("Parser", is_in_network=True),)},
            "ParserIsolation=environment",
        ),
        ("names", {"listed_functions": (function("Parser", isolates_tenants=True),)}, "because of ParserNetwork=open"),
        ("names", {"probe": {**REPORTED, "lookup": UNKNOWN_LOOKUP}}, "Not known: the lookup of example.com ended"),
        ("names", {"probe": {"confinement": REPORTED["confinement"]}}, "the parser function tries no lookup"),
        ("throttles", {"throttled": {"McpFunction": 7}}, "McpFunction 7. Ask Service Quotas"),
        (
            "alarms",
            {"listed_alarms": (DeployedAlarm("FaultsAlarm", (), is_ringing=False),)},
            "1 of 1 alarms call nobody",
        ),
        ("alarms", {"receivers": 0}, f"Nobody has confirmed a subscription of {TOPIC}"),
        ("tables", {"protected": {"KeysTable": False}}, "KeysTable can be: deploy with DeletionProtection=true"),
    ],
)
def test_a_restriction_is_a_warning_with_its_remedy(check: str, broken: dict[str, Any], detail: str) -> None:
    findings = checked(**broken)
    assert (findings.bad(), findings.warned()) == (set(), {check})
    assert detail in findings.of(check).detail


@pytest.mark.parametrize(
    ("broken", "detail"),
    [({"probe": None}, "has no parser function"), ({"is_asleep": True}, "sleeps after weeks without a document")],
)
def test_without_a_report_neither_confinement_nor_names_are_known(broken: dict[str, Any], detail: str) -> None:
    findings = checked(**broken)
    assert (findings.bad(), findings.warned()) == (set(), {"confined", "names"})
    assert all(detail in findings.of(check).detail for check in ("confined", "names"))


def test_an_open_network_is_not_taken_for_a_broken_firewall() -> None:
    opened = function("Parser", isolates_tenants=True)
    findings = checked(listed_functions=(opened,), probe={**REPORTED, "lookup": ANSWERED})
    assert (findings.bad(), findings.warned()) == (set(), {"names"})


def test_what_the_kernel_refuses_is_named_beside_what_is_enforced() -> None:
    enforced = {"restriction": "own folder", "enforced": True, "detail": ""}
    detail = checked(probe={**REPORTED, "confinement": [enforced, NOT_ENFORCED]}).of("confined").detail
    assert detail.endswith("Enforced inside: own folder. Lambda's kernel refuses: no sockets (EPERM).")


@pytest.mark.parametrize(("isolates_tenants", "tenant"), [(True, "doctor"), (False, None)])
def test_the_probe_names_a_tenant_only_where_lambda_isolates_tenants(
    *, isolates_tenants: bool, tenant: str | None
) -> None:
    stack = HealthyStack(listed_functions=(function("Parser", isolates_tenants=isolates_tenants),))
    check_deployment(stack, HealthyService(), Clock().budget(), Findings())
    assert stack.probed_as == [tenant]


def test_another_version_of_the_command_line_is_a_warning() -> None:
    class Earlier(HealthyService):
        def execute(self, action: str, **fields: object) -> dict[str, object]:
            return {**REPORT, "version": "0.0.9"}

    findings = Findings()
    check_deployment(HealthyStack(), Earlier(), Clock().budget(), findings)
    assert findings.warned() == {"versions"}
    assert "The stack is 0.0.9" in findings.of("versions").detail


def test_every_check_is_seen_failing() -> None:
    tables = (test_a_broken_part_is_found_by_its_check_and_by_no_other, test_a_restriction_is_a_warning_with_its_remedy)
    assert {each.check for each in checked().all} == cases(*tables, column=0)
