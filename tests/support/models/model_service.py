"""A service of language models over TLS that plays the APIs of OpenAI, Azure OpenAI and Bedrock Converse."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import HttpsServer, Received, Reply, https_server

KEY: Final = "sk-marmalade-4711"
USAGE: Final = (321, 45)
"""Tokens of input and output that every answer states."""

Planned = Callable[[Received], object]


@dataclass
class ModelService:
    """A running service.

    Attributes:
        planned: returns the output for a request; a `Reply` is sent as it is.
    """

    server: HttpsServer
    ca_file: Path
    planned: Planned = field(default=lambda _: {"queries": ["wheel pump oil"]})

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    @property
    def url(self) -> str:
        return f"https://{self.host}"

    @property
    def requests(self) -> Sequence[Received]:
        return self.server.received

    def environment(self, planner: str = "openai:small", **settings: str) -> dict[str, str]:
        """The settings of a server whose operator allows this service and plans by it."""
        given = {"PLANNER": planner, "PLANNER_URL": self.url, "PLANNER_KEY": KEY, **self.allowed, **settings}
        return {f"GROUNDWIRE_{name}": value for name, value in given.items() if value}

    @property
    def allowed(self) -> dict[str, str]:
        """The settings that make the service reachable."""
        return {"EGRESS_ALLOW": self.host, "EGRESS_CA": str(self.ca_file)}

    def answer(self, request: Received) -> Reply:
        output = self.planned(request)
        if isinstance(output, Reply):
            return output
        is_converse = request.target.startswith("/model/")
        return json_reply(_converse(output) if is_converse else _completion(output))


def json_reply(value: object, status: int = 200) -> Reply:
    """An answer of JSON."""
    return Reply(json.dumps(value).encode(), status, {"content-type": "application/json"})


def body_of(request: Received) -> dict[str, Any]:
    """What a request sent."""
    return json.loads(request.body)


def conversation_of(request: Received) -> dict[str, Any]:
    """The JSON object in the one message of the user."""
    [text] = [each["content"] for each in body_of(request)["messages"] if each["role"] == "user"]
    return json.loads(text if isinstance(text, str) else text[0]["text"])


@contextmanager
def model_service(folder: Path) -> Generator[ModelService]:
    """A service on 127.0.0.1 until the end of the block."""
    authority = Authority(folder)

    def answer(request: Received) -> Reply:
        return service.answer(request)

    with https_server(authority.server_context(["127.0.0.1", "localhost"]), answer) as server:
        service = ModelService(server, authority.ca_file)
        yield service


def _completion(output: object) -> Mapping[str, object]:
    content = output if isinstance(output, str) else json.dumps(output)
    message = {"role": "assistant", "content": content}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "model": "small-2026",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)},
    }


def _converse(output: object) -> Mapping[str, object]:
    used = {"toolUse": {"toolUseId": "t-1", "name": "search_queries", "input": output}}
    return {
        "output": {"message": {"role": "assistant", "content": [used]}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": USAGE[0], "outputTokens": USAGE[1], "totalTokens": sum(USAGE)},
        "metrics": {"latencyMs": 5},
    }
