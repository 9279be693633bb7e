"""The filter of a search on the page in Chromium: built from conditions, with the request that does the same."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

QUESTION: Final = "What does the Sandpiper 400 cost?"
CANARY: Final = "<img src=x onerror=window.canary=1>"
FILES: Final = {2025: ("old.md", "3,900", "draft"), 2026: ("new.md", "4,100", "signed off")}
SALES: Final = "department:sales"


@dataclass(frozen=True, slots=True)
class Site:
    """A page of a server with a document of each year, signed in as its administrator."""

    browser: Page
    url: str
    key: str
    person: str

    def shown(self, name: str) -> str:
        """Return the line of this name below the filter."""
        return self.browser.run(
            "return [...document.querySelectorAll('.ask .code-line')]"
            f".find(each => each.innerText.startsWith({json.dumps(name)})).querySelector('code').textContent"
        )

    def files(self, column: str) -> list[str]:
        """Return the file names of the passages in a column, as soon as the answer is there."""
        self.browser.wait_for("return !document.querySelector('.busy-line')")
        names = f"return [...document.querySelectorAll('{column} .passage .file')].map(each => each.innerText)"
        return self.browser.run(names)


@pytest.fixture(scope="module")
def site(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("filter")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for year, (name, price, status) in FILES.items():
        head = f"---\nyear: {year}\nstatus: {json.dumps(status)}\n---\n"
        (home / name).write_text(f"{head}# Prices\n\nThe Sandpiper 400 costs {price} euros.\n", encoding="utf-8")
        command.ingest(tenant, home / name, "--any-tag", SALES, "--yes")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--may-search-as", *rate)
    person = command.personal_key(tenant, "elif@acme.example", "--tag", SALES, *rate)
    with serve(home) as url:
        yield Site(browser, url, key, person)


def opened(site: Site, key: str) -> None:
    """Sign in with the key, and open the fields that narrow the search."""
    site.browser.command("Network.clearBrowserCookies")
    site.browser.load("about:blank")
    site.browser.sign_in(site.url, key)
    site.browser.wait_for("return document.querySelector('.question')")
    site.browser.run("document.querySelector('.ask details summary').click()")
    site.browser.run(f"document.querySelector('.question').value = {json.dumps(QUESTION)}")


def typed(site: Site, selector: str, text: str) -> None:
    """Type into the field that has the focus after a click on it."""
    site.browser.run(f"const field = document.querySelector({json.dumps(selector)}); field.value = ''; field.focus()")
    site.browser.command("Input.insertText", text=text)
    site.browser.press("Tab", 9)


def answer(site: Site, request: str) -> dict[str, Any]:
    """Send the shown JSON as a program does, as the person."""
    headers = {"authorization": f"Bearer {site.person}"}
    return httpx.post(f"{site.url}/v1/search", json=json.loads(request), headers=headers).raise_for_status().json()


def test_conditions_make_the_filter_that_the_search_takes(site: Site) -> None:
    opened(site, site.key)
    site.browser.wait_for("return document.querySelector('.condition')")
    assert site.browser.run("return [...document.querySelector('.condition datalist').options].map(e => e.value)") == [
        *("status", "year"),
    ]
    typed(site, ".condition input", "year")
    site.browser.run("document.querySelector('.condition select').value = '>='")
    typed(site, ".condition .field:nth-of-type(3) input", "2026")
    request = site.shown("JSON")
    assert json.loads(request)["where"] == "year >= 2026"
    assert json.dumps(json.loads(request)["where"]) in site.shown("curl")
    assert [each["source_file_name"] for each in answer(site, request)["passages"]] == ["new.md"]


def test_a_text_is_quoted_and_its_markup_stays_a_text(site: Site) -> None:
    opened(site, site.key)
    site.browser.wait_for("return document.querySelector('.condition')")
    typed(site, ".condition input", "status")
    typed(site, ".condition .field:nth-of-type(3) input", CANARY)
    assert json.loads(site.shown("JSON"))["where"] == f"status = '{CANARY}'"
    typed(site, ".condition .field:nth-of-type(3) input", "signed off")
    request = site.shown("JSON")
    assert json.loads(request)["where"] == "status = 'signed off'"
    assert [each["source_file_name"] for each in answer(site, request)["passages"]] == ["new.md"]
    assert site.browser.is_unharmed


def test_a_person_without_screens_of_an_administrator_types_the_filter(site: Site) -> None:
    opened(site, site.person)
    site.browser.wait_for("return document.querySelector('fieldset')")
    typed(site, "fieldset > .field input", "year < 2026")
    site.browser.click("Ask")
    assert site.files(".alone-answer") == ["old.md"]
    line = site.browser.run("return document.querySelector('.equivalents code').textContent")
    assert "--where 'year < 2026'" in line


def test_a_filter_that_the_server_cannot_read_is_answered_with_the_position(site: Site) -> None:
    opened(site, site.person)
    typed(site, "fieldset > .field input", "year >=")
    site.browser.click("Ask")
    site.browser.wait_for("return document.querySelector('[role=alert]')?.innerText.includes('a value is expected')")
