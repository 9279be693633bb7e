"""Sign-in to the page in Chromium at a certified identity provider of another site."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from groundwire import wiring
from groundwire.domain.keys.forms.provider_session import REDIRECT_PATH
from groundwire.entry.local_server.background_server import run_in_background
from tests.support.engines.chromium import Page, page
from tests.support.engines.identity_provider import CLIENT_ID, Provider, provider
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command

SALES: Final = "The discount on the Sandpiper 400 is at most twelve percent."
ROOT: Final = Path(__file__).parents[4]
LINK: Final = "return document.querySelector('.provider a')"
LABEL: Final = "Sign in with your company's account"
SIGNED_IN: Final = "return document.querySelector('nav') && document.querySelector('main h1')"


@dataclass(frozen=True, slots=True)
class Site:
    """A server at `localhost`, and a provider at `127.0.0.1`: two sites, as a browser counts them."""

    url: str
    provider: Provider


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch, run_in_background(ROOT / "template.yaml") as address:
        url = address.replace("127.0.0.1", "localhost")
        command = Command(home, {})
        tenant = command.tenant("acme")
        file = home / "sales.md"
        file.write_text(f"# Prices\n\n{SALES}\n", encoding="utf-8")
        command.ingest(tenant, file, "--any-tag", "department:sales", "--yes")
        people = {"ana": {"company": tenant, "groups": ["department:sales"]}}
        its_provider = provider(people, url + REDIRECT_PATH)
        settings = {
            "PUBLIC_URL": url,
            "OAUTH_ISSUER": its_provider.issuer,
            "OAUTH_AUDIENCE": f"{url}/mcp",
            "OAUTH_TENANT_CLAIM": "company",
            "OAUTH_USER_CLAIM": "sub",
            "OAUTH_TAGS_CLAIM": "groups",
            "OAUTH_CLIENT_ID": CLIENT_ID,
        }
        variables = {f"GROUNDWIRE_{name}": value for name, value in settings.items()}
        key = ("key", "create", "--tenant", tenant, "--oauth", "--scope", "search", "--max-tag", "department:*")
        Command(home, variables)(*key, "--rate", "10000", "--burst", "1000", "--yes").done()
        own = {"GROUNDWIRE_HOME": str(home), "GROUNDWIRE_BIND_HOST": "127.0.0.1", "POWERTOOLS_METRICS_DISABLED": "true"}
        for name, value in {**variables, **own}.items():
            patch.setenv(name, value)
        wiring.reset()
        with its_provider.running("spring"):
            yield Site(url, its_provider)
        wiring.reset()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Page]:
    try:
        found = chromium()
    except Absent as absent:
        answer(absent)
    with page(found, tmp_path / "profile") as opened:
        opened.watch_failures()
        yield opened


def follow_link(browser: Page, site: Site, fragment: str = "") -> None:
    """Follow the link of the page to the provider, by keyboard."""
    browser.load(f"{site.url}/console{fragment}")
    browser.wait_for(LINK)
    assert browser.run(f"{LINK}.textContent") == LABEL
    browser.run("document.querySelector('.provider a').focus()")
    browser.leave_by(lambda: browser.press("Enter", 13, "\r"))
    assert browser.url.startswith(site.provider.issuer)


def agree(browser: Page) -> None:
    """Enter a name and a password at the provider, and consent."""
    filled = "for (const name of ['login', 'password']) document.querySelector(`input[name=${name}]`).value = 'ana';"
    browser.run(filled)
    for _ in range(2):
        browser.leave_by(lambda: browser.run("document.querySelector('form').requestSubmit()"))


def test_a_person_signs_in_at_another_site_and_searches_as_oneself(browser: Page, site: Site) -> None:
    follow_link(browser, site, "#/status")
    agree(browser)
    browser.wait_for(SIGNED_IN)
    # The person is where the link was, without a trace of the code in the address bar.
    assert browser.run("return location.href") == f"{site.url}/console#/status"
    assert browser.run("return [...document.querySelectorAll('nav a')].map(each => each.textContent)") == [
        *("Try", "Status", "API"),
    ]
    assert browser.run("return document.querySelector('.who').textContent").startswith("ana")
    assert browser.run("return document.cookie") == ""
    assert browser.run("return localStorage.length + sessionStorage.length") == 0
    browser.run("location.hash = '#/try'")
    browser.wait_for("return document.querySelector('.question')")
    browser.run(
        "const field = document.querySelector('.question'); field.value = 'Sandpiper discount';"
        "field.form.requestSubmit();"
    )
    browser.wait_for("return document.querySelector('.passage')")
    assert SALES in browser.run("return document.querySelector('main').innerText")
    browser.click("Sign out")
    browser.wait_for(LINK)
    browser.load(f"{site.url}/console")
    browser.wait_for(LINK)
    assert browser.failures == []


def test_a_person_who_cancels_reads_what_happened(browser: Page, site: Site) -> None:
    follow_link(browser, site)
    browser.leave_by(lambda: browser.run("document.querySelector('a[href$=abort]').click()"))
    browser.wait_for("return document.querySelector('[role=alert]')?.textContent.includes('cancelled')")
    assert browser.run("return location.href") == f"{site.url}/console"
    assert browser.failures == []


@pytest.mark.parametrize("word", ["other_address", "constructor", "__proto__", "<img src=x onerror=window.canary=1>"])
def test_a_planted_failure_shows_a_sentence_of_the_page_and_no_text_of_its_own(
    browser: Page, site: Site, word: str
) -> None:
    browser.load(f"{site.url}/console#sign-in={word}")
    browser.wait_for(LINK)
    shown = browser.run("return document.querySelector('[role=alert]')?.textContent ?? ''")
    assert word not in shown
    assert browser.is_unharmed
