"""Members without effect in the dialects of MCP, and tags that cannot count: none of them adds a passage."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain import limits
from tests.support.clients.ignored_members import Members, Shapes, check_nothing_is_added, drawn
from tests.support.isolation.policies import PUBLIC, for_tags, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world

QUESTION: Final = "Which number has the wheel pump?"
MCP: Final = "/mcp"
EDGE: Final = "/edgeai/mcp"
OWN_TAG: Final = "department:sales"
CLOSED_TAGS: Final = ("payroll", "sys:admin", "department:" + "x" * limits.MAX_TAG_CHARACTERS)
"""Tags that no call can have here: outside the bound of the key, reserved, too long."""
ANY_JSON: Final = st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=20) | st.just({"top_k": 99})
UNKNOWN_ARGUMENTS: Final[Shapes] = dict.fromkeys(
    ("top_k", "conversation_id", "rerank", "language", "user_id", "tags"), ANY_JSON
)
OF_REQUEST: Final[Shapes] = {
    "progressToken": st.integers(0, 999) | st.text(max_size=9),
    "example.com/user": st.text(max_size=9),
    "example.com/limit": st.integers(1, 500),
}
SURPLUS_TAGS: Final = st.lists(
    st.sampled_from([OWN_TAG, "", "\u200b", "\ufffd", *CLOSED_TAGS]), min_size=1, max_size=90
)


class Tool(NamedTuple):
    """A tool that searches, in its dialect.

    Attributes:
        arguments: of the call whose answers are compared.
        without_effect: arguments that its contract has and that add nothing.
        passages: reads what identifies the passages of an answer.
    """

    path: str
    name: str
    arguments: Mapping[str, object]
    without_effect: Shapes
    passages: Callable[[dict[str, Any]], list[str]]


def segments(result: dict[str, Any]) -> list[str]:
    return [each["segment_uid"] for each in result["segments"]]


def results(result: dict[str, Any]) -> list[str]:
    return [each["id"] for each in result["structuredContent"]["results"]]


def chunks(result: dict[str, Any]) -> list[str]:
    [entry] = result["structuredContent"].values()
    found = entry["text_chunks"] if "text_chunks" in entry else entry["results"]
    return [f"{each['file_path']} {each['chunk_id']}" for each in found]


EDGE_ARGUMENTS: Final[Mapping[str, object]] = {"query": QUESTION, "collection_names": ["default"], "top_n": 9}
TOOLS: Final = {
    "mindset": Tool(MCP, "rag_search", {"search_phrases": [QUESTION]}, UNKNOWN_ARGUMENTS, segments),
    "openai": Tool(MCP, "search", {"query": QUESTION}, {}, results),
    "foundry": Tool(EDGE, "search_hybrid", EDGE_ARGUMENTS, {}, chunks),
    "foundry with images": Tool(EDGE, "search_multimodal", EDGE_ARGUMENTS, {"include_images": st.booleans()}, chunks),
}


class Caller(NamedTuple):
    """A tenant, and the headers of a key by dialect."""

    world: World
    headers: Mapping[str, Mapping[str, str]]

    def ask(self, dialect: str, arguments: Members, meta: Members, tags: list[str]) -> list[str]:
        """Return the passages that an answer has."""
        tool = TOOLS[dialect]
        params: dict[str, object] = {"name": tool.name, "arguments": {**tool.arguments, **arguments}}
        if meta:
            params["_meta"] = meta
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {**self.headers[dialect], "x-session-tags": json.dumps([OWN_TAG, *tags])}
        sent = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}
        answer = self.world.request("POST", tool.path, sent, json.dumps(message).encode())
        body = answer.response.body.decode()
        assert answer.status == 200, body
        # A call with a token of progress is answered by an event stream, whose last event is the answer.
        return tool.passages(json.loads(body.rpartition("\ndata: ")[2])["result"])


@pytest.fixture(scope="module")
def asking() -> Iterator[Caller]:
    with pytest.MonkeyPatch.context() as patch, fresh_home() as home, open_world(home, patch) as world:
        tenant = world.tenant("amber")
        for number in range(12):
            policy = for_tags(OWN_TAG) if number % 2 else PUBLIC
            world.ingest(tenant, f"The wheel pump has the number {number}.", policy, path=f"/nowhere/pump{number}.txt")
        world.ingest(tenant, "The wheel pump has no number.", for_tags("payroll"), path="/nowhere/payroll.txt")
        world.ingest(tenant, "The wheel pump of Ben has a number.", for_users("ben"), path="/nowhere/ben.txt")
        # A key of the default toolset serves routes that have a dialect of their own.
        toolsets = {"mindset": "mindset", "openai": "openai"}
        keys = {
            name: world.acting_key(tenant, max_tags=("department:*",), toolset=toolsets.get(name, "default"))
            for name in TOOLS
        }
        yield Caller(world, {name: caller(key, "ana") for name, key in keys.items()})


@pytest.mark.parametrize("dialect", TOOLS)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_a_member_without_effect_adds_no_passage(asking: Caller, dialect: str, data: st.DataObject) -> None:
    arguments = data.draw(drawn(TOOLS[dialect].without_effect))
    meta = data.draw(drawn(OF_REQUEST))
    check_nothing_is_added(
        lambda sent: asking.ask(dialect, arguments if sent else {}, meta if sent else {}, []), {**arguments, **meta}
    )


@pytest.mark.parametrize("dialect", TOOLS)
@settings(max_examples=examples(40), deadline=None)
@given(tags=SURPLUS_TAGS)
def test_tags_that_cannot_count_add_no_passage(asking: Caller, dialect: str, tags: list[str]) -> None:
    check_nothing_is_added(lambda sent: asking.ask(dialect, {}, {}, tags if sent else []), {"tags": tags})
