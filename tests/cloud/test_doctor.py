"""`groundwire --stack NAME doctor` on the deployed stack: every promise holds, and nothing is left of it afterwards."""

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cloud.deployment import Deployment
from tests.support.aws.deployment.host_proxy import forwarding
from tests.support.entry.command import Command, Finished

Doctor = Callable[..., Finished]
ALLOWED_TO_WARN: Final = {
    # The emulator hands over the client's headers; tests/operator/test_stack_report.py has a gateway that overwrites.
    "headers": "No: in 2 of 2 calls",
    "sign-in": "The gateway itself answers a call without Authorization (401)",
    # The emulator has one environment for all tenants of a function.
    "confined": "because of ParserIsolation=environment",
    # The stack of the tests has neither a topic nor a mail address, and is deleted with the emulator.
    "alarms": "alarms call nobody",
    "tables": "DeletionProtection=true",
}
"""What the emulated stack lacks, by the check that finds it."""
NAMES: Final = [
    *("clock", "versions", "roles", "confined", "throttles", "queues", "alarms", "tables"),
    *("tenant", "context", "sign-in", "slash", "headers", "session"),
    *("upload", "parse", "search", "index", "link", "unshare", "delete"),
]


@pytest.fixture
def doctor(deployment: Deployment, tmp_path: Path) -> Generator[Doctor]:
    """The command with its options, for the credentials of the account's owner."""
    host = f"{deployment.stack.resources['HttpApi']}.execute-api.localhost:{deployment.account.port}"
    with forwarding(deployment.account.port, host) as address:

        def run(*options: str, calls: bool = True) -> Finished:
            addressed = ("--address", address) if calls else ()
            return Command(tmp_path / "home", {})(
                *("--stack", deployment.stack.name, "doctor", *addressed, *options), **deployment.account.credentials
            )

        yield run


def test_every_promise_holds_on_the_emulated_stack_but_what_the_emulator_lacks(doctor: Doctor) -> None:
    finished = doctor("--json")
    findings: list[dict[str, Any]] = json.loads(finished.out)
    assert [each for each in findings if not each["ok"]] == []
    assert finished.code == 0
    assert [each["check"] for each in findings] == NAMES
    assert all(each["promise"] for each in findings)
    warnings = {each["check"]: each["detail"] for each in findings if each.get("warning")}
    assert warnings.keys() <= ALLOWED_TO_WARN.keys()
    assert all(ALLOWED_TO_WARN[check] in detail for check, detail in warnings.items())
    assert "No: in 2 of 2 calls" in warnings["headers"]


def test_nothing_is_left_of_an_earlier_check(doctor: Doctor, deployment: Deployment) -> None:
    made = deployment.operate({"action": "stack.create_scratch_tenant"})["tenant"]
    interrupted = doctor("--leftovers", calls=False)
    assert interrupted.code == 0
    assert f"left the tenant {made['name']}" in interrupted.err
    clean = json.loads(doctor("--leftovers", "--json", calls=False).out)
    assert all(each["ok"] and "warning" not in each for each in clean)
    assert f"{made['tenant']}: nothing was left." in {each["detail"] for each in clean}
