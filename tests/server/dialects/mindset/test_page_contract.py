"""The answers that Mindset AI's page expects, field by field, to calls without a mark of MCP, in every toolset."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import toolsets
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
from groundwire.services.search import Search
from tests.support.documentation import mindset_page
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import Answer, World, caller, open_world

IDS: Final = ["request-123", 7, 0, "", "\u7528\u6237"]
MANY: Final = "".join(
    f"The pump of part {part} moves litres. {' '.join(f'word{part}x{number}' for number in range(150))}.\n\n"
    for part in range(30)
)
SALES: Final = parse_policy(public=False, users=[], any_tags=["department:sales"], all_tags=[])


class Page(NamedTuple):
    """A world in which a key of one toolset is used as the page has it."""

    world: World
    tenant: str
    headers: Mapping[str, str]
    toolset: str

    def ask(self, name: str, arguments: object, request_id: object = "request-123", **headers: str) -> str:
        """The body of the answer to a `tools/call`."""
        params = {"name": name, "arguments": arguments}
        return self.send({"jsonrpc": "2.0", "method": "tools/call", "params": params, "id": request_id}, **headers)

    def send(self, message: object, **headers: str) -> str:
        """The body of the answer to a message, or to bytes as they are."""
        return self.answer(message, **headers).response.body.decode()

    def answer(self, message: object, **headers: str) -> Answer:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.world.post(body, {**self.headers, **named})

    def search(self, *phrases: str, **headers: str) -> list[dict[str, Any]]:
        """The segments of an answer."""
        return mindset_page.segments(self.ask("rag_search", {"search_phrases": list(phrases)}, **headers))

    def verify(self, uid: str, **headers: str) -> dict[str, Any]:
        """The fields of an answer about a user's access."""
        return mindset_page.verification(self.ask("verify_document_access", {"segment_uid": uid}, **headers))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as opened:
        yield opened


@pytest.fixture(scope="module", params=sorted(toolsets(DIALECTS)))
def page(request: pytest.FixtureRequest, world: World) -> Page:
    tenant = world.tenant(f"page-{request.param}")
    world.ingest(tenant, MANY, SALES, path="/nowhere/pumps.md", doc_id="pumps")
    key = world.acting_key(tenant, toolset=request.param)
    headers = caller(key, "user@example.com", frozenset({"department:sales", "premium_access"}))
    return Page(world, tenant, {**headers, "x-human-uid": "human_123456789"}, request.param)


def test_a_search_is_answered_with_segments_for_each_of_its_phrases(page: Page) -> None:
    found = page.search("pump of part", "litres that a pump moves", "word3x1", "word4x2", "word5x3")
    assert 5 <= len(found) <= mindset_page.MOST_SEGMENTS
    assert {each["source_file_name"] for each in found} == {"pumps.md"}
    for word in ("word3x1", "word4x2", "word5x3"):
        assert any(word in each["raw_text"] for each in found)


@pytest.mark.parametrize("request_id", IDS)
def test_each_answer_has_the_id_of_its_request(page: Page, request_id: object) -> None:
    found = mindset_page.segments(page.ask("rag_search", {"search_phrases": ["pump"]}, request_id), request_id)
    uid = found[0]["segment_uid"]
    mindset_page.verification(page.ask("verify_document_access", {"segment_uid": uid}, request_id), request_id)
    mindset_page.error(page.ask("rag_search", {}, request_id), request_id)


@pytest.mark.parametrize("tags", ["[]", '["department:hr"]', ""])
def test_a_search_that_finds_nothing_that_the_user_may_read_is_a_success_with_an_empty_array(
    page: Page, tags: str
) -> None:
    assert page.search("pump", x_session_tags=tags) == []


def test_a_click_on_a_citation_gets_a_fresh_address_for_a_user_with_access(page: Page) -> None:
    uid = page.search("pump of part 3")[0]["segment_uid"]
    granted = page.verify(uid)
    assert granted["has_access"] is True
    assert page.world.open(granted["refreshed_url"]).status == 200


def test_a_click_is_denied_by_the_tags_of_the_moment_in_the_words_for_an_unknown_document(page: Page) -> None:
    uid = page.search("pump of part 3")[0]["segment_uid"]
    denied = page.verify(uid, x_session_tags='["department:hr"]')
    unknown = page.verify("doc_0000000000000000.0123456789abcdef")
    assert denied == unknown
    assert denied["has_access"] is False


def test_a_click_on_a_deleted_document_is_denied_with_the_reason(page: Page) -> None:
    page.world.ingest(page.tenant, "# Winches\n\nThe winch lifts.", SALES, path="/nowhere/winches.md", doc_id="winches")
    found = page.search("winch lifts")
    uid = next(each["segment_uid"] for each in found if each["source_file_name"] == "winches.md")
    page.world.services.administration.document_admin.delete(page.tenant, "winches")
    denied = page.verify(uid)
    assert (denied["has_access"], denied["error"]) == (False, "Document has been deleted")


