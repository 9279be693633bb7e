"""Checks of a deployed service from outside, with a scratch tenant that is deleted at their end."""

from functools import partial
from typing import Final

from groundwire.entry.cli.commands.doctor import calls
from groundwire.entry.cli.commands.doctor.file_journey import FileJourney
from groundwire.entry.cli.commands.doctor.findings import Caution, Check, Report, run_check, skipped
from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
from groundwire.entry.cli.commands.doctor.scratch_tenant import ScratchTenant
from groundwire.entry.cli.target.action_client import ActionClient

_Checks = list[tuple[str, str, Check]]
_AT_ONCE_SECONDS: Final = 5.0
"""An awake index answers within a second; a sleeping one takes 10 to 30 s (Serverless guide, "Scale to zero")."""
_WAKE_SECONDS: Final = 90.0


def check_service(
    operator: ActionClient, address: str | None, budget: RunBudget, report: Report, *, measures_wake: bool
) -> None:
    """Make all checks; the scratch tenant is deleted also where one of them fails or the time is over.

    Args:
        operator: creates and deletes the tenant.
        address: URL of the service; None: the stack's own.
        budget: time of the run.
        report: receives each finding as soon as it is there.
        measures_wake: the caller wants to know how long a sleeping index takes to answer.
    """
    tenant = ScratchTenant(operator, address, budget)
    created = budget.run("tenant", tenant.create, "An operator creates a tenant with keys.")
    report(created)
    try:
        wake = partial(_wake, tenant, measures_wake=measures_wake)
        _run([("wake", "The index answers.", wake), *_of_calls(tenant)], budget, report, is_possible=created.ok)
        _run_until_failure(_of_file(FileJourney(tenant)), budget, report, is_possible=created.ok)
    finally:
        # The creation may have failed before there was a tenant.
        if tenant.id:
            report(run_check("delete", tenant.delete, "The tenant is deleted with all that it had."))


def _of_calls(tenant: ScratchTenant) -> _Checks:
    return [
        ("context", "Only a valid key is admitted, as the authorizer decides.", partial(calls.check_context, tenant)),
        ("sign-in", "A client without a key learns how to get in.", partial(calls.check_sign_in, tenant)),
        ("slash", "An address with a slash at its end is served.", partial(calls.check_slash, tenant)),
        ("headers", "The gateway overwrites a client's identity headers.", partial(calls.check_headers, tenant)),
        ("session", "A session begins, ends, and is over then.", partial(calls.check_session, tenant)),
    ]


def _of_file(journey: FileJourney) -> _Checks:
    return [
        ("upload", "A file with a ticket arrives in the bucket.", journey.upload),
        ("parse", "The file is parsed and indexed.", journey.parse),
        ("search", "Its reader finds the file, and nobody else.", journey.search),
        ("index", "The index has the mapping of this release.", journey.index),
        ("link", "The link of a passage opens the uploaded file.", journey.link),
        ("unshare", "A file whose policy names nobody is not found.", journey.unshare),
    ]


def _run(checks: _Checks, budget: RunBudget, report: Report, *, is_possible: bool) -> None:
    for name, promise, check in checks:
        report(budget.run(name, check, promise) if is_possible else skipped(name, promise))


def _run_until_failure(checks: _Checks, budget: RunBudget, report: Report, *, is_possible: bool) -> None:
    """Make the checks of one file; after a failed one the others would only repeat it."""
    for name, promise, check in checks:
        finding = budget.run(name, check, promise) if is_possible else skipped(name, promise)
        report(finding)
        is_possible = is_possible and finding.ok


def _wake(tenant: ScratchTenant, *, measures_wake: bool) -> str | Caution:
    """Wait for the first answer of the index, which decides how long the run may take."""
    budget = tenant.budget
    started_s = budget.elapsed_s
    budget.wait(tenant.wake_index, "the index to answer", _WAKE_SECONDS)
    seconds = budget.elapsed_s - started_s
    if seconds > _AT_ONCE_SECONDS:
        return f"It slept, and answered after {seconds:.1f} s. This run takes at most {budget.limit_s:.0f} s."
    budget.expect_awake()
    text = f"It was awake, and answered after {seconds:.1f} s. This run takes at most {budget.limit_s:.0f} s."
    if not measures_wake:
        return text
    return Caution(f"{text} Measure the wake time after 10 minutes without any call of the collection.")
