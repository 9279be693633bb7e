"""Discovery by a client that knows only the host, and the server card for registries."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from groundwire import __version__, wiring
from groundwire.entry.http.server_card import build_card, server_name
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.settings import environment
from groundwire_mcp.versions import SUPPORTED_VERSIONS

ROOT = Path(__file__).parents[4]


@pytest.fixture
def http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    monkeypatch.setenv("GROUNDWIRE_PUBLIC_URL", "https://rag.example.com")
    wiring.reset()
    with run_in_background(ROOT / "template.yaml") as url, httpx.Client(base_url=url) as client:
        yield client
    wiring.reset()


def test_the_catalog_leads_to_the_card_and_the_card_to_the_endpoint_without_a_key(http: httpx.Client) -> None:
    catalog = http.get("/.well-known/ai-catalog.json")
    (entry,) = catalog.json()["entries"]
    found = http.get(httpx.URL(entry["url"]).path)

    assert catalog.headers["content-type"] == "application/ai-catalog+json"
    assert found.headers["content-type"] == entry["type"] == "application/mcp-server-card+json"
    assert found.json()["name"] == "com.example.rag/groundwire"
    assert found.json()["version"] == __version__
    (remote,) = found.json()["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", "https://rag.example.com/mcp")
    assert remote["supportedProtocolVersions"] == list(SUPPORTED_VERSIONS)


@pytest.mark.parametrize("path", ["/mcp/server-card", "/.well-known/ai-catalog.json"])
def test_any_page_may_read_it_and_anybody_may_keep_it(http: httpx.Client, path: str) -> None:
    headers = http.get(path).headers

    assert headers["access-control-allow-origin"] == "*"
    assert headers["cache-control"] == "public, max-age=3600"


def test_the_card_asks_for_a_key_as_a_secret_and_names_no_tool() -> None:
    stated = build_card(environment.read_settings({"GROUNDWIRE_PUBLIC_URL": "https://rag.example.com"}))
    (header,) = json.loads(json.dumps(stated))["remotes"][0]["headers"]

    assert (header["name"], header["isRequired"], header["isSecret"]) == ("Authorization", True, True)
    assert "rag_search" not in json.dumps(stated)


def test_the_website_that_the_server_names_states_how_to_connect_and_names_no_tool(http: httpx.Client) -> None:
    named = http.get("/mcp/server-card").json()["websiteUrl"]
    page = http.get(httpx.URL(named).path)

    assert (page.status_code, page.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert "https://rag.example.com/mcp" in page.text
    assert "rag_search" not in page.text


def test_where_people_can_sign_in_a_key_is_not_required() -> None:
    signed_in = {
        "GROUNDWIRE_OAUTH_ISSUER": "https://id.example.com",
        "GROUNDWIRE_OAUTH_AUDIENCE": "https://rag.example.com/mcp",
        "GROUNDWIRE_OAUTH_TENANT": "t_0123456789abcdef",
        "GROUNDWIRE_OAUTH_USER_CLAIM": "sub",
    }
    (header,) = json.loads(json.dumps(build_card(environment.read_settings(signed_in))))["remotes"][0]["headers"]

    assert header["isRequired"] is False


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://rag.example.com", "com.example.rag/groundwire"),
        ("https://rag.example.com:8443/x", "com.example.rag/groundwire"),
        ("http://127.0.0.1:8080", "local/groundwire"),
        ("http://[::1]:8080", "local/groundwire"),
        ("http://localhost", "local/groundwire"),
    ],
)
def test_a_server_is_named_by_its_host_in_reverse(url: str, name: str) -> None:
    assert server_name(url) == name


def test_the_registry_entry_is_of_this_version_and_asks_for_a_key() -> None:
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    (remote,) = entry["remotes"]
    key = remote["headers"][0]

    assert entry["version"] == __version__
    assert entry["name"].count("/") == 1
    assert len(entry["description"]) <= 100
    assert remote["type"] == "streamable-http"
    assert set(remote["variables"]) == {"host"}
    assert (key["name"], key["isRequired"], key["isSecret"]) == ("Authorization", True, True)
    assert "{api_key}" in key["value"]