def test_an_argument_that_the_page_adds_later_stops_neither_a_search_nor_a_click(page: Page) -> None:
    found = mindset_page.segments(page.ask("rag_search", {"search_phrases": ["pump"], "added": {"later": 1}}))
    clicked = page.ask("verify_document_access", {"segment_uid": found[0]["segment_uid"], "added": 1})
    assert mindset_page.verification(clicked)["has_access"] is True


def test_the_list_of_tools_shows_the_arguments_and_the_answer_of_the_page(page: Page) -> None:
    listed = json.loads(page.send({"jsonrpc": "2.0", "method": "tools/list", "id": 1}))["result"]["tools"]
    shown = {tool["name"]: tool for tool in listed}
    if page.toolset == "openai":
        assert "rag_search" not in shown
        return
    assert set(shown["rag_search"]["inputSchema"]["properties"]) == {"search_phrases"}
    result = json.loads(page.ask("rag_search", {"search_phrases": ["pump"]}))["result"]
    Draft202012Validator(shown["rag_search"]["outputSchema"]).validate(result["structuredContent"])
    assert ("verify_document_access" in shown) is (page.toolset == "mindset")


def test_a_key_without_the_scope_gets_a_code_of_a_servers_own_errors(page: Page) -> None:
    key = page.world.acting_key(page.tenant, toolset=page.toolset, scopes=frozenset({Scope.VERIFY}))
    body = page.ask("rag_search", {"search_phrases": ["pump"]}, **caller(key, "user@example.com"))
    assert mindset_page.error(body)[0] == -32001


def test_a_body_that_is_no_json_is_a_parse_error_without_an_id(page: Page) -> None:
    assert mindset_page.error(page.send(b'{"jsonrpc":'), None)[0] == -32700


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "tools/call", "params": {}, "id": "request-123"}, -32600),
        ({"jsonrpc": "1.0", "method": "tools/call", "id": "request-123"}, -32600),
        ({"jsonrpc": "2.0", "method": "tools/find", "params": {}, "id": "request-123"}, -32601),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": {}, "id": "request-123"}, -32602),
        ({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "made_up"}, "id": "request-123"}, -32602),
    ],
)
def test_a_message_that_cannot_be_carried_out_is_an_error_with_the_code_of_its_row(
    page: Page, message: object, code: int
) -> None:
    assert mindset_page.error(page.send(message))[0] == code


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        [],
        None,
        {"search_phrases": []},
        {"search_phrases": "x"},
        {"search_phrases": ["x"] * 6},
        {"search_phrases": [1]},
    ],
)
def test_wrong_arguments_of_a_search_are_invalid_params(page: Page, arguments: object) -> None:
    assert mindset_page.error(page.ask("rag_search", arguments))[0] == -32602


@pytest.mark.parametrize("arguments", [{}, {"segment_uid": None}, {"segment_uid": ""}, {"segment_uid": 7}])
def test_wrong_arguments_of_a_verification_are_invalid_params(page: Page, arguments: object) -> None:
    assert mindset_page.error(page.ask("verify_document_access", arguments))[0] == -32602


@pytest.mark.parametrize(
    ("problem", "code"), [(InvalidInput("/srv/home has another model"), -32603), (Unavailable("/srv/home", 7), -32000)]
)
def test_a_failed_search_is_reported_without_details_of_the_machine(
    page: Page, monkeypatch: pytest.MonkeyPatch, problem: DomainError, code: int
) -> None:
    def fail(*_arguments: object) -> None:
        raise problem

    monkeypatch.setattr(Search, "__call__", fail)
    found, message = mindset_page.error(page.ask("rag_search", {"search_phrases": ["pump"]}))
    assert found == code
    assert message.startswith("RAG search failed: ")
    assert "/srv/home" not in message


def test_a_call_without_a_valid_key_is_an_error_of_the_same_form(page: Page) -> None:
    refused = page.ask("rag_search", {"search_phrases": ["pump"]}, authorization="Bearer no-key")
    _, message = mindset_page.error(refused, json.loads(refused)["id"])
    assert "API key" in message


@pytest.mark.parametrize("toolset", sorted(toolsets(DIALECTS)))
def test_a_key_without_the_scope_of_a_tool_may_not_call_it(world: World, toolset: str) -> None:
    tenant = world.tenant(f"reader-{toolset}")
    headers = caller(world.acting_key(tenant, toolset=toolset, scopes=frozenset({Scope.SEARCH})), "ann", frozenset())
    assert mindset_page.segments(world.search(headers, "pump").response.body.decode(), 1) == []
    refused = world.verify(headers, "doc_0000000000000000.0123456789abcdef")
    _, message = mindset_page.error(refused.response.body.decode(), 1)
    assert "verify" in message


def test_tools_of_the_page_are_listed_to_keys_made_for_mindset_and_answer_all(world: World) -> None:
    tenant = world.tenant("lists")
    for toolset in toolsets(DIALECTS):
        headers = caller(world.acting_key(tenant, toolset=toolset), "ann", frozenset())
        listed = world.post(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers).result["tools"]
        names = {tool["name"] for tool in listed}
        assert ("verify_document_access" in names) is (toolset == "mindset")
        assert ("rag_search" in names) is (toolset != "openai")
