"""Sign-in to the page in Chromium, by keyboard alone, and its first screen: two people get two answers."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command

ROOT: Final = Path(__file__).parents[4]
SALES: Final = "The discount on the Sandpiper 400 is at most twelve percent."
FINANCE: Final = "The floor price of the Sandpiper 400 is 2,310 euros."
QUESTION: Final = "How low can we go on the price of a Sandpiper 400?"
SIGNED_IN: Final = "return document.querySelector('nav') && document.querySelector('main h1')"
ASKS_FOR_KEY: Final = "return document.activeElement.name === 'key'"


@dataclass(frozen=True, slots=True)
class Site:
    """A server with a document for each of two departments, and keys of an administrator and of a person."""

    url: str
    administrator: str
    person: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("site")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for name, text in (("sales", SALES), ("finance", FINANCE)):
        file = home / f"{name}.md"
        file.write_text(f"# Prices of {name}\n\n{text}\n", encoding="utf-8")
        command.ingest(tenant, file, "--any-tag", f"department:{name}", "--yes")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    administrator = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--may-search-as", *rate)
    person = command.personal_key(tenant, "elif@acme.example", "--tag", "department:sales", *rate)
    with serve(home) as url:
        yield Site(url, administrator, person)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Page]:
    try:
        found = chromium()
    except Absent as absent:
        answer(absent)
    with page(found, tmp_path / "profile") as opened:
        opened.watch_failures()
        yield opened


def signed_in(browser: Page, site: Site, key: str) -> None:
    browser.load(f"{site.url}/console")
    browser.wait_for(ASKS_FOR_KEY)
    browser.command("Input.insertText", text=key)
    browser.press("Enter", 13, "\r")
    browser.wait_for(SIGNED_IN)


def test_a_key_signs_in_by_keyboard_and_stays_where_no_script_reads_it(browser: Page, site: Site) -> None:
    signed_in(browser, site, site.administrator)

    assert browser.run("return document.cookie") == ""
    assert browser.run("return localStorage.length + sessionStorage.length") == 0
    assert site.administrator not in browser.run("return document.documentElement.outerHTML")
    assert (
        browser.run("return [...document.querySelectorAll('input')].map(each => each.value)").count(site.administrator)
        == 0
    )
    browser.load(f"{site.url}/console")
    browser.wait_for(SIGNED_IN)
    assert browser.failures == []


def test_a_person_signs_out_by_keyboard_and_the_page_then_needs_a_key(browser: Page, site: Site) -> None:
    signed_in(browser, site, site.person)
    browser.run("[...document.querySelectorAll('button')].find(each => each.textContent === 'Sign out').focus()")
    browser.press("Enter", 13, "\r")
    browser.wait_for(ASKS_FOR_KEY)
    browser.load(f"{site.url}/console")
    browser.wait_for(ASKS_FOR_KEY)


def test_a_wrong_key_is_refused_in_words_and_leaves_the_field(browser: Page, site: Site) -> None:
    browser.load(f"{site.url}/console")
    browser.wait_for(ASKS_FOR_KEY)
    browser.command("Input.insertText", text="gw_local_wrong")
    browser.press("Enter", 13, "\r")
    browser.wait_for("return document.querySelector('[role=alert]')?.textContent.includes('key')")
    assert browser.run("return document.querySelector('input[name=key]').value") == ""


def test_the_first_screen_gives_two_people_two_answers_with_the_reason(browser: Page, site: Site) -> None:
    signed_in(browser, site, site.administrator)
    # The tenant has the two tags of the sample, so that the page asks as its two people by itself.
    browser.wait_for(f"return document.querySelector('.question')?.value === {json.dumps(QUESTION)}")
    browser.wait_for("return document.querySelectorAll('.person .passage').length >= 2")
    first, second = browser.run("return [...document.querySelectorAll('.person')].map(each => each.innerText)")

    assert SALES in first
    assert FINANCE not in first
    assert FINANCE in second
    assert SALES not in second
    assert "Visible because Elif has department:sales." in first
    browser.wait_for("return document.querySelector('.absent .reason')?.textContent.includes('department:finance')")
    assert browser.failures == []


def test_a_plain_person_asks_as_oneself_and_sees_no_screen_of_an_administrator(browser: Page, site: Site) -> None:
    signed_in(browser, site, site.person)
    assert browser.run("return [...document.querySelectorAll('nav a')].map(each => each.textContent)") == [
        *("Try", "Status", "API"),
    ]
    browser.run(
        f"const field = document.querySelector('.question'); field.value = {json.dumps(QUESTION)};"
        "field.form.requestSubmit();"
    )
    browser.wait_for("return document.querySelector('.passage')")
    text = browser.run("return document.querySelector('main').innerText")
    assert SALES in text
    assert FINANCE not in text
