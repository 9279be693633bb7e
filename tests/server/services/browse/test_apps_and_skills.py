"""The app and the skill of the library through the gateway: for the toolsets that have them, and for no others."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
import yaml

from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_PHRASES
from tests.support.clients.handshake_client import Client, client
from tests.support.isolation.policies import for_tags, for_users
from tests.support.worlds.document_library import PUBLIC
from tests.support.worlds.world import World, caller

APP: Final = "ui://groundwire/passages"
SKILL: Final = "skill://groundwire/company-documents/SKILL.md"
UI: Final = "io.modelcontextprotocol/ui"
MEDIA_TYPE: Final = "text/html;profile=mcp-app"
SHOWS_APPS: Final = {"extensions": {UI: {"mimeTypes": [MEDIA_TYPE]}}}
WITH_SKILL: Final = {"default": ("rag_search", "fetch", "list_collections"), "openai": ("search", "fetch")}


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    world.ingest(made, "The pump is blue.", PUBLIC, path="/nowhere/pump.txt", doc_id="pump")
    return made


def stateless(of: Client, capabilities: Mapping[str, object], method: str, **params: Any) -> dict[str, Any]:
    """The result for a client of 2026-07-28 with these capabilities."""
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": capabilities}
    headers = {**of.headers, "mcp-protocol-version": "2026-07-28", "mcp-method": method}
    if "uri" in params:
        headers["mcp-name"] = params["uri"]
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    return of.world.post(json.dumps(message).encode(), headers).payload


def in_session(of: Client, capabilities: Mapping[str, object]) -> Client:
    """The client in a session that it opened with these capabilities."""
    handshake = {"protocolVersion": of.version, "capabilities": capabilities, "clientInfo": {"name": "a"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake}
    opened = of.world.post(json.dumps(message).encode(), {**of.headers, "mcp-protocol-version": of.version})
    return replace(of, headers={**of.headers, "mcp-session-id": dict(opened.response.headers)["mcp-session-id"]})


def apps_of(tools: list[dict[str, Any]]) -> dict[str, Any]:
    return {tool["name"]: tool["_meta"] for tool in tools if "_meta" in tool}


def test_a_host_that_shows_apps_gets_that_of_rag_search_and_nothing_else_differs(world: World, tenant: str) -> None:
    asking = client(world, tenant)
    for shown, plain in (
        (in_session(asking, SHOWS_APPS).result("tools/list"), asking.result("tools/list")),
        (stateless(asking, SHOWS_APPS, "tools/list")["result"], stateless(asking, {}, "tools/list")["result"]),
    ):
        assert apps_of(shown["tools"]) == {"rag_search": {"ui": {"resourceUri": APP}}}
        for tool in shown["tools"]:
            tool.pop("_meta", None)
        assert shown == plain


def test_the_result_for_a_host_that_shows_apps_has_the_reason_of_each_document(world: World, tenant: str) -> None:
    for name, policy in (("anns", for_users("ann")), ("sales", for_tags("team:sales")), ("bens", for_users("ben"))):
        world.ingest(tenant, f"The pump of {name}.", policy, path=f"/nowhere/{name}.txt", doc_id=name)
    asking = client(world, tenant, "ann", "team:sales")
    call: dict[str, Any] = {"name": "rag_search", "arguments": {"search_phrases": ["pump"], "min_relevance": 0}}
    shown = in_session(asking, SHOWS_APPS).result("tools/call", **call)
    assert shown["_meta"] == {
        "groundwire/visible_because": {
            "pump": "everybody in the organisation may read it",
            "anns": "it names you as a reader",
            "sales": "you have the tags that it requires",
        }
    }
    plain = asking.result("tools/call", **call)
    assert plain["structuredContent"] == shown["structuredContent"]
    assert "_meta" not in plain


@pytest.mark.parametrize("toolset", ["default", "openai", "mindset"])
def test_only_a_session_or_request_that_names_apps_sees_one(world: World, tenant: str, toolset: str) -> None:
    asking = client(world, tenant, toolset=toolset)
    has_app = toolset == "default"
    session, other = in_session(asking, SHOWS_APPS), in_session(asking, {"extensions": {UI: {}}})
    assert [each["uri"] for each in session.listed() if each["uri"].startswith("ui:")] == [APP] * has_app
    assert ("result" in session.ask("resources/read", uri=APP)) is has_app
    assert ("result" in stateless(asking, SHOWS_APPS, "resources/read", uri=APP)) is has_app
    for without in (asking, other):
        assert without.uris() == ["groundwire://collections/default", "groundwire://documents/pump"]
        assert without.ask("resources/read", uri=APP)["error"]["code"] == -32002
        assert apps_of(without.result("tools/list")["tools"]) == {}
    assert stateless(asking, {}, "resources/read", uri=APP)["error"]["code"] == -32602


def test_the_app_is_the_same_for_everybody_and_holds_no_key_and_no_address(world: World, tenant: str) -> None:
    maria, others = client(world, tenant, "maria"), client(world, world.tenant("blue"))
    documents = [stateless(each, SHOWS_APPS, "resources/read", uri=APP)["result"] for each in (maria, others)]
    assert documents[0] == documents[1]
    [contents] = documents[0]["contents"]
    assert (contents["uri"], contents["mimeType"]) == (APP, MEDIA_TYPE)
    assert not any(contents["_meta"]["ui"]["csp"].values())
    assert contents["text"].startswith("<!doctype html>\n")
    assert not re.search(r"://|gw_|[Bb]earer", contents["text"])


def test_a_key_without_the_scope_of_search_reads_neither_app_nor_skill(world: World, tenant: str) -> None:
    key = world.acting_key(tenant, scopes=frozenset({Scope.VERIFY}))
    asking = Client(world, caller(key, None, frozenset()))
    for uri in (APP, SKILL):
        assert stateless(asking, SHOWS_APPS, "resources/read", uri=uri)["error"]["code"] == 403
    assert stateless(asking, {}, "skills/list")["result"]["skills"] == []
    assert stateless(asking, {}, "skills/get", uri=SKILL)["error"]["code"] == 403


@pytest.mark.parametrize(("toolset", "tools"), WITH_SKILL.items())
def test_the_skill_names_the_tools_of_its_toolset_and_no_others(
    world: World, tenant: str, toolset: str, tools: tuple[str, ...]
) -> None:
    asking = client(world, tenant, toolset=toolset)
    [entry] = asking.result("skills/list")["skills"]
    assert asking.result("skills/get", uri=SKILL)["skill"] == entry
    assert entry["frontmatter"]["name"] == "company-documents"
    [contents] = asking.result("resources/read", uri=SKILL)["contents"]
    text, [file] = contents["text"], entry["resources"]
    assert file == {
        "uri": SKILL,
        "digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}",
        "size": len(text.encode()),
    }
    assert yaml.safe_load(text.split("---\n")[1]) == entry["frontmatter"]
    named = set(re.findall(r"`([a-z_]+)`", text))
    listed = {tool["name"]: tool for tool in asking.result("tools/list")["tools"]}
    members = {name for tool in listed.values() for name in _members(tool)}
    assert named & listed.keys() == set(tools)
    assert named - listed.keys() <= members
    # A phrase beyond the tool's own limit would be refused.
    assert MAX_PHRASES == 5


def _members(tool: Mapping[str, Any]) -> set[str]:
    """The names of all arguments and members of the tool's answer."""
    return set(re.findall(r'"([a-z_]+)": \{', json.dumps([tool["inputSchema"], tool["outputSchema"]])))


def test_the_skill_is_declared_where_it_is_and_only_there(world: World, tenant: str) -> None:
    for toolset in ("default", "openai", "mindset"):
        asking = client(world, tenant, toolset=toolset)
        declared = {"io.modelcontextprotocol/skills": {}} if toolset in WITH_SKILL else None
        assert stateless(asking, {}, "server/discover")["result"]["capabilities"].get("extensions") == declared
        opened = asking.result("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
        assert opened["capabilities"].get("extensions") == declared
    assert client(world, tenant, toolset="mindset").ask("skills/list")["error"]["code"] == -32601


def test_the_skill_meets_the_naming_rules_of_agent_skills(world: World, tenant: str) -> None:
    [entry] = client(world, tenant).result("skills/list")["skills"]
    name, description = entry["frontmatter"]["name"], entry["frontmatter"]["description"]
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name)
    assert len(name) <= 64
    assert 0 < len(description) <= 1024
