"""Skills: declared, listed with digests, got one by one, and read as resources."""

import hashlib
from typing import Any, Final

import pytest
import yaml

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import INFO, SKILLS, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    HANDSHAKE,
    MODERN,
    RULES,
    TOOLS_SERVER,
    VERSIONS,
    ask,
    body_of,
    result,
    status_and_code,
)

REPAIR: Final = "skill://acme/depot/pump-repair/SKILL.md"
REQUIRED: Final = {"resultType": "complete", "ttlMs": 300_000, "cacheScope": "private"}


def required(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given.get(name) for name in REQUIRED}


@promise("F20", "F2")
def test_skills_are_declared_without_directories_by_a_server_that_has_some() -> None:
    declared = {"io.modelcontextprotocol/skills": {}}
    assert result(MODERN, "server/discover")["capabilities"]["extensions"] == declared
    for version in HANDSHAKE:
        opened = result(version, "initialize", {"protocolVersion": version})
        assert opened["capabilities"]["extensions"] == declared
        assert "resources" in opened["capabilities"]
    assert "extensions" not in body_of(ask(MODERN, "server/discover", server=TOOLS_SERVER))["result"]["capabilities"]


@promise("F20")
@pytest.mark.parametrize("version", VERSIONS)
def test_an_entry_is_the_manifest_of_what_is_read(version: str | None) -> None:
    listed = result(version, "skills/list")
    assert required(listed) == REQUIRED
    assert [each["uri"] for each in listed["skills"]] == [skill.uri for skill in SKILLS]
    for entry in listed["skills"]:
        [file] = entry["resources"]
        [contents] = result(version, "resources/read", {"uri": file["uri"]})["contents"]
        assert (contents["uri"], contents["mimeType"], file["uri"]) == (entry["uri"], "text/markdown", entry["uri"])
        raw = contents["text"].encode()
        assert file == {
            "uri": entry["uri"],
            "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}",
            "size": len(raw),
        }
        _, front, body = contents["text"].split("---\n", 2)
        assert yaml.safe_load(front) == entry["frontmatter"]
        assert entry["uri"].split("/")[-2] == entry["frontmatter"]["name"]
        assert body.startswith("\n# ")
        got = result(version, "skills/get", {"uri": entry["uri"]})
        assert got["skill"] == entry
        assert required(got) == REQUIRED
        assert "nextCursor" not in got


@promise("F20")
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("uri", ["skill://acme/other/SKILL.md", "skill://acme/depot/pump-repair", "doc://a/1", ""])
def test_a_skill_that_is_not_there_is_invalid_params_in_every_revision(version: str | None, uri: str) -> None:
    answer = ask(version, "skills/get", {"uri": uri})
    assert status_and_code(answer) == (200, -32602)
    assert (answer.result_code, body_of(answer)["error"]["data"]) == (ResultCode.UNKNOWN_RESOURCE, {"uri": uri})
    assert status_and_code(ask(version, "skills/get", {"uri": 7})) == (200, -32602)


@promise("F20", "F9")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_that_no_skill_has_is_a_missing_resource(version: str | None) -> None:
    answer = ask(version, "resources/read", {"uri": "skill://acme/depot/pump-repair/other.md"})
    assert status_and_code(answer) == (200, -32602 if version == MODERN else -32002)


@promise("F20", "H23")
def test_skills_are_for_those_who_may_read_resources() -> None:
    caller = Caller(lacks={"resources/read": "search"})
    assert result(MODERN, "skills/list", caller=caller)["skills"] == []
    for method in ("skills/get", "resources/read"):
        assert ask(MODERN, method, {"uri": REPAIR}, caller=caller).result_code is ResultCode.MISSING_SCOPE


@promise("F20", "F8")
def test_a_foreign_cursor_is_refused() -> None:
    assert status_and_code(ask(MODERN, "skills/list", {"cursor": "x"})) == (200, -32602)


@promise("F20", "F2")
@pytest.mark.parametrize("method", ["skills/list", "skills/get", "resources/directory/read"])
def test_what_is_not_declared_is_an_unknown_method(method: str) -> None:
    assert status_and_code(ask(MODERN, method, {"uri": REPAIR}, server=TOOLS_SERVER)) == (404, -32601)
    assert status_and_code(ask(MODERN, "resources/directory/read", {"uri": REPAIR})) == (404, -32601)


@promise("F20")
def test_skills_without_resources_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="need resources"):
        McpServer(ServerDefinition(INFO, (), skills=lambda: SKILLS), RULES)
