"""The page in Chromium: every screen draws, no planted text runs, nothing scrolls sideways, nothing is refused."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire import wiring
from groundwire.entry.local_server.background_server import run_in_background
from tests.support.engines.chromium import Page
from tests.support.engines.installers.node import packages
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command
from tests.support.entry.key_proxy import listening

ROOT: Final = Path(__file__).parents[4]
AXE_LOCK: Final = Path(__file__).parents[1] / "axe" / "package-lock.json"
WCAG: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
CANARY: Final = '<img src=x onerror="window.canary=1"><script>window.canary=1</script>'
TAG: Final = "team:<img/src=x/onerror=window.canary=1>"
# A tag and a user have no blank, so a slash is between the parts of the markup.
USER: Final = "<svg/onload=window.canary=1>@acme.example"
AGENTS_USER: Final = "<svg/onload=window.canary=1>@agents.example"
BLOCKED: Final = "<svg/onload=window.canary=1>@blocked.example"
GROUP: Final = "/<img src=x onerror=window.canary=1>"
DRAWN: Final = "return document.querySelector('main h1') && !document.querySelector('.busy-line, [aria-busy]')"
SCREENS: Final = (
    *(
        "try",
        "documents",
        "documents/DOC",
        "documents/deleted/list",
        "documents/upload/files",
        "documents/runs/list",
        "access/check",
        "access/readers",
    ),
    *("access/documents", "access/why-not", "access/what-if", "people/users", "people/tags", "people/groups"),
    *("people/blocks", "people/leaving", "keys", "audit", "quality", "status", "api"),
)


@dataclass(frozen=True, slots=True)
class Console:
    """A server whose tenant has planted texts, behind a proxy that adds the key of an administrator."""

    url: str
    document: str


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    home = tmp_path_factory.mktemp("console")
    command = Command(home, {})
    tenant = command.tenant("acme")
    file = home / "planted.md"
    file.write_text(f"# Lease {CANARY}\n\nThe rent of the Ostrov depot is 4,100 euros. {CANARY}\n", encoding="utf-8")
    command.ingest(tenant, file, "--any-tag", TAG, "--user", USER, "--yes")
    command("user", "set", USER, "-t", tenant, "--tag", TAG, "--yes").done()
    command("group", "set", GROUP, "-t", tenant, "--tag", TAG, "--yes").done()
    command("user", "block", BLOCKED, "-t", tenant, "--reason", CANARY).done()
    key = command.personal_key(
        *(tenant, USER, "--tag", TAG, "--name", CANARY, "--scope", "admin"),
        *("--rate", "10000", "--burst", "1000", "--yes"),
    )
    with pytest.MonkeyPatch.context() as patch, listening() as proxy:
        for name, value in {"HOME": str(home), "PUBLIC_URL": proxy.url, "BIND_HOST": "127.0.0.1"}.items():
            patch.setenv(f"GROUNDWIRE_{name}", value)
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        wiring.reset()
        with run_in_background(ROOT / "template.yaml") as upstream:
            proxy.forward(upstream, key)
            [document] = command.json("documents", "list", "-t", tenant)
            _plant_as_agent(upstream, command.acting_key(tenant, "--scope", "admin", "--scope", "search", "--yes"))
            yield Console(proxy.url, document["doc_id"])
        wiring.reset()


def _plant_as_agent(url: str, key: str) -> None:
    """Send the planted text wherever an agent may send a text that an administrator sees."""
    headers = {"authorization": f"Bearer {key}", "x-user-id": AGENTS_USER, "x-session-tags": json.dumps([TAG])}
    calls: list[dict[str, object]] = [
        {"name": "rag_search", "arguments": {"search_phrases": [f"rent of the Ostrov depot {CANARY}"]}},
        {"name": CANARY, "arguments": {CANARY: CANARY}},
    ]
    with httpx.Client(base_url=url, headers=headers, timeout=30) as http:
        for params in calls:
            http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        judged = {"id": "1", "text": CANARY, "relevant": {"none": 1}}
        made = http.post("/v1/evaluations", json={"name": CANARY, "questions": [judged]})
        assert made.status_code == 201, made.text


def sized(browser: Page, width: int, scheme: str) -> None:
    browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


def opened(browser: Page, console: Console, screen: str) -> None:
    # The part after `#` alone loads nothing: another page before makes it a load.
    browser.load("about:blank")
    browser.load(f"{console.url}/console#/{screen.replace('DOC', console.document)}")
    browser.wait_for(DRAWN)


def is_unharmed(browser: Page) -> None:
    assert browser.is_unharmed, browser.failures
    # Elements that the page never makes: whoever finds one has markup that a text became.
    assert browser.run("return document.querySelectorAll('svg:not(.ranking), iframe, script:not([src])').length") == 0


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe, which finds what people with disabilities cannot use."""
    try:
        return (packages(AXE_LOCK, ROOT / ".cache" / "browser-axe") / "axe-core" / "axe.min.js").read_text(
            encoding="utf-8"
        )
    except Absent as absent:
        answer(absent)


