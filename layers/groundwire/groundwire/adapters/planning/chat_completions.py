"""Planning models behind the chat completions API: of OpenAI, of servers compatible with it, of Azure OpenAI."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from groundwire.adapters.egress_errors import as_unavailable
from groundwire.adapters.planning.plan_output import MalformedPlan, PlanOutput, token_count
from groundwire.adapters.planning.prompt import MAX_OUTPUT_TOKENS, SCHEMA, SCHEMA_NAME, PlanningPrompt
from groundwire.domain.errors import DomainError, Unavailable
from groundwire_egress import EgressError, EgressLimits, EgressRequest, SendRequest
from groundwire_egress.bounded_calls import BoundedCalls

_MAX_RESPONSE_BYTES: Final = 256 * 1024
_KEYS: Final = BoundedCalls("model key", most_pending=16, errors=(DomainError,))
"""Readings of keys, which a store of secrets may have."""
_JSON: Final = {"content-type": "application/json", "accept": "application/json"}


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Address of a model's API.

    Attributes:
        header: returns the header with this API key. names_model: the body names the model.
    """

    url: str
    header: Callable[[str], Mapping[str, str]]
    names_model: bool


def openai_endpoint(base: str) -> ChatEndpoint:
    """Return the endpoint of OpenAI, or of a server compatible with it."""
    return ChatEndpoint(
        f"{base.rstrip('/')}/chat/completions", lambda key: {"authorization": f"Bearer {key}"}, names_model=True
    )


def azure_endpoint(resource_uri: str, deployment: str, api_version: str) -> ChatEndpoint:
    """Return the endpoint of a deployment of Azure OpenAI."""
    path = f"/openai/deployments/{quote(deployment, safe='')}/chat/completions?api-version={api_version}"
    return ChatEndpoint(resource_uri.rstrip("/") + path, lambda key: {"api-key": key}, names_model=False)


class ChatModel:
    """Model behind an endpoint; implements `PlanningModel`.

    Args:
        open_key: returns the API key; None: the service needs none.
    """

    def __init__(
        self, endpoint: ChatEndpoint, names: tuple[str, str], open_key: Callable[[], str | None], send: SendRequest
    ) -> None:
        self.name, self.deployment = names
        self._endpoint = endpoint
        self._open_key = open_key
        self._send = send

    def ask(self, prompt: PlanningPrompt, seconds: float, /) -> PlanOutput:
        """Return the output of the model, unchecked.

        Raises:
            Unavailable: the service gives none in time.
        """
        ends_at = time.monotonic() + seconds
        try:
            key = _KEYS.run(self._open_key, seconds)
        except EgressError as error:
            raise as_unavailable(error) from error
        except TimeoutError as error:
            raise Unavailable("the key of the model was not read in time") from error
        headers = {**_JSON, **({} if key is None else self._endpoint.header(key))}
        # The reading of the key has used a part of the time.
        limits = EgressLimits(max(0.0, ends_at - time.monotonic()), _MAX_RESPONSE_BYTES, redirects=0)
        body = json.dumps(self._body(prompt)).encode()
        try:
            with self._send(EgressRequest("POST", self._endpoint.url, headers, body, limits)) as response:
                if response.status != HTTPStatus.OK:
                    raise Unavailable(f"the model's service answered {response.status}")
                return _output(response.read())
        except EgressError as error:
            raise as_unavailable(error) from error

    def _body(self, prompt: PlanningPrompt) -> Mapping[str, Any]:
        return {
            **({"model": self.deployment} if self._endpoint.names_model else {}),
            "messages": [
                {"role": "system", "content": prompt.instructions},
                {"role": "user", "content": prompt.conversation},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": SCHEMA_NAME, "strict": True, "schema": SCHEMA},
            },
            # Models that reason refuse the older `max_tokens`.
            "max_completion_tokens": MAX_OUTPUT_TOKENS,
        }


def _output(body: bytes) -> PlanOutput:
    try:
        answer: Any = json.loads(body)
        choice = answer["choices"][0]
        # After `length` or `content_filter` the JSON is cut off.
        if choice.get("finish_reason") != "stop":
            raise MalformedPlan("the output is not complete")
        value: object = json.loads(choice["message"]["content"])
        usage = answer.get("usage")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise MalformedPlan("the answer has another form") from error
    return PlanOutput(value, token_count(usage, "prompt_tokens"), token_count(usage, "completion_tokens"))
