"""The scripted model calls its tool once, speaks every API whole and as a stream, and keeps what it is sent."""

import json
from typing import Any

import httpx
import pytest

from tests.e2e.clients.loops.model_server import scripted_model
from tests.e2e.clients.loops.replies import APIS, TAIL, ToolCall

SCRIPTS = {"one": ToolCall("search", {"phrase": "ö"}), "two": ToolCall("fetch", {})}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", APIS)
def test_the_first_reply_calls_the_tool_and_the_next_ends_the_run(*, path: str, stream: bool) -> None:
    body: dict[str, Any] = {"stream": stream, "model": "any"}
    with scripted_model(SCRIPTS) as model:
        first, second = (httpx.post(f"{model.address('one')}{path}", json=body) for _ in range(2))
        kept = {name: list(requests) for name, requests in model.requests.items()}
    assert first.headers["content-type"] == ("text/event-stream" if stream else "application/json")
    assert '"search"' in first.text
    assert TAIL not in first.text
    assert TAIL in second.text
    assert kept == {"one": [body, body], "two": []}


@pytest.mark.parametrize("path", APIS)
def test_a_stream_ends_with_the_whole_text(path: str) -> None:
    for call in (*SCRIPTS.values(), None):
        events = [line for line in "".join(APIS[path].stream(call)).splitlines() if line.startswith("data: {")]
        streamed = "".join(events)
        assert json.dumps(call.text)[1:-1] in streamed if call else TAIL in streamed


def test_what_no_api_has_is_not_found_and_is_kept() -> None:
    with scripted_model(SCRIPTS) as model:
        answers = [httpx.post(f"{model.url}{path}", json={}) for path in ("/one/v1/embeddings", "/none/v1/messages")]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert model.refused == ["/one/v1/embeddings", "/none/v1/messages"]
