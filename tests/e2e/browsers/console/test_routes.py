"""Routes of the API that a person calls on the page, in Chromium."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

CANARY: Final = "<img src=x onerror=window.canary=1>"
# Of the one route that is open.
OPEN: Final = "const open = document.querySelector('details.route[open]'); "


@dataclass(frozen=True, slots=True)
class Office:
    """A page at the screen of routes, signed in as an administrator, and the command beside the server."""

    browser: Page
    command: Command
    tenant: str

    def open(self, route: str) -> None:
        """Find a route, and open its part of the screen."""
        self.browser.run("location.hash = '#/status'")
        self.browser.wait_for("return document.querySelector('caption')")
        self.browser.run("location.hash = '#/api'")
        self.browser.wait_for("return document.querySelector('details.route')")
        self.browser.wait_for(
            "const names = [...document.querySelectorAll('details.route code')];"
            f"const found = names.find(each => each.innerText === {json.dumps(route)});"
            "found?.closest('details').setAttribute('open', ''); return Boolean(found)"
        )

    def answer(self) -> str:
        """The answer below the route, as soon as it is there."""
        return self.browser.wait_for(f"{OPEN} return open?.querySelector('.json, [role=alert], .notice')?.innerText")


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("routes")
    command = Command(home, {})
    tenant = command.tenant("acme")
    key = command.personal_key(
        *(tenant, "olga@acme.example", "--scope", "admin", "--name", CANARY, "--rate", "10000", "--yes")
    )
    with serve(home) as url:
        browser.sign_in(url, key)
        yield Office(browser, command, tenant)


def test_a_route_that_reads_is_called_at_once_with_its_parameters(office: Office) -> None:
    office.open("GET /v1/keys")
    office.browser.type("limit", "1")
    office.browser.click("Call it")
    [key] = json.loads(office.answer())["keys"]
    assert key["user"] == "olga@acme.example"
    assert office.browser.run("return document.querySelector('.equivalents code').textContent").startswith("curl -s")
    assert "limit=1" in office.browser.run("return document.querySelector('.equivalents code').textContent")
    assert office.browser.is_unharmed


def test_a_route_that_changes_something_is_called_after_a_question_that_shows_what_is_sent(office: Office) -> None:
    office.open("PUT /v1/users/{user}")
    office.browser.type("user", "ana/../x@acme.example")
    office.browser.run(f"{OPEN} open.querySelector('textarea').value = '{{\"tags\": [\"department:sales\"]}}'")
    office.browser.click("Call it …")
    office.browser.wait_for("return document.querySelector('dialog')?.innerText.includes('department:sales')")
    assert "%2F" in office.browser.run("return document.querySelector('dialog h2').innerText")
    assert office.command.json("user", "list", "-t", office.tenant) == []
    office.browser.click("Send")
    assert json.loads(office.answer())["tags"] == ["department:sales"]
    [user] = office.command.json("user", "list", "-t", office.tenant)
    assert user["user"] == "ana/../x@acme.example"
    assert office.browser.failures == []


def test_a_body_that_is_no_json_is_not_sent(office: Office) -> None:
    office.open("POST /v1/access/check")
    office.browser.run(f"{OPEN} open.querySelector('textarea').value = '{{'")
    office.browser.click("Call it …")
    assert office.answer().startswith("The body is no JSON.")
    assert office.browser.run("return document.querySelector('dialog')") is None


def test_an_error_of_a_route_is_shown_with_what_to_do(office: Office) -> None:
    office.open("GET /v1/documents/{doc_id}")
    office.browser.type("doc_id", "nothing")
    office.browser.click("Call it")
    assert "There is no document 'nothing'" in office.answer()
