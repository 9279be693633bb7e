"""The command `groundwire doctor`: selects what is checked, and prints the findings."""

from typing import Annotated, Final

import typer

from groundwire.domain.errors import Forbidden, InvalidInput, NotFound, Unavailable
from groundwire.entry.cli.commands.doctor.findings import Finding, Report
from groundwire.entry.cli.console import print_json
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.cli.target import LocalTarget, RestTarget, StackTarget, current_target
from groundwire.entry.cli.target.action_client import rows_of
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.entry.operator.monitoring.tenant_checks import CheckStatus
from groundwire.wiring import remote_targets

EXAMPLES: Final = examples(
    "groundwire doctor",
    "groundwire doctor --before --region eu-central-1",
)
_DEFAULT_STACK: Final = "groundwire-dev"
"""Name of the stack in samconfig.toml."""


def doctor(
    *,
    before: Annotated[
        bool, typer.Option("--before", help="Check an AWS account before the first `sam deploy`; nothing is created.")
    ] = False,
    leftovers: Annotated[
        bool, typer.Option("--leftovers", help="With --stack: prove that nothing is left of earlier checks.")
    ] = False,
    wake: Annotated[
        bool, typer.Option("--wake", help="With --stack: measure the time until a sleeping index answers.")
    ] = False,
    address: Annotated[
        str | None,
        typer.Option(metavar="URL", help="With --stack: call the service here, such as before its domain resolves."),
    ] = None,
    region: Annotated[
        str | None, typer.Option(help="With --before: Region of the stack; default: as AWS tools find it.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="-", help="Check one access token from standard input: its user and tags, and why."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Check this installation; with --stack a deployed stack, and with --before an account without one.

    With --url the service checks the tenant of the key: documents, keys, index, sign-in and sources.
    """
    target = current_target()
    stack = target if isinstance(target, StackTarget) else None
    _reject_misplaced_token(token, is_local=isinstance(target, LocalTarget) and not before)
    _reject_contradiction(stack, before=before, leftovers=leftovers, wake=wake, address=address)
    findings: list[Finding] = []

    def report(finding: Finding) -> None:
        findings.append(finding)
        if not as_json:
            finding.show()

    if isinstance(target, RestTarget):
        _check_service_tenant(target.api, report, before=before)
    elif before:
        _check_before(stack, region, report)
    elif stack is not None:
        _check_stack(stack, address, report, only_leftovers=leftovers, measures_wake=wake)
    else:
        _check_machine(token, report)
    if as_json:
        print_json([finding.to_json() for finding in findings])
    return 0 if all(finding.ok for finding in findings) else 1


def _reject_contradiction(
    stack: StackTarget | None, *, before: bool, leftovers: bool, wake: bool, address: str | None
) -> None:
    if stack is None and (leftovers or wake or address is not None):
        raise InvalidInput("--leftovers, --wake and --address are about a stack: use `groundwire --stack NAME doctor`.")
    if before + leftovers + wake > 1 or (address is not None and (before or leftovers)):
        raise InvalidInput("Give only one of --before, --leftovers and --wake; --address goes only with --wake.")


def _check_machine(token: str | None, report: Report) -> None:
    from groundwire.entry.cli.commands.doctor.local import check_installation, check_token

    if token is not None:
        check_token(token, report)
        return
    for finding in check_installation():
        report(finding)


def _check_service_tenant(service: RestApi, report: Report, *, before: bool) -> None:
    if before:
        raise InvalidInput("--before is about an AWS account: leave --url out.")
    for check in rows_of(service.get("/v1/doctor"), "checks"):
        detail = " ".join(str(each) for each in (check["message"], check["remedy"]) if each is not None)
        is_failed, is_warning = check["status"] == CheckStatus.FAILED, check["status"] == CheckStatus.WARNING
        report(Finding(str(check["name"]), ok=not is_failed, detail=detail, is_warning=is_warning))


def _reject_misplaced_token(token: str | None, *, is_local: bool) -> None:
    if token is not None and not is_local:
        raise InvalidInput(
            "--token is checked on the server itself. For a stack, use `groundwire --url URL key explain-token`."
        )


def _check_before(stack: StackTarget | None, region: str | None, report: Report) -> None:
    from groundwire.entry.cli.commands.doctor.before import check_account

    name, default_region = (_DEFAULT_STACK, None) if stack is None else (stack.name, stack.region)
    check_account(remote_targets.prospective_account(region or default_region), name, report)


def _check_stack(
    stack: StackTarget, address: str | None, report: Report, *, only_leftovers: bool, measures_wake: bool
) -> None:
    if only_leftovers:
        from groundwire.entry.cli.commands.doctor.leftovers import check_leftovers

        check_leftovers(stack.operator, report)
        return
    from groundwire.entry.cli.commands.doctor.deployment import check_deployment
    from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
    from groundwire.entry.cli.commands.doctor.service import check_service

    if address is not None:
        address = remote_targets.service_address(address)
    # The time counts from here, so that slow answers of AWS are a part of it.
    budget, deployed = RunBudget(), remote_targets.deployed_stack(stack.name, stack.region)
    try:
        deployed.require_exists()
    except NotFound as error:
        raise NotFound(f"This account has no stack {stack.name!r}: check the name and --region.") from error
    except (Forbidden, Unavailable):
        # The checks report it: where AWS refuses signatures, the one of the clock has the reason.
        pass
    check_deployment(deployed, stack.operator, budget, report)
    check_service(stack.operator, address, budget, report, measures_wake=measures_wake)
