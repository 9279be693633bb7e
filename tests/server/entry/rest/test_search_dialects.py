"""The answer of a dialect over REST: what the dialect's own route gives the same key, and nobody else's passages."""

import json
import re
from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import KeyWithSecret
from groundwire_mcp.versions import LATEST_HANDSHAKE_VERSION, VERSION_HEADER
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import for_tags
from tests.support.worlds.world import World, caller

ROUTE: Final = "/v1/search/dialects"
NAMES: Final = ("azure", "default", "foundry", "mindset", "openai", "opensearch", "vertex")
OWN: Final = {"origin": "http://127.0.0.1:8080", "x-page-request": "1"}
SALES: Final = "The pump of the sales office costs 310 euros."
BOARD: Final = "The pump of the board costs 990 euros."
VARYING: Final = frozenset({"took", "elapsedMs", "queryTime"})
"""Members of answers that are durations."""
BOUNDARY: Final = re.compile(r"=\d{6,}")
"""Line around quotations, which no document can know."""


@pytest.fixture
def company(world: World, tenant: str) -> str:
    """Return a tenant with a document for each of two tags."""
    for tag, text in (("sales", SALES), ("board", BOARD)):
        world.ingest(tenant, text, for_tags(tag), path=f"/n/{tag}.md", doc_id=tag, collection="handbook")
    return tenant


@pytest.fixture
def seller(world: World, company: str) -> KeyWithSecret:
    return key(world, company, Scope.SEARCH, tags=frozenset({"sales"}))


def question(dialect: str, collection: str = "handbook") -> dict[str, Any]:
    return {"dialect": dialect, "question": "What does the pump cost?", "collection": collection}


def steady(value: Any) -> Any:
    """Return the answer without durations, and without those within texts of JSON."""
    if isinstance(value, dict):
        return {name: steady(each) for name, each in value.items() if name not in VARYING}
    if isinstance(value, list):
        return [steady(each) for each in value]
    if isinstance(value, str) and value.startswith(("{", "[")):
        return steady(json.loads(value))
    return BOUNDARY.sub("=", value) if isinstance(value, str) else value


@pytest.mark.parametrize("dialect", NAMES)
def test_the_request_sent_by_itself_gets_the_same_answer(world: World, company: str, dialect: str) -> None:
    # On the shared MCP path, a key's toolset chooses the dialect.
    options = replace(USUAL_OPTIONS, toolset=dialect if dialect in {"mindset", "openai"} else "default")
    own_key = key(world, company, Scope.SEARCH, tags=frozenset({"sales"}), options=options)
    shown = api(own_key).post(ROUTE, **question(dialect)).json
    assert (shown["dialect"], shown["status"]) == (dialect, 200)
    assert SALES in json.dumps(shown["answer"])
    sent = shown["request"]
    headers = {
        **caller(own_key),
        "accept": "application/json",
        "content-type": "application/json",
        **({VERSION_HEADER: LATEST_HANDSHAKE_VERSION} if "jsonrpc" in sent["body"] else {}),
    }
    own = world.request(sent["method"], sent["path"], headers, json.dumps(sent["body"]).encode())
    assert steady(own.payload) == steady(shown["answer"])


@pytest.mark.parametrize("dialect", NAMES)
def test_no_dialect_gives_what_the_caller_may_not_read(seller: KeyWithSecret, dialect: str) -> None:
    assert BOARD not in api(seller).post(ROUTE, **question(dialect)).body.decode()


@pytest.mark.parametrize("dialect", NAMES)
def test_a_collection_beyond_the_key_looks_like_one_that_does_not_exist(
    world: World, company: str, dialect: str
) -> None:
    bounded = key(world, company, Scope.SEARCH, tags=frozenset({"sales"}), collections=frozenset({"plans"}))
    closed, missing = (api(bounded).post(ROUTE, **question(dialect, name)) for name in ("handbook", "unknown1"))
    assert closed.status == missing.status
    assert SALES not in closed.body.decode()
    assert json.dumps(steady(closed.json)).replace("handbook", "unknown1") == json.dumps(steady(missing.json))


def test_the_line_of_the_call_names_the_documents_that_were_given(
    world: World, company: str, seller: KeyWithSecret
) -> None:
    for dialect in NAMES:
        api(seller).post(ROUTE, **question(dialect))
    lines = api(key(world, company, Scope.ADMIN)).get("/v1/audit", call=f"POST {ROUTE}").json["rows"]
    assert [(each["user"], each["content"], each["documents"]) for each in lines] == [
        ("olga", "passages", ["sales@1"])
    ] * len(NAMES)


@pytest.mark.parametrize("dialect", NAMES)
def test_a_key_of_other_dialects_is_refused(world: World, company: str, dialect: str) -> None:
    options = replace(USUAL_OPTIONS, dialects=frozenset(NAMES) - {dialect})
    refused = api(key(world, company, Scope.SEARCH, options=options)).post(ROUTE, **question(dialect))
    assert (refused.status, refused.code) == (403, "denied")


def test_an_unknown_dialect_is_answered_with_the_known_ones(seller: KeyWithSecret) -> None:
    refused = api(seller).post(ROUTE, **question("solr"))
    assert refused.status == 400
    assert refused.json["error"]["message"].endswith(f"Dialects: {', '.join(NAMES)}.")


def test_the_cookie_of_the_page_gets_the_answer_and_still_opens_no_dialect(world: World, seller: KeyWithSecret) -> None:
    signed_in = Api({**api(seller).headers, **OWN}).post("/v1/session")
    cookie = signed_in.headers["set-cookie"].partition(";")[0]
    page = Api({"cookie": cookie, **OWN})
    for dialect in NAMES:
        shown = page.post(ROUTE, **question(dialect))
        assert (shown.status, SALES in shown.body.decode()) == (200, True)
        sent = shown.json["request"]
        headers = {"cookie": cookie, **OWN, "content-type": "application/json"}
        own = world.request(sent["method"], sent["path"], headers, json.dumps(sent["body"]).encode())
        assert own.status == 401


@pytest.mark.parametrize("wrong", [{"question": " "}, {"top_n": 21}, {"top_n": 0}, {"as": {"user": "ann"}}])
def test_a_question_that_is_none_and_a_member_that_is_unknown_are_refused(
    seller: KeyWithSecret, wrong: dict[str, Any]
) -> None:
    assert api(seller).post(ROUTE, **{**question("vertex"), **wrong}).status == 400
