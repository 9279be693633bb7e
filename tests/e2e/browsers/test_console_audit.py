"""The audit log on the page in Chromium: its chain is verified, and a document shows to whom it was given."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command


@dataclass(frozen=True, slots=True)
class Office:
    """A page of a server, signed in as its administrator, and the folder of the server."""

    browser: Page
    url: str
    home: Path

    def open(self, screen: str) -> None:
        self.browser.run(f"location.hash = '#/{screen}'")
        self.browser.wait_for("return document.querySelector('main h1') && !document.querySelector('.busy-line')")


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("audit")
    command = Command(home, {})
    tenant = command.tenant("acme")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", *rate)
    with serve(home) as url:
        browser.sign_in(url, key)
        yield Office(browser, url, home)


def test_the_chain_of_the_log_is_verified_on_a_click(office: Office) -> None:
    office.open("audit")
    office.browser.click("Verify the log")
    office.browser.wait_for(
        "return document.querySelector('.notice.good')?.textContent.startsWith('Verified: each of')"
    )
    line = office.browser.run("return document.querySelector('.equivalents code').textContent")
    assert line == "groundwire audit verify"
    assert office.browser.failures == []


def test_a_changed_line_is_reported(office: Office) -> None:
    office.open("audit")
    log = office.home / "audit.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"/v1/session", b"/v1/sessioN", 1))
    office.browser.click("Verify the log")
    office.browser.wait_for("return document.querySelector('.notice.bad')?.textContent.includes('was changed')")
