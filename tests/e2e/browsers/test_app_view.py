"""The view of `rag_search` in a host: what it shows, what it asks of the host, and what no document makes of it."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from groundwire import wiring
from groundwire.entry.local_server.background_server import run_in_background
from tests.e2e.browsers.app_host import HostPages, host_pages
from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer
from tests.support.entry.command import Command

ROOT: Final = Path(__file__).parents[3]
URI: Final = "ui://groundwire/passages"
CANARY: Final = (
    """<img src=x onerror="parent.postMessage('canary', '*')"><script>parent.postMessage('canary', '*')</script>"""
)
EVERYTHING: Final = {"openLinks": {}, "serverTools": {}}
APPS: Final = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
PASSAGE: Final = {"number": 1, "id": "a.b", "text": "The rent is 4,100 euros.", "headings": ["Rent"], "pages": [3, 4]}
SOURCE: Final = {"passages": [1], "document_id": "d", "file_name": "lease.pdf", "url": "https://files.example/lease"}


@dataclass(frozen=True, slots=True)
class Agent:
    """A client of 2026-07-28 that shows apps."""

    http: httpx.Client
    key: str

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request that succeeds."""
        prefix = "io.modelcontextprotocol/"
        meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": APPS}
        name = params.get("name", params.get("uri"))
        headers = {
            "authorization": f"Bearer {self.key}",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": method,
            **({} if name is None else {"mcp-name": name}),
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        return self.http.post("/mcp", headers=headers, json=message).json()["result"]


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    home = tmp_path_factory.mktemp("app")
    command = Command(home, {})
    tenant = command.tenant("acme")
    # Plain text keeps its markup: a reader of marked-up files would leave it out.
    file = home / "lease.txt"
    file.write_text(f"# Lease {CANARY}\n\nThe rent of the Ostrov depot is 4,100 euros. {CANARY}\n", encoding="utf-8")
    command.ingest(tenant, file, "--user", "maria", "--yes")
    key = command.personal_key(tenant, "maria", "--rate", "10000", "--burst", "1000", "--yes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWIRE_HOME", str(home))
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        wiring.reset()
        with run_in_background(ROOT / "template.yaml") as url, httpx.Client(base_url=url, timeout=30) as http:
            yield Agent(http, key)
        wiring.reset()


@pytest.fixture(scope="module")
def app(agent: Agent) -> dict[str, Any]:
    [contents] = agent.result("resources/read", uri=URI)["contents"]
    return contents


@pytest.fixture(scope="module")
def pages(app: dict[str, Any]) -> Iterator[HostPages]:
    with host_pages(app["_meta"]["ui"]["csp"]) as served:
        yield served


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    try:
        found = chromium()
    except Absent as absent:
        answer(absent)
    with page(found, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@dataclass(frozen=True, slots=True)
class Host:
    """The host's page, and the view in it."""

    page: Page
    view: Page

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        """Send a notification to the view."""
        self.page.run(f"send({json.dumps({'method': f'ui/notifications/{method}', 'params': params})})")

    def reply(self, message: Mapping[str, Any], **reply: object) -> None:
        """Reply to a request of the view."""
        self.page.run(f"send({json.dumps({'id': message['id'], **reply})})")

    def request(self, method: str) -> dict[str, Any]:
        """The request that the view made."""
        return self.page.wait_for(f"return take({json.dumps(method)})")

    def show(
        self,
        passages: Sequence[object],
        sources: Sequence[object],
        reasons: Mapping[str, object] | None = None,
        **more: object,
    ) -> None:
        """Pass a result to the view, with the reasons by document, and wait until it is drawn."""
        structured = {"note": "n", "passages": passages, "sources": sources, **more}
        meta = {} if reasons is None else {"_meta": {"groundwire/visible_because": reasons}}
        self.notify("tool-result", {"content": [], "structuredContent": structured, **meta})
        self.view.wait_for(f"return document.querySelectorAll('li').length === {len(passages)}")

    def status(self) -> str:
        """The view's status line."""
        return self.view.run("return document.querySelector('[role=status]').textContent")

    def is_unharmed(self) -> None:
        """No text ran, nothing was refused or failed, no other element was made, nothing was loaded."""
        assert self.page.run("return strays") == []
        assert self.view.run("return document.querySelectorAll('img, svg, iframe, a, form').length") == 0
        assert self.view.run("return performance.getEntriesByType('resource').map(each => each.name)") == []


def opened(
    browser: Page,
    pages: HostPages,
    app: dict[str, Any],
    offered: Mapping[str, object] = EVERYTHING,
    context: Mapping[str, object] | None = None,
) -> Host:
    browser.load(pages.host)
    arguments = (pages.proxy_origin, app["text"], app["_meta"]["ui"]["csp"], offered, context or {})
    browser.run(f"show({', '.join(map(json.dumps, arguments))})")
    browser.wait_for("return take('ui/notifications/initialized')")
    return Host(browser, browser.isolated_frame("about:srcdoc"))


@pytest.fixture
def host(browser: Page, pages: HostPages, app: dict[str, Any]) -> Host:
    return opened(browser, pages, app)


def test_the_view_opens_as_the_specification_has_it(host: Host) -> None:
    assert host.request("ui/initialize")["params"] == {
        "protocolVersion": "2026-01-26",
        "appInfo": {"name": "groundwire-passages", "version": "1"},
        "appCapabilities": {"availableDisplayModes": ["inline", "fullscreen"]},
    }
    before = host.page.wait_for("return take('ui/notifications/size-changed')")["params"]
    host.notify("tool-input", {"arguments": {"search_phrases": ["rent of the depot"]}})
    host.show([PASSAGE], [SOURCE])
    # Until the host gives the view its height, a scroll bar can take from the width.
    grown = f"each.params?.height > {before['height']} && each.params.width === {before['width']}"
    host.page.wait_for(f"return messages.findLast(each => {grown})")
    assert host.view.run("return document.querySelector('input').value") == "rent of the depot"
    host.is_unharmed()


def test_the_result_of_a_real_call_shows_the_documents_text_as_text(host: Host, agent: Agent) -> None:
    arguments = {"search_phrases": ["rent of the Ostrov depot"]}
    host.notify("tool-input", {"arguments": arguments})
    result = agent.result("tools/call", name="rag_search", arguments=arguments)
    host.notify("tool-result", result)
    host.view.wait_for("return document.querySelector('li')")
    shown = host.view.run("return document.querySelector('li').textContent")
    [passage] = result["structuredContent"]["passages"]
    assert "[1] lease.txt" in shown
    assert passage["text"] in shown
    assert "script>parent.postMessage('canary'" in shown
    assert "Visible because: it names you as a reader" in shown
    assert host.status() == "1 passage, best first."
    host.is_unharmed()


def test_no_member_of_a_result_becomes_markup_or_a_link_that_runs(host: Host) -> None:
    links = ["javascript:parent.postMessage('canary', '*')", f"data:text/html,{CANARY}", "//evil", CANARY, "", 7]
    planted = {"text": CANARY, "headings": [CANARY], "also_in": [CANARY]}
    passages = [{**PASSAGE, **planted, "number": number} for number, _ in enumerate(links, 1)]
    sources = [
        {"passages": [number], "document_id": CANARY, "title": CANARY, "file_name": CANARY, "url": url}
        for number, url in enumerate(links, 1)
    ]
    reasons = {CANARY: CANARY, "__proto__": CANARY}
    host.show([*passages, {"number": CANARY, "pages": CANARY, "text": [CANARY]}], sources, reasons, notice=CANARY)
    assert host.view.run("return document.body.textContent").count(CANARY) == 6 * 5 + 2
    assert host.view.run("return [...document.querySelectorAll('li button')].map(each => each.textContent)") == []
    host.notify("tool-result", {"isError": True, "content": [{"type": "text", "text": CANARY}]})
    host.view.wait_for("return document.querySelectorAll('li').length === 0")
    assert host.status() == CANARY
    host.is_unharmed()


def test_a_passage_is_shown_with_its_citation_page_and_reason(host: Host) -> None:
    passages = [{**PASSAGE, "also_in": ["old.pdf"]}, {**PASSAGE, "number": 2, "pages": [7]}]
    host.show(passages, [{**SOURCE, "passages": [1, 2]}], {"d": "it names you as a reader"}, more=3)
    first, second = host.view.run("return [...document.querySelectorAll('li')].map(each => each.innerText)")
    assert first.split("\n\n")[:2] == ["[1] lease.pdf", "pages 3 to 4 · Rent"]
    assert "Also in: old.pdf" in first
    assert "Visible because: it names you as a reader" in first
    assert second.split("\n\n")[:2] == ["[2] lease.pdf", "page 7 · Rent"]
    assert host.status() == "2 passages, best first. 3 passages more found."


def test_nothing_found_is_stated(host: Host) -> None:
    host.show([], [], notice="The folder archive was left out.")
    stated = "The folder archive was left out. No passage that you may read matches the search."
    host.view.wait_for(f"return document.querySelector('[role=status]').textContent === {json.dumps(stated)}")


def test_a_link_is_opened_by_the_host_and_its_refusal_is_shown(host: Host) -> None:
    host.show([PASSAGE], [SOURCE])
    host.view.run("document.querySelector('.actions button').click()")
    assert host.request("ui/open-link")["params"] == {"url": SOURCE["url"]}
    host.page.run("answers['ui/open-link'] = () => undefined; messages.length = 0")
    host.page.run("delete answers['ui/open-link']")
    host.view.run("document.querySelector('.actions button').click()")
    host.reply(host.request("ui/open-link"), error={"code": -32000, "message": "Link opening denied by user"})
    host.view.wait_for("return document.querySelector('[role=status]').textContent.includes('did not open')")
    assert host.view.url == "about:srcdoc"
    host.is_unharmed()


def test_another_search_goes_through_the_host_with_the_other_arguments_of_the_call(host: Host, agent: Agent) -> None:
    host.notify("tool-input", {"arguments": {"search_phrases": ["lease", "rent"], "top_n": 2}})
    host.view.wait_for("return document.querySelector('input').value === 'lease'")
    host.view.run(
        "document.querySelector('input').value = ' Ostrov '; document.querySelector('.search button').click()"
    )
    request = host.request("tools/call")
    assert request["params"] == {"name": "rag_search", "arguments": {"search_phrases": ["Ostrov"], "top_n": 2}}
    host.reply(request, result=agent.result("tools/call", **request["params"]))
    host.view.wait_for("return document.querySelector('li')")
    host.page.run("messages.length = 0")
    host.view.run("document.querySelector('.search button').click()")
    host.reply(host.request("tools/call"), error={"code": -32000, "message": f"Denied. {CANARY}"})
    host.view.wait_for("return document.querySelector('[role=status]').textContent.includes('Denied.')")
    host.is_unharmed()


def test_an_earlier_answer_does_not_replace_a_later_one(host: Host) -> None:
    press = "document.querySelector('.search button').click()"
    host.view.run(f"document.querySelector('input').value = 'first'; {press}")
    host.view.run(f"document.querySelector('input').value = 'second'; {press}")
    first, second = host.page.wait_for("return taken('tools/call').length === 2 && taken('tools/call')")
    for request, file_name in ((second, "second.pdf"), (first, "first.pdf")):
        structured = {"note": "n", "passages": [PASSAGE], "sources": [{**SOURCE, "file_name": file_name}]}
        host.reply(request, result={"content": [], "structuredContent": structured})
    host.view.wait_for("return document.querySelector('h2')")
    host.page.run("send({ id: 'p', method: 'ping', params: {} })")
    host.page.wait_for("return messages.find(each => each.id === 'p')")
    assert host.view.run("return document.querySelector('h2').textContent") == "[1] second.pdf"


def test_a_host_that_offers_neither_links_nor_tools_gets_no_request_for_them(
    browser: Page, pages: HostPages, app: dict[str, Any]
) -> None:
    host = opened(browser, pages, app, offered={})
    host.show([PASSAGE], [SOURCE])
    assert host.view.run("return document.querySelector('.search').hidden")
    assert host.view.run("return document.querySelectorAll('li button').length") == 0
    assert SOURCE["url"] in host.view.run("return document.querySelector('li').textContent")


def test_the_host_sets_theme_and_colours_and_no_other_property(
    browser: Page, pages: HostPages, app: dict[str, Any]
) -> None:
    variables = {"--color-background-primary": "rgb(1, 2, 3)", "display": "none", "--x": "1", "--font-sans": 7}
    host = opened(browser, pages, app, context={"theme": "dark", "styles": {"variables": variables}})
    background = "return getComputedStyle(document.documentElement).backgroundColor"
    assert host.view.run(background) == "rgb(1, 2, 3)"
    style = host.view.run("return document.documentElement.getAttribute('style')")
    assert style == "color-scheme: dark; --color-background-primary: rgb(1, 2, 3);"
    host.notify("host-context-changed", {"theme": "light"})
    host.view.wait_for("return document.documentElement.style.colorScheme === 'light'")
    host.is_unharmed()


def test_requests_of_the_host_are_answered_and_messages_of_others_are_not_read(host: Host) -> None:
    for identifier, method in (("t", "ui/resource-teardown"), ("u", "ui/unknown")):
        host.page.run(f"send({json.dumps({'id': identifier, 'method': method, 'params': {}})})")
    assert host.page.wait_for("return messages.find(each => each.id === 't')")["result"] == {}
    assert host.page.wait_for("return messages.find(each => each.id === 'u')")["error"]["code"] == -32601
    forged = {"jsonrpc": "2.0", "method": "ui/notifications/tool-cancelled", "params": {}}
    host.view.run(f"window.postMessage({json.dumps(forged)}, '*')")
    host.notify("tool-input", {"arguments": {"search_phrases": ["lease"]}})
    host.view.wait_for("return document.querySelector('input').value === 'lease'")
    assert host.status() == "Searching."


def test_the_views_own_policy_refuses_markup_of_a_text(host: Host) -> None:
    refused = "try { document.body.innerHTML = '<b>x</b>'; return false } catch (error) { return error.name }"
    assert host.view.run(refused) == "TypeError"
    assert host.page.wait_for("return strays.length && strays") == ["require-trusted-types-for"]


def test_the_document_names_its_script_and_style_by_digest_and_no_address(app: dict[str, Any]) -> None:
    document = app["text"]
    for tag in ("script", "style"):
        [content] = re.findall(rf"<{tag}>(.*?)</{tag}>", document, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in document
    assert "://" not in document
    assert not re.search(r"\b(?:src|href|action)=|\b(?:import|fetch|url)\(|@import", document)


def test_it_fits_a_narrow_host_in_both_themes(browser: Page, pages: HostPages, app: dict[str, Any]) -> None:
    browser.command("Emulation.setDeviceMetricsOverride", width=360, height=900, deviceScaleFactor=1, mobile=False)
    for theme in ("light", "dark"):
        host = opened(browser, pages, app, context={"theme": theme})
        long = {**PASSAGE, "text": "A long sentence about the depot. " * 40, "headings": ["W" * 90]}
        host.show([long], [{**SOURCE, "file_name": f"{'lease' * 30}.pdf"}])
        assert host.view.run("return document.documentElement.scrollWidth <= window.innerWidth")
        host.view.run("document.querySelector('.actions button').click()")
        assert host.view.run("return document.querySelectorAll('.text.cut').length") == 0
    browser.command("Emulation.clearDeviceMetricsOverride")
