"""`groundwire --stack NAME doctor` on an emulated deployment, with the credentials of the account's owner."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.host_proxy import forwarding
from tests.support.entry.command import Command, Finished

Doctor = Callable[..., Finished]
ALLOWED_TO_WARN: Final = {
    # The emulator hands over the client's headers; the suite of operators has a gateway that overwrites them.
    "headers": "No: in 2 of 2 calls",
    "sign-in": "The gateway itself answers a call without Authorization (401)",
    # The stack of the tests has neither a topic nor a mail address, and is deleted with the emulator.
    "alarms": "alarms call nobody",
    "tables": "DeletionProtection=true",
    # Functions of the emulator are in no network of the stack: the resolver of this machine answers them.
    "names": "Not known: the lookup of example.com",
}
"""Warnings about what the emulated stack lacks, by the check that finds it."""
ALLOWED_TO_FAIL: Final = {"names": "It looked up example.com"}
"""Failures that it has where the resolver of this machine knows the internet."""


@contextmanager
def checking(deployment: Deployment, home: Path) -> Generator[Doctor]:
    """The command with its options for as long as the block; `calls` is False where it does not call the service."""
    host = f"{deployment.stack.resources['HttpApi']}.execute-api.localhost:{deployment.account.port}"
    with forwarding(deployment.account.port, host) as address:

        def run(*options: str, calls: bool = True) -> Finished:
            addressed = ("--address", address) if calls else ()
            return Command(home, {})(
                *("--stack", deployment.stack.name, "doctor", *addressed, *options), **deployment.account.credentials
            )

        yield run


def require_green(finished: Finished) -> list[dict[str, Any]]:
    """Return the findings of `doctor --json`; AssertionError unless all are in order but what the emulator lacks."""
    findings: list[dict[str, Any]] = json.loads(finished.out)
    failures = {each["check"]: each["detail"] for each in findings if not each["ok"]}
    warnings = {each["check"]: each["detail"] for each in findings if each.get("warning")}
    for found, allowed in ((failures, ALLOWED_TO_FAIL), (warnings, ALLOWED_TO_WARN)):
        assert found.keys() <= allowed.keys(), found
        assert all(allowed[check] in detail for check, detail in found.items())
    assert finished.code == int(bool(failures))
    return findings
