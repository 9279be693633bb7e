"""The MCP Inspector's web page in Chromium, connected to the local server by the browser itself, without its proxy."""

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.browsers.conftest import Server
from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.installers.node import packages
from tests.support.engines.missing import Absent, answer

LOCK: Final = Path(__file__).parent / "inspector" / "package-lock.json"
CACHE: Final = Path(__file__).parents[3] / ".cache" / "browser-inspector"
CLICK: Final = """
  const shown = [...document.querySelectorAll(%s)].filter(one => one.offsetParent && !one.disabled);
  const each = shown.find(one => one.innerText.trim().startsWith(%s));
  if (!each) return null;
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    each.dispatchEvent(new MouseEvent(type, {bubbles: true, button: 0}));
  return true;
"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Nothing."""


@pytest.fixture(scope="module")
def inspector() -> Iterator[str]:
    """The address of the Inspector's page, served as plain files: without a back end it has no proxy."""
    try:
        folder = packages(LOCK, CACHE) / "@modelcontextprotocol" / "inspector-client" / "dist"
    except Absent as absent:
        answer(absent)
    files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=files.serve_forever)
    thread.start()
    yield f"http://localhost:{files.server_port}"
    files.shutdown()
    thread.join()
    files.server_close()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Page]:
    try:
        found = chromium()
    except Absent as absent:
        answer(absent)
    with page(found, tmp_path / "profile") as opened:
        yield opened


def click(browser: Page, text: str, kind: str = "button") -> None:
    browser.wait_for(CLICK % (json.dumps(kind), json.dumps(text)))


def shows(browser: Page, text: str) -> None:
    browser.wait_for(f"return document.body.innerText.includes({json.dumps(text)})")


def test_the_inspector_in_a_browser_lists_tools_and_calls_one(browser: Page, inspector: str, server: Server) -> None:
    url = f"{str(server.http.base_url).rstrip('/')}/mcp"
    key = [{"name": "Authorization", "value": f"Bearer {server.key}", "enabled": True}]
    state = {
        "lastConnectionType": "direct",
        "lastTransportType": "streamable-http",
        "lastSseUrl": url,
        "lastCustomHeaders": json.dumps(key),
    }
    browser.open(inspector, f"for (const [k, v] of Object.entries({json.dumps(state)})) localStorage.setItem(k, v);")
    click(browser, "Connect")
    shows(browser, "Connected")
    click(browser, "Tools")
    click(browser, "List Tools")
    shows(browser, "Search the knowledge base")
    click(browser, "List the collections", "span")
    click(browser, "Run Tool")
    shows(browser, "Tool Result")
    shows(browser, '"collections"')
    # No back end stood between them: the page's own requests reached the server.
    calls = [json.loads(line) for line in (server.home / "audit.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [call["outcome"] for call in calls if call.get("tool") == "list_collections"] == ["answered"]
