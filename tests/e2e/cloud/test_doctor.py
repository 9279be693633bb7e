"""`groundwire --stack NAME doctor` on the deployed stack: every promise holds, and nothing is left of it afterwards."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.cloud.checking import ALLOWED_TO_FAIL, Doctor, checking, require_green
from tests.e2e.cloud.deployment import Deployment
from tests.support.entry.command import Command

NAMES: Final = [
    *("clock", "versions", "roles", "confined", "names", "throttles", "queues", "alarms", "tables"),
    *("tenant", "wake", "context", "sign-in", "slash", "headers", "session"),
    *("upload", "parse", "search", "index", "link", "unshare", "delete"),
]


@pytest.fixture
def doctor(deployment: Deployment, tmp_path: Path) -> Generator[Doctor]:
    with checking(deployment, tmp_path / "home") as run:
        yield run


def test_every_promise_holds_on_the_emulated_stack_but_what_the_emulator_lacks(doctor: Doctor) -> None:
    findings = require_green(doctor("--json"))
    assert [each["check"] for each in findings] == NAMES
    assert all(each["promise"] for each in findings)
    (headers,) = [each["detail"] for each in findings if each["check"] == "headers"]
    assert "No: in 2 of 2 calls" in headers


def test_a_right_that_somebody_added_to_a_role_is_named(doctor: Doctor, deployment: Deployment) -> None:
    policy = {"RoleName": deployment.stack.resources["SourcesRole"], "PolicyName": "added"}
    statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}
    deployment.account.iam.put_role_policy(**policy, PolicyDocument=json.dumps({"Statement": [statement]}))
    try:
        finished = doctor("--json")
    finally:
        deployment.account.iam.delete_role_policy(**policy)
    bad = {each["check"]: each["detail"] for each in json.loads(finished.out) if not each["ok"]}
    assert bad.keys() - ALLOWED_TO_FAIL.keys() == {"roles"}
    assert bad["roles"].startswith("SourcesRole also has: allow s3:GetObject on *.")
    assert finished.code == 1


def test_nothing_is_left_of_an_earlier_check(doctor: Doctor, deployment: Deployment) -> None:
    made = deployment.operate({"action": "stack.create_scratch_tenant"})["tenant"]
    interrupted = doctor("--leftovers", calls=False)
    assert interrupted.code == 0
    assert f"left the tenant {made['name']}" in interrupted.err
    clean = json.loads(doctor("--leftovers", "--json", calls=False).out)
    assert all(each["ok"] and "warning" not in each for each in clean)
    assert f"{made['tenant']}: nothing was left." in {each["detail"] for each in clean}


def test_a_name_of_no_stack_is_one_sentence(deployment: Deployment, tmp_path: Path) -> None:
    groundwire = Command(tmp_path / "home", {})
    finished = groundwire("--stack", "groundwire-prdo", "doctor", **deployment.account.credentials)
    assert (finished.code, finished.out) == (1, "")
    assert finished.line == "This account has no stack 'groundwire-prdo': check the name and --region."
