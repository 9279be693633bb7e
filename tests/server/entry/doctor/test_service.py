"""Checks of a service with a scratch tenant: all hold in a healthy one, each is seen failing, the tenant is deleted."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.commands.doctor.calls import RESTORED_CHALLENGE
from groundwire.entry.cli.commands.doctor.findings import NOT_CHECKED
from groundwire.entry.cli.commands.doctor.leftovers import check_leftovers
from groundwire.entry.cli.commands.doctor.service import check_service
from groundwire.wiring import remote_targets
from tests.server.entry.doctor.fakes import URL, Clock, Findings, HealthyService, Rest, cases

ROOT: Final = Path(__file__).parents[4]
Check = Callable[..., Findings]
CONSEQUENCES: Final = {"admits anybody": ("sign-in", "delete")}
"""Further checks that find a broken part, because their promises break with it."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def check(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs the checks against a service; only a wait takes time."""

    def run(service: HealthyService, *, address: str | None = None, measures_wake: bool = False) -> Findings:
        def rest_client(url: str, key: str) -> Rest:
            assert (url, key) == (URL, "gw_live_personal")
            return service.rest()

        monkeypatch.setattr(remote_targets, "send_http", service.send)
        monkeypatch.setattr(remote_targets, "post_upload_form", service.upload)
        monkeypatch.setattr(remote_targets, "rest_client", rest_client)
        findings = Findings()
        check_service(service, address, clock.budget(), findings, measures_wake=measures_wake)
        return findings

    return run


def test_in_a_healthy_service_every_promise_holds_without_a_warning(check: Check) -> None:
    service = HealthyService()
    findings = check(service)
    assert (findings.bad(), findings.warned()) == (set(), set())
    assert findings.of("headers").detail == "Overwritten: yes, in 2 of 2 calls that sent others."
    assert service.actions[-1] == "tenant.delete"
    assert all(each.promise.endswith(".") for each in findings.all)


@pytest.mark.parametrize(
    ("broken", "found", "detail"),
    [
        ("stack.wake_index", "wake", "90 s were not enough for the index to answer"),
        ("admits anybody", "context", "no key was answered with 200, not 401"),
        ("no challenge", "sign-in", "has no challenge"),
        ("refusal body", "sign-in", "has no error in its body"),
        ("slash", "slash", "a call of /mcp/ was answered with 404"),
        ("session", "session", "no session"),
        ("session end", "session", "a call after its end was answered with 200, not 404"),
        ("upload", "upload", "The bucket refuses the file."),
        ("parse waits", "parse", "120 s were not enough for the file to be indexed. Its state is parsing (another"),
        ("parse fails", "parse", "The file is failed: The parser does not start."),
        ("search", "search", "90 s were not enough for doctor-reader to find it."),
        ("search fails", "search", "asleep"),
        ("other text", "search", "found another text"),
        ("everybody finds", "search", "doctor-other, whom its policy does not name, finds it too"),
        ("index", "index", "knows no index"),
        ("mapping", "index", "was made by another version"),
        ("link", "link", "The link was answered with 302"),
        ("link bytes", "link", "other bytes"),
        ("unshare", "unshare", "90 s were not enough for the file to be gone."),
    ],
)
def test_a_broken_component_fails_its_check_and_the_tenant_is_deleted(
    check: Check, broken: str, found: str, detail: str
) -> None:
    service = HealthyService(broken)
    findings = check(service)
    assert findings.bad() == {found, *CONSEQUENCES.get(broken, ())}
    assert detail in findings.of(found).detail
    assert "tenant.delete" in service.actions


def test_every_check_is_seen_failing(check: Check) -> None:
    by_itself = {
        "tenant": test_without_a_tenant_nothing_is_checked_and_nothing_is_deleted,
        "headers": test_functions_that_count_no_header_prove_nothing,
        "delete": test_a_key_that_outlives_its_tenant_is_found,
    }
    table = cases(test_a_broken_component_fails_its_check_and_the_tenant_is_deleted, column=1)
    assert {each.check for each in check(HealthyService()).all} == table | by_itself.keys()


