"""The command: what it prints for people and programs, its exit code, and options that contradict each other."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.wiring import remote_targets
from tests.server.entry.doctor.fakes import HealthyAccount, HealthyService, HealthyStack
from tests.support.entry.command import Command


@pytest.fixture
def groundwire(tmp_path: Path) -> Command:
    return Command(tmp_path / "home", {})


def returning(value: object) -> Callable[..., object]:
    """A function that returns the value whatever it is given."""

    def build(*_: object) -> object:
        return value

    return build


def put_account(monkeypatch: pytest.MonkeyPatch, account: HealthyAccount, regions: list[str | None]) -> None:
    def build(region: str | None) -> HealthyAccount:
        regions.append(region)
        return account

    monkeypatch.setattr(remote_targets, "prospective_account", build)


def test_a_finding_for_programs_has_its_check_promise_and_detail(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    regions: list[str | None] = []
    put_account(monkeypatch, HealthyAccount(isolates=None), regions)
    findings = groundwire("doctor", "--before", "--region", "eu-west-1", "--json").done().json
    assert findings[0] == {
        "check": "caller",
        "ok": True,
        "detail": "arn:aws:iam::1:user/ann",
        "promise": "The credentials are valid.",
    }
    [tenancy] = [each for each in findings if each["check"] == "tenancy"]
    assert (tenancy["ok"], tenancy["warning"]) == (True, True)
    assert regions == ["eu-west-1"]


def test_a_line_has_mark_check_promise_and_detail_and_a_failure_ends_with_1(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_account(monkeypatch, HealthyAccount(runs=False, isolates=None), [])
    finished = groundwire("doctor", "--before")
    assert finished.code == 1
    assert "ok  caller    The credentials are valid. arn:aws:iam::1:user/ann\n" in finished.out
    assert "BAD runtime Lambda in the Region runs the functions. Lambda here does not run" in finished.err
    assert "!! tenancy" in finished.err


def test_before_a_deployment_the_name_and_region_of_stack_are_checked(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    regions: list[str | None] = []
    put_account(monkeypatch, HealthyAccount(stacks={"prod": "CREATE_COMPLETE"}), regions)
    out = groundwire("--stack", "prod", "--region", "eu-north-1", "doctor", "--before").done().out
    assert "The stack prod exists (CREATE_COMPLETE)" in out
    assert regions == ["eu-north-1"]
    assert "groundwire-dev is free." in groundwire("doctor", "--before").done().out


def test_leftovers_ask_the_operator_function_only(groundwire: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    service = HealthyService(leftovers={"t_1": None})
    monkeypatch.setattr(remote_targets, "operator_client", returning(service))
    out = groundwire("--stack", "prod", "doctor", "--leftovers").done().out
    assert "t_1: nothing was left." in out
    assert service.actions == ["stack.list_scratch_tenants", "tenant.delete"]


def test_a_stack_is_checked_in_its_account_and_then_as_a_service(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = HealthyService()
    monkeypatch.setattr(remote_targets, "operator_client", returning(service))
    monkeypatch.setattr(remote_targets, "deployed_stack", returning(HealthyStack()))
    monkeypatch.setattr(remote_targets, "send_http", service.send)
    monkeypatch.setattr(remote_targets, "post_upload_form", service.upload)
    monkeypatch.setattr(remote_targets, "rest_client", returning(service.rest()))
    finished = groundwire("--stack", "prod", "doctor").done()
    checks = [line.split()[1] for line in finished.out.splitlines()]
    assert (checks[0], checks[8:10], checks[-1]) == ("clock", ["tables", "tenant"], "delete")
    assert finished.err == ""


@pytest.mark.parametrize(
    "options",
    [
        ["doctor", "--leftovers"],
        ["doctor", "--wake"],
        ["doctor", "--address", "https://docs.example.com"],
        ["doctor", "--address", ""],
        ["--stack", "prod", "doctor", "--before", "--leftovers"],
        ["--stack", "prod", "doctor", "--leftovers", "--wake"],
        ["--stack", "prod", "doctor", "--leftovers", "--address", "https://docs.example.com"],
    ],
)
def test_options_that_contradict_each_other_are_refused(groundwire: Command, options: list[str]) -> None:
    refused = groundwire(*options)
    assert refused.code == 2
    assert "--leftovers" in refused.line


def test_a_missing_stack_is_reported_in_one_sentence_without_any_check(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_targets, "operator_client", returning(HealthyService()))
    absent = HealthyStack(missing=NotFound("AWS has no such thing: Stack with id prdo does not exist."))
    monkeypatch.setattr(remote_targets, "deployed_stack", returning(absent))
    finished = groundwire("--stack", "prdo", "doctor")
    assert (finished.code, finished.out) == (1, "")
    assert finished.line == "This account has no stack 'prdo': check the name and --region."


def test_where_aws_refuses_the_signature_the_clock_is_still_checked(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = HealthyStack(missing=Unavailable("AWS refuses cloudformation:DescribeStacks."), skew_s=4000.0)
    service = HealthyService()
    monkeypatch.setattr(remote_targets, "operator_client", returning(service))
    monkeypatch.setattr(remote_targets, "deployed_stack", returning(refused))
    monkeypatch.setattr(remote_targets, "send_http", service.send)
    monkeypatch.setattr(remote_targets, "post_upload_form", service.upload)
    monkeypatch.setattr(remote_targets, "rest_client", returning(service.rest()))
    finished = groundwire("--stack", "prod", "doctor")
    assert finished.code == 1
    assert "BAD clock This machine's clock agrees with AWS's. The clock is 4000 s ahead" in finished.err


@pytest.mark.parametrize("option", ["--stack", "--url"])
def test_an_empty_target_is_not_taken_for_this_machine(groundwire: Command, option: str) -> None:
    finished = groundwire(option, "", "doctor")
    assert (finished.code, finished.out) == (2, "")
    assert finished.line == "--stack or --url is empty: name a stack or a service, or leave the option out."


@pytest.mark.parametrize("address", ["", "docs.example.com", "http://docs.example.com", "https://", "ftp://127.0.0.1"])
def test_a_malformed_address_is_refused_before_anything_is_created(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    service = HealthyService()
    monkeypatch.setattr(remote_targets, "operator_client", returning(service))
    monkeypatch.setattr(remote_targets, "deployed_stack", returning(HealthyStack()))
    finished = groundwire("--stack", "prod", "doctor", "--address", address)
    assert (finished.code, finished.out, service.actions) == (2, "", [])
    assert repr(address) in finished.line
