"""Checks of an account before `sam deploy`: each names what would fail, and what to do instead."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.entry.cli.commands.doctor.before import check_account
from groundwire.ports.account import QuotaUse, RequiredRight
from groundwire.settings import folders
from tests.server.entry.doctor.fakes import Findings, HealthyAccount, cases

POLICY: Final = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Action": ["lambda:CreateFunction", "lambda:GetFunction"], "Resource": "*"},
        {
            "Effect": "Allow",
            "Action": "iam:PassRole",
            "Resource": ["arn:aws:iam::*:role/*"],
            "Condition": {"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com"}},
        },
    ],
}


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with the policy of the deployer."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "deployer-policy.json").write_text(json.dumps(POLICY))
    monkeypatch.setattr(folders, "checkout_folder", lambda: tmp_path)
    return tmp_path


def checked(**broken: Any) -> Findings:
    findings = Findings()
    check_account(HealthyAccount(**broken), "dev", findings)
    return findings


def test_an_account_with_room_passes_without_a_warning() -> None:
    findings = checked()
    assert (findings.bad(), findings.warned()) == (set(), set())
    assert findings.of("names").detail == "dev is free."
    assert all(each.promise.endswith(".") for each in findings.all)
    assert "Only a deployment shows whether your account may use it" in findings.of("tenancy").detail


def test_the_list_of_the_addresses_of_s3_is_named_for_the_parameter() -> None:
    assert "S3PrefixList=pl-1" in checked().of("s3").detail


@pytest.mark.parametrize(
    ("check", "broken", "remedy"),
    [
        ("clock", {"skew_s": 600.0}, "set it"),
        ("types", {"missing_types": {"AWS::OpenSearchServerless::CollectionGroup"}}, "set OpenSearchUrl"),
        ("runtime", {"runs": False}, "deploy in another Region"),
        ("tenancy", {"isolates": False}, "deploy with ParserIsolation=environment"),
        ("vpcs", {"networks": QuotaUse(5, 5)}, "deploy with ParserNetwork=open"),
        ("apis", {"gateways": QuotaUse(600, 600)}, "delete one"),
        ("names", {"stacks": {"dev": "ROLLBACK_COMPLETE"}}, "sam delete --stack-name dev"),
        ("names", {"stacks": {"dev": "CREATE_IN_PROGRESS"}}, "wait until that ends"),
        ("names", {"log_groups": {"/aws/vendedlogs/dev-access"}}, "aws logs delete-log-group"),
        ("rights", {"denied": {"iam:PassRole", "lambda:GetFunction"}}, "denies iam:PassRole, lambda:GetFunction"),
    ],
)
def test_what_would_fail_is_found_by_its_check_and_by_no_other(check: str, broken: dict[str, Any], remedy: str) -> None:
    findings = checked(**broken)
    assert (findings.bad(), findings.warned()) == ({check}, set())
    assert remedy in findings.of(check).detail


@pytest.mark.parametrize(
    ("check", "broken", "remedy"),
    [
        ("lambda", {"executions": QuotaUse(0, 10)}, "set IngestionConcurrency=2"),
        ("tenancy", {"isolates": None}, "ParserIsolation=environment"),
        ("s3", {"prefix_list": None}, "Leave S3PrefixList empty"),
        ("s3", {"prefix_list": Forbidden("no")}, "Leave S3PrefixList empty"),
    ],
)
def test_what_may_fail_is_a_warning(check: str, broken: dict[str, Any], remedy: str) -> None:
    findings = checked(**broken)
    assert (findings.bad(), findings.warned()) == (set(), {check})
    assert remedy in findings.of(check).detail


def test_a_stack_that_can_be_updated_is_in_order() -> None:
    findings = checked(stacks={"dev": "UPDATE_COMPLETE"}, log_groups={"/aws/vendedlogs/dev-access"})
    assert findings.bad() == set()
    assert "`sam deploy` updates it" in findings.of("names").detail


def test_without_credentials_nothing_else_is_checked() -> None:
    findings = checked(caller=InvalidInput("Unable to locate credentials."))
    assert findings.bad() == {"caller"}
    assert {each.check for each in findings.all} - findings.warned() == {"caller"}


def test_permissions_are_simulated_on_the_resources_and_conditions_of_each_statement() -> None:
    account = HealthyAccount()
    check_account(account, "dev", Findings())
    assert account.simulated == [
        RequiredRight(("lambda:CreateFunction", "lambda:GetFunction"), ("*",), {}),
        RequiredRight(("iam:PassRole",), ("arn:aws:iam::*:role/*",), {"iam:PassedToService": "lambda.amazonaws.com"}),
    ]


def test_without_the_policy_file_the_rights_are_a_warning(checkout: Path) -> None:
    (checkout / "docs" / "deployer-policy.json").unlink()
    assert checked().warned() == {"rights"}
    (checkout / "docs" / "deployer-policy.json").write_text("[]")
    assert checked().bad() == {"rights"}


def test_every_check_is_seen_failing() -> None:
    tables = (test_what_would_fail_is_found_by_its_check_and_by_no_other, test_what_may_fail_is_a_warning)
    by_itself = {"caller": test_without_credentials_nothing_else_is_checked}
    assert {each.check for each in checked().all} == cases(*tables, column=0) | by_itself.keys()