def test_after_a_failed_parse_the_checks_of_the_file_are_named_as_not_made(check: Check) -> None:
    findings = check(HealthyService("parse fails"))
    assert findings.warned() == {"search", "index", "link", "unshare"}
    assert findings.of("search").detail == NOT_CHECKED


def test_without_a_tenant_nothing_is_checked_and_nothing_is_deleted(check: Check) -> None:
    service = HealthyService("stack.create_scratch_tenant")
    findings = check(service)
    assert findings.bad() == {"tenant"}
    assert "tenant.delete" not in service.actions


def test_a_tenant_without_keys_is_deleted(check: Check) -> None:
    service = HealthyService("key.create")
    assert check(service).bad() == {"tenant"}
    assert service.actions[-1] == "tenant.delete"


def test_a_key_that_outlives_its_tenant_is_found(check: Check) -> None:
    findings = check(HealthyService("keys outlive the tenant"))
    assert findings.bad() == {"delete"}
    assert "a key of the deleted tenant was answered with 200" in findings.of("delete").detail


def test_the_deletion_waits_for_an_ingestion_that_still_runs(check: Check) -> None:
    service = HealthyService(busy_deletions=3)
    assert check(service).bad() == set()
    assert service.actions.count("tenant.delete") == 4


@pytest.mark.parametrize(("unanswered", "seconds"), [(0, 180), (4, 180), (20, 300)])
def test_a_run_takes_3_minutes_with_an_awake_index_and_5_with_one_that_slept(
    check: Check, clock: Clock, unanswered: int, seconds: int
) -> None:
    findings = check(HealthyService(unanswered=unanswered, busy_deletions=1000))
    assert f"This run takes at most {seconds} s." in findings.of("wake").detail
    assert findings.bad() == {"delete"}
    detail = findings.of("delete").detail
    assert f"as a run takes {seconds} s. The last error: The tenant's documents are being written." in detail
    assert detail.endswith("Delete t_1 later with `doctor --leftovers`.")
    assert clock.now == seconds


def test_waits_share_the_time_and_leave_the_deletion_its_part(check: Check, clock: Clock) -> None:
    findings = check(HealthyService("search", parse_seconds=100))
    assert "50 s were not enough for doctor-reader to find it, as a run takes 180 s." in findings.of("search").detail
    assert findings.bad() == {"search"}
    assert clock.now == 150


def test_checks_that_come_after_the_deadline_are_not_tried_and_the_tenant_is_deleted(
    check: Check, clock: Clock
) -> None:
    class SlowUpload(HealthyService):
        def upload(self, url: str, fields: Mapping[str, str], content: bytes) -> None:
            super().upload(url, fields, content)
            clock.sleep(170)

    service = SlowUpload()
    findings = check(service)
    assert findings.bad() == {"parse"}
    assert findings.of("parse").detail.startswith("Not tried: the checks took the 150 s that they have.")
    assert findings.warned() == {"search", "index", "link", "unshare"}
    assert service.actions[-1] == "tenant.delete"
    assert findings.of("delete").ok


def test_an_index_that_never_answers_is_found_within_the_longer_time(check: Check, clock: Clock) -> None:
    assert check(HealthyService(unanswered=1000)).bad() == {"wake"}
    assert clock.now < 300


def test_a_release_without_the_question_is_reported_at_once(check: Check, clock: Clock) -> None:
    class Earlier(HealthyService):
        def execute(self, action: str, **fields: object) -> Mapping[str, object]:
            if action == "stack.wake_index":
                raise InvalidInput("There is no action 'stack.wake_index'.")
            return super().execute(action, **fields)

    assert "There is no action" in check(Earlier()).of("wake").detail
    assert clock.now == 0


