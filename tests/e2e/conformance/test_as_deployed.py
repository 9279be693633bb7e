"""The conformance suite against the product's server: the checks that need no fixture of their own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from groundwire.settings import environment
from groundwire.wiring.local.services import open_home
from groundwire_model_builder.install.builder import build_model
from tests.e2e.conformance.revisions import HANDSHAKE, STATELESS
from tests.e2e.conformance.suite import Report, Score, Suite
from tests.support.entry.command import Command
from tests.support.entry.server_builds import company, serving

PASSED: Final = {
    STATELESS: {
        "caching",
        "dns-rebinding-protection",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "prompts-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "tools-list",
    },
    HANDSHAKE: {
        "dns-rebinding-protection",
        "logging-set-level",
        "ping",
        "prompts-list",
        "resources-list",
        "server-initialize",
        "server-sse-multiple-streams",
        "tools-list",
    },
}


@pytest.fixture(scope="module")
def url(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    build_model(environment.read_settings({}).model, lambda _stage, _fraction: None)
    folder = tmp_path_factory.mktemp("as-deployed")
    tenant, key = company(folder / "home")
    _ingest_something(folder, tenant)
    with serving(open_home, folder / "home", key) as url:
        yield url


def _ingest_something(folder: Path, tenant: str) -> None:
    document = folder / "pump.md"
    document.write_text("# Pump\n\nThe blue pump takes 40 litres.\n", encoding="utf-8")
    Command(folder / "home", {}).ingest(tenant, document, "--public")


@pytest.fixture(scope="module", params=[STATELESS, HANDSHAKE])
def revision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def report(suite: Suite, url: str, revision: str) -> Report:
    return suite.run(url, revision, "production")


def test_nothing_fails_but_checks_that_ask_for_fixtures(suite: Suite, report: Report, revision: str) -> None:
    assert report.code == 0, report.text
    assert suite.required(revision) & report.passed == PASSED[revision], report.text


@pytest.mark.parametrize("revision", [STATELESS], scope="module")
def test_a_server_without_state_is_what_2026_07_28_wants_but_for_four_checks_that_call_fixtures(report: Report) -> None:
    assert report.scores["server-stateless"] == Score(passed=21, failed=4), report.text


@pytest.mark.parametrize("revision", [STATELESS], scope="module")
def test_lists_and_a_resource_that_is_read_say_how_long_they_may_be_kept(report: Report) -> None:
    # Seven where no resource is listed: none is read then.
    assert report.scores["caching"] == Score(passed=8, failed=0), report.text


@pytest.mark.parametrize("revision", [STATELESS], scope="module")
def test_headers_are_held_against_the_body(report: Report) -> None:
    # One calls the first tool without arguments and wants a result: that they are missing is one.
    assert report.scores["http-header-validation"] == Score(passed=14, failed=0), report.text


@pytest.mark.parametrize("revision", [HANDSHAKE], scope="module")
def test_a_session_begins_and_ends_as_2025_11_25_has_it(report: Report) -> None:
    assert report.scores["server-session-lifecycle"] == Score(passed=3, failed=0), report.text
