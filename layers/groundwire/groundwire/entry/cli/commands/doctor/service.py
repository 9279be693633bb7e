"""Checks of a deployed service from outside, with a scratch tenant that is deleted at their end."""

import time
from collections.abc import Callable
from functools import partial

from groundwire.entry.cli.commands.doctor import calls
from groundwire.entry.cli.commands.doctor.file_journey import PHRASE, VISIBLE_SECONDS, FileJourney
from groundwire.entry.cli.commands.doctor.findings import Check, Report, run_check, skipped
from groundwire.entry.cli.commands.doctor.scratch_tenant import READER, ScratchTenant
from groundwire.entry.cli.target.operator_client import OperatorClient

_Checks = list[tuple[str, str, Check]]


def check_service(
    operator: OperatorClient,
    address: str | None,
    report: Report,
    *,
    measures_wake: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Make all checks; the scratch tenant is deleted also where one of them fails.

    Args:
        operator: creates and deletes the tenant.
        address: URL of the service; None: the stack's own.
        report: receives each finding as soon as it is there.
        measures_wake: the time until the index answers is measured before anything else wakes it.
        sleep: waits between two questions.
    """
    tenant = ScratchTenant(operator, address, sleep)
    created = run_check("tenant", tenant.create, "An operator creates a tenant with keys.")
    report(created)
    try:
        wake: _Checks = [("wake", "The index answers an agent.", partial(_wake, tenant))] if measures_wake else []
        _run([*wake, *_of_calls(tenant)], report, is_possible=created.ok)
        _run_until_failure(_of_file(FileJourney(tenant)), report, is_possible=created.ok)
    finally:
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


def _run(checks: _Checks, report: Report, *, is_possible: bool) -> None:
    for name, promise, check in checks:
        report(run_check(name, check, promise) if is_possible else skipped(name, promise))


def _run_until_failure(checks: _Checks, report: Report, *, is_possible: bool) -> None:
    """Make the checks of one file; after a failed one the others would only repeat it."""
    for name, promise, check in checks:
        finding = run_check(name, check, promise) if is_possible else skipped(name, promise)
        report(finding)
        is_possible = is_possible and finding.ok


def _wake(tenant: ScratchTenant) -> str:
    started = time.monotonic()
    agent = tenant.headers_of("agent", READER)
    tenant.poll(lambda: [tenant.service.search(agent, PHRASE)], "the first search to answer", VISIBLE_SECONDS)
    return f"The first search was answered after {time.monotonic() - started:.1f} s."