def test_headers_that_the_gateway_passes_on_are_a_warning(check: Check) -> None:
    findings = check(HealthyService(overwrites=False))
    assert (findings.bad(), findings.warned()) == (set(), {"headers"})
    assert findings.of("headers").detail.startswith("No: in 2 of 2 calls")


def test_functions_that_count_no_header_prove_nothing(check: Check) -> None:
    findings = check(HealthyService(counts_headers=False))
    assert findings.bad() == {"headers"}
    assert "counted 0 of 2 calls, so nothing is proved" in findings.of("headers").detail


def test_a_gateway_that_answers_calls_without_a_key_itself_is_a_warning(check: Check) -> None:
    findings = check(HealthyService(answers_without_key=True))
    assert (findings.bad(), findings.warned()) == (set(), {"sign-in"})
    assert "The gateway itself answers a call without Authorization (401)" in findings.of("sign-in").detail


@pytest.mark.parametrize("renames", [False, True])
def test_the_challenge_is_found_under_its_own_and_under_its_renamed_name(check: Check, *, renames: bool) -> None:
    findings = check(HealthyService(issuer=True, renames_challenge=renames))
    assert findings.bad() == set()
    assert findings.warned() == ({"sign-in"} if renames else set())
    assert ("renames the challenge" in findings.of("sign-in").detail) is renames


def test_the_page_about_sign_in_has_the_same_remedy() -> None:
    page = " ".join((ROOT / "docs/oauth.md").read_text(encoding="utf-8").split())
    assert RESTORED_CHALLENGE in page


def test_a_challenge_without_the_metadata_that_exists_is_found(check: Check) -> None:
    findings = check(HealthyService("challenge", issuer=True))
    assert findings.bad() == {"sign-in"}
    assert "disagree" in findings.of("sign-in").detail


def test_the_index_is_queried_before_anything_else_wakes_it(check: Check) -> None:
    findings = check(HealthyService(unanswered=12), measures_wake=True)
    assert [each.check for each in findings.all][:2] == ["tenant", "wake"]
    assert "It slept, and answered after 12.0 s." in findings.of("wake").detail
    assert (findings.bad(), findings.warned()) == (set(), set())


def test_the_wake_time_of_an_awake_index_cannot_be_measured(check: Check) -> None:
    findings = check(HealthyService(), measures_wake=True)
    assert findings.warned() == {"wake"}
    assert "Measure the wake time after 10 minutes" in findings.of("wake").detail


def test_another_address_replaces_that_of_the_stack(check: Check) -> None:
    findings = check(HealthyService(), address=f"{URL}/")
    assert f"at {URL}." in findings.of("tenant").detail


def leftovers(**state: Any) -> Findings:
    findings = Findings()
    check_leftovers(HealthyService(**state), findings)
    return findings


def test_nothing_left_is_proved_for_each_earlier_tenant_and_the_logs_are_named() -> None:
    findings = leftovers(leftovers={"t_1": None, "t_2": None})
    assert (findings.bad(), findings.warned()) == (set(), set())
    assert [each.detail for each in findings.all[:2]] == ["t_1: nothing was left.", "t_2: nothing was left."]
    assert "AuditRetentionDays" in findings.of("logs").detail


def test_data_that_came_after_the_deletion_is_bad_and_an_interrupted_run_a_warning() -> None:
    delayed = leftovers(leftovers={"t_1": None}, erased={"files": 2})
    assert delayed.bad() == {"leftovers"}
    assert "2 files were left, and are erased now" in delayed.of("leftovers").detail
    interrupted = leftovers(leftovers={"t_1": "groundwire-doctor-1"}, erased={"keys": 2})
    assert interrupted.warned() == {"leftovers"}
    assert "left the tenant groundwire-doctor-1" in interrupted.of("leftovers").detail


def test_without_earlier_checks_there_is_nothing_to_prove() -> None:
    assert leftovers().of("leftovers").detail.startswith("No check has created a tenant")
