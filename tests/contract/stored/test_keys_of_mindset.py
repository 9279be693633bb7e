"""Keys that a release stored answer Mindset's calls as its page has it, and calls of MCP clients beside them."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from tests.contract.stored.conftest import FIRST
from tests.contract.stored.reading.fixture import Fixture
from tests.contract.stored.reading.gateway import ask
from tests.contract.stored.reading.home import LATER_S
from tests.contract.stored.reading.sidecars import at, environment, home_settings
from tests.support.documentation import mindset_page

IDENTITY = {"act_as": {"x_user_id": "ann", "x_session_tags": '["board"]', "x_human_uid": "human_1"}}
QUESTION = {"search_phrases": ["weight of the pump", "the blue pump"]}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str]]:
    """The texts of the keys, in the time after they were stored; the home is served meanwhile."""
    fixture = Fixture(FIRST, tmp_path_factory.mktemp("keys"))
    place = fixture.unpacked("home", "first")
    with at(fixture.made["moment"] + LATER_S), environment(**home_settings(place / "home", place / "models")):
        yield {name: key["text"] for name, key in fixture.made["keys"].items()}


def answer(keys: dict[str, str], name: str, tool: str, arguments: object, **headers: str) -> str:
    """The body of the answer to a call without a mark of MCP, unless `headers` have one."""
    params = {"name": tool, "arguments": arguments}
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": "tools/call", "params": params, "id": "request-123"}
    return ask("POST", "/mcp", keys[name], message, **IDENTITY.get(name, {}), **headers).body.decode()


@pytest.mark.parametrize("name", ["act_as", "personal", "rotated"])
def test_a_search_is_answered_with_the_pages_fields(keys: dict[str, str], name: str) -> None:
    found = mindset_page.segments(answer(keys, name, "rag_search", QUESTION))
    assert any("The blue pump has a weight of 40 kilograms." in each["raw_text"] for each in found)
    assert all(each.keys() >= {"headline", "segment_summary", "source_url"} for each in found)


@pytest.mark.parametrize("name", ["act_as", "personal", "rotated"])
def test_a_citation_is_verified_with_the_pages_fields(keys: dict[str, str], name: str) -> None:
    [uid, *_] = [each["segment_uid"] for each in mindset_page.segments(answer(keys, name, "rag_search", QUESTION))]
    granted = mindset_page.verification(answer(keys, name, "verify_document_access", {"segment_uid": uid}))
    assert granted["has_access"] is True
    denied = mindset_page.verification(answer(keys, name, "verify_document_access", {"segment_uid": "doc_0.0"}))
    assert denied["has_access"] is False


@pytest.mark.parametrize("name", ["act_as", "personal", "rotated"])
def test_an_error_is_an_error_of_json_rpc_and_for_a_client_of_mcp_a_result(keys: dict[str, str], name: str) -> None:
    assert mindset_page.error(answer(keys, name, "rag_search", {}))[0] == -32602
    marked = json.loads(answer(keys, name, "rag_search", {}, mcp_protocol_version="2025-11-25"))
    assert marked["result"]["isError"] is True
