"""All that the suite asks of a server, of one that has what it asks for by name."""

from collections.abc import Iterator
from typing import Final

import pytest

from tests.e2e.conformance.revisions import HANDSHAKE, OLDER, STATELESS
from tests.e2e.conformance.suite import Report, Score, Suite
from tests.support.entry.server_builds import company, open_with_fixtures, serving

NEED_A_BACK_CHANNEL: Final = frozenset(
    {"tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"}
)
"""They ask the client while a call runs, over a stream that a function would have to hold open."""

NOT_SCORED: Final = frozenset({"json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"})


@pytest.fixture(scope="module")
def url(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("fixtures") / "home"
    _, key = company(home)
    with serving(open_with_fixtures, home, key) as url:
        yield url


@pytest.fixture(scope="module")
def stateless(suite: Suite, url: str) -> Report:
    return suite.run(url, STATELESS, "fixtures")


@pytest.fixture(scope="module")
def handshake(suite: Suite, url: str) -> Report:
    return suite.run(url, HANDSHAKE, "fixtures")


def test_all_37_scenarios_of_2026_07_28_are_passed_without_a_warning(suite: Suite, stateless: Report) -> None:
    required = suite.required(STATELESS)
    assert stateless.code == 0, stateless.text
    assert len(required) == 37
    assert required <= stateless.passed, stateless.text
    assert not stateless.expected


def test_what_2026_07_28_does_not_score_is_passed_but_for_an_extension_that_is_not_offered(stateless: Report) -> None:
    assert stateless.passed >= NOT_SCORED, stateless.text
    assert {name.partition("-")[0] for name in stateless.failed} == {"tasks"}, stateless.text


def test_26_of_30_scenarios_of_2025_11_25_are_passed_and_four_need_a_back_channel(
    suite: Suite, handshake: Report
) -> None:
    required = suite.required(HANDSHAKE)
    assert handshake.code == 0, handshake.text
    assert len(required) == 30
    assert len(required & handshake.passed) == 26, handshake.text
    assert required - handshake.passed == handshake.failed == NEED_A_BACK_CHANNEL, handshake.text
    assert {check.partition(":")[0] for check in handshake.expected} == NEED_A_BACK_CHANNEL


def test_a_session_begins_and_ends_as_2025_11_25_has_it(handshake: Report) -> None:
    assert handshake.scores["server-session-lifecycle"] == Score(passed=3, failed=0), handshake.text


def test_25_of_27_scenarios_that_apply_to_2025_06_18_are_passed(suite: Suite, url: str) -> None:
    report = suite.run(url, OLDER, "fixtures")
    assert report.code == 0, report.text
    assert report.failed == {"tools-call-sampling", "tools-call-elicitation"}, report.text
    assert len(report.passed) == 25, report.text