def violations(browser: Page, axe: str) -> list[str]:
    """Return the rules of WCAG 2.2 A and AA that the page breaks, each with the elements."""
    browser.command("Runtime.evaluate", expression=axe)
    found = browser.command(
        "Runtime.evaluate",
        expression=f"axe.run(document, {{runOnly: {json.dumps(WCAG)}, resultTypes: ['violations']}}).then(found => "
        "found.violations.map(each => `${each.id}: ${each.nodes.map(node => node.html)}`))",
        awaitPromise=True,
        returnByValue=True,
    )
    assert "exceptionDetails" not in found, found["exceptionDetails"]
    return found["result"]["value"]


def test_axe_finds_a_button_without_a_name(browser: Page, console: Console, axe: str) -> None:
    sized(browser, 1280, "light")
    opened(browser, console, "status")
    browser.run("document.querySelector('main').append(document.createElement('button'))")
    assert [each.partition(":")[0] for each in violations(browser, axe)] == ["button-name"]


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_draws_runs_no_planted_text_fits_and_keeps_the_rules_of_wcag(
    browser: Page, console: Console, axe: str, screen: str, width: int, scheme: str
) -> None:
    sized(browser, width, scheme)
    opened(browser, console, screen)
    is_unharmed(browser)
    assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth")
    small = "return [...document.querySelectorAll('button, nav a, input, select')].filter(each => each.offsetParent &&"
    assert browser.run(f"{small} each.getBoundingClientRect().height < 20).map(each => each.textContent)") == []
    assert violations(browser, axe) == []


def test_an_address_with_a_slash_at_its_end_opens_the_screen(browser: Page, console: Console) -> None:
    opened(browser, console, "documents/")
    browser.wait_for(f"return document.querySelector('tbody a')?.hash === '#/documents/{console.document}'")


@pytest.mark.parametrize(
    ("screen", "shown"),
    [
        ("people/users", USER),
        ("people/tags", TAG),
        ("people/groups", GROUP),
        ("people/blocks", BLOCKED),
        ("people/blocks", CANARY),
        ("keys", CANARY),
        ("quality", CANARY),
    ],
)
def test_a_planted_text_is_shown_as_it_is_written(browser: Page, console: Console, screen: str, shown: str) -> None:
    opened(browser, console, screen)
    browser.wait_for(f"return document.body.textContent.includes({json.dumps(shown)})")
    is_unharmed(browser)


def test_a_user_that_an_agent_named_is_shown_as_it_is_written(browser: Page, console: Console) -> None:
    opened(browser, console, "audit")
    browser.type("Person", AGENTS_USER)
    browser.click("Search")
    browser.wait_for(f"return document.querySelector('tbody')?.textContent.includes({json.dumps(AGENTS_USER)})")
    is_unharmed(browser)


def test_the_title_of_a_document_is_shown_as_a_text(browser: Page, console: Console) -> None:
    opened(browser, console, f"documents/{console.document}")
    assert "Lease" in browser.run("return document.querySelector('h1').textContent")
    browser.wait_for("return document.querySelector('.passage')")
    is_unharmed(browser)


def test_who_can_read_a_document_is_answered_with_the_command_that_does_the_same(
    browser: Page, console: Console
) -> None:
    opened(browser, console, "access/check")
    browser.run(
        f"document.querySelector('[list=documents]').value = {json.dumps(console.document)};"
        f"document.querySelector('.fields input').value = {json.dumps(USER)};"
        "document.querySelector('form').requestSubmit();"
    )
    browser.wait_for("return document.querySelector('.badge.good')?.textContent === 'allowed'")
    line = browser.run("return document.querySelector('.equivalents code').textContent")
    assert line.startswith(f"groundwire access check {console.document} --user")
    is_unharmed(browser)


def test_no_name_is_an_option_of_the_command_that_does_the_same(browser: Page, console: Console) -> None:
    opened(browser, console, "access/check")
    browser.run(
        "document.querySelector('[list=documents]').value = '--stack=theirs';"
        f"document.querySelector('.fields input').value = {json.dumps(USER)};"
        "document.querySelector('form').requestSubmit();"
    )
    browser.wait_for("return document.querySelector('.equivalents code')?.textContent.endsWith(' -- --stack=theirs')")
    is_unharmed(browser)


def test_a_change_of_readers_shows_its_effect_before_it_can_be_confirmed(browser: Page, console: Console) -> None:
    opened(browser, console, f"documents/{console.document}")
    browser.click("Change the readers")
    browser.click("×")
    browser.click("Show the effect")
    browser.wait_for("return document.querySelector('dialog .effect')?.textContent.includes('Can no longer read it')")
    browser.click("Cancel")
    browser.wait_for("return document.querySelector('dialog') === null")
    is_unharmed(browser)


def test_the_browser_refuses_markup_that_a_script_of_the_page_would_make(browser: Page, console: Console) -> None:
    opened(browser, console, "status")
    attempt = "try { document.body.innerHTML = '<b>x</b>'; return 'made' } catch (error) { return error.name }"
    assert browser.run(attempt) == "TypeError"
    browser.wait_for("return window.failures.includes('require-trusted-types-for')")


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_shows_the_command_and_the_curl_line_that_do_the_same(
    browser: Page, console: Console, screen: str
) -> None:
    opened(browser, console, screen)
    names = browser.wait_for(
        "const panel = document.querySelector('.equivalents:not([hidden])');"
        "return panel && [...panel.querySelectorAll('.code-name')].map(each => each.textContent)"
    )
    # The description of the routes is the one thing for which the command line has no word.
    assert set(names) == ({"curl"} if screen == "api" else {"Command", "curl"})
