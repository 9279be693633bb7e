"""Sample events for `sam local invoke`, in the form in which API Gateway and SQS deliver them.

`sample_events` returns the files of events/, with a key and a tenant that do not exist. `write_live_events` writes
the same calls with a live key: the authorizer itself decides the context.
"""

import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms import key_text
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind, TagSource
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.passages.embedding_request import EmbeddingRequest
from groundwire.domain.sources.messages import SourceInvocation
from groundwire.domain.sources.state import SourceCaller
from groundwire.entry.cli.sample_events.mcp_calls import McpCall, foundry_call, mcp_calls
from groundwire.entry.cli.sample_events.upload_event import sample_upload_event
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.http.authorizer_context import to_context
from groundwire_egress.mcp_client.calls import SourceTarget, SourceToolCall
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS
from groundwire_mcp.versions import (
    LATEST_HANDSHAKE_VERSION,
    SESSION_HEADER,
    VERSION_HEADER,
)

Event = dict[str, object]
AuthorizerHandler = Callable[[Event, object], dict[str, object]]


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """The target of a call: the template's route, the path, and the route's path parameters."""

    route: str
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


_MCP_TARGET: Final = RequestTarget("ANY /mcp", "/mcp")
_FOUNDRY_TARGET: Final = RequestTarget("ANY /edgeai/mcp", "/edgeai/mcp")
_STATUS_TARGET: Final = RequestTarget("ANY /v1/{proxy+}", "/v1/status", {"proxy": "status"})
_VERTEX_METHOD: Final = "p1/locations/us-central1:retrieveContexts"
_VERTEX_TARGET: Final = RequestTarget(
    "ANY /v1/projects/{proxy+}", f"/v1/projects/{_VERTEX_METHOD}", {"proxy": _VERTEX_METHOD}
)
_VERTEX_REQUEST: Final = {
    "query": {"text": "How much leave do I have?", "ragRetrievalConfig": {"topK": 3}},
    "vertexRagStore": {
        "ragResources": [{"ragCorpus": "projects/p1/locations/us-central1/ragCorpora/handbook"}],
    },
}
_AZURE_TARGET: Final = RequestTarget(
    "ANY /{resource}/retrieve", "/knowledgebases('handbook')/retrieve", {"resource": "knowledgebases('handbook')"}
)
_AZURE_QUERY: Final = "api-version=2026-04-01"
_AZURE_REQUEST: Final = {"intents": [{"type": "semantic", "search": "How much leave do I have?"}]}
_OPENSEARCH_PATH: Final = "handbook/_search"
_OPENSEARCH_TARGET: Final = RequestTarget(
    "ANY /opensearch/{proxy+}", f"/opensearch/{_OPENSEARCH_PATH}", {"proxy": _OPENSEARCH_PATH}
)
_OPENSEARCH_REQUEST: Final = {"query": {"match": {"content": "How much leave do I have?"}}, "size": 3}
_SOURCES_INVOCATION: Final = SourceInvocation(
    # The address of a machine of one's own, which no function calls.
    SourceTarget("t_0123456789abcdef", "00000000-0000-4000-8000-000000000000", "https://127.0.0.1/mcp", None),
    SourceToolCall("search", {"query": "How much leave do I have?"}, "0" * 64, {}),
    SourceCaller("0" * 16, None, is_known=True),
    SOURCE_CALL_SECONDS,
)
_SAMPLE_USER: Final = "maria"
_SAMPLE_TAGS: Final = frozenset({"department:sales", "Q4-2024"})
_SAMPLE_TENANT: Final = "t_0123456789abcdef"
_SAMPLE_SEGMENT: Final = "doc_0123456789abcdef.0123456789abcdef"
_MINDSET_USER: Final = "user@example.com"
_MINDSET_TAGS: Final = ("department:sales", "region:north", "Q4-2024", "premium_access")
_MINDSET_PHRASES: Final = (
    "key features?",
    "Product X capabilities and specifications",
    "How does product X compare to competitors?",
    "Product X technical documentation",
    "Benefits and limitations of product X",
)
_SAMPLE_SESSION_HEADERS: Final = ((VERSION_HEADER, LATEST_HANDSHAKE_VERSION), (SESSION_HEADER, "0" * 43))


def sample_events() -> dict[str, Event]:
    """Return the files of events/ by name, without `.json`; the same at every call."""
    calls = mcp_calls(_SAMPLE_SEGMENT)
    identity = identity_headers(_sample_key(), _SAMPLE_USER, _SAMPLE_TAGS)
    admitted = to_context(_sample_decision())
    unauthenticated = to_context(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL))
    # The event of a gateway without header mapping: the client's headers differ from the context.
    spoofed = identity_headers(_sample_key(), "chief-executive", frozenset({"department:board"}))
    events = {name: _with_context(_mcp_event(call, identity), admitted) for name, call in calls.items()}
    # Only a sample: a live session's id comes from the response to `initialize`.
    in_session = McpCall(calls["tools_list"].message, _SAMPLE_SESSION_HEADERS)
    events["tools_list_in_session"] = _with_context(_mcp_event(in_session, identity), admitted)
    events["delete_session"] = _with_context(
        _http_event("DELETE", b"", (*_SAMPLE_SESSION_HEADERS, *identity)), admitted
    )
    events["mindset"] = _with_context(_mcp_event(_mindset_call(), _mindset_identity()), to_context(_mindset_decision()))
    events["foundry"] = _with_context(_mcp_event(foundry_call(), identity, _FOUNDRY_TARGET), admitted)
    events["no_key"] = _with_context(_mcp_event(calls["rag_search"], ()), unauthenticated)
    events["spoofed_headers"] = _with_context(_mcp_event(calls["rag_search"], spoofed), admitted)
    events["authorizer"] = authorizer_event(_mcp_event(calls["rag_search"], identity))
    events["api"] = _with_context(_http_event("GET", b"", identity, _STATUS_TARGET), admitted)
    events["vertex"] = _with_context(
        _json_event(json.dumps(_VERTEX_REQUEST).encode(), identity, _VERTEX_TARGET), admitted
    )
    azure = _json_event(json.dumps(_AZURE_REQUEST).encode(), identity, _AZURE_TARGET)
    events["azure"] = _with_context({**azure, "rawQueryString": _AZURE_QUERY}, admitted)
    opensearch = _json_event(json.dumps(_OPENSEARCH_REQUEST).encode(), identity, _OPENSEARCH_TARGET)
    events["opensearch"] = _with_context(opensearch, admitted)
    events = {name: _with_fixed_time(event) for name, event in events.items()}
    events["ingestion"] = sample_upload_event(_SAMPLE_TENANT)
    events["sources"] = _SOURCES_INVOCATION.to_event()
    events["operator"] = {"action": "tenant.list"}
    events["parser"] = {"probe": "confinement"}
    events["embedding"] = EmbeddingRequest(["How much leave do I have?"], "query").to_event()
    return events


def write_sample_events(folder: Path) -> None:
    """Write the files of events/."""
    for name, event in sample_events().items():
        (folder / f"{name}.json").write_text(_event_json(event), encoding="utf-8")


def write_live_events(
    folder: Path,
    key: str,
    user: str | None,
    tags: frozenset[str] | None,
    segment_uid: str | None,
    authorizer: AuthorizerHandler,
) -> list[Path]:
    """Write the events of a live key: the authorizer's event, and each call with the authorizer's context.

    The files hold the key and are readable by their owner alone. Each run spends one call of the key's rate.

    Args:
        folder: created when it is missing.
        key: a whole API key; a key that is not admitted gives events that are refused.
        user: value of `x-user-id`; None sends no such header, as a personal key demands.
        tags: values of `x-session-tags`; None sends no such header.
        segment_uid: the segment of the `verify` event; None: one that does not exist.
        authorizer: the authorizer function's handler.
    """
    folder.mkdir(parents=True, exist_ok=True)
    calls = mcp_calls(segment_uid or _SAMPLE_SEGMENT)
    identity = identity_headers(key, user, tags)
    authorizer_request = authorizer_event(_mcp_event(calls["rag_search"], identity))
    context = cast("dict[str, object]", authorizer(authorizer_request, None)["context"])
    events = {name: _with_context(_mcp_event(call, identity), context) for name, call in calls.items()}
    return [
        _write_private(folder / f"{name}.json", event)
        for name, event in {**events, "authorizer": authorizer_request}.items()
    ]


def identity_headers(key: str, user: str | None, tags: frozenset[str] | None) -> tuple[tuple[str, str], ...]:
    """Return the identity headers of a call, as an agent sends them; None sends no such header."""
    headers = [("authorization", f"Bearer {key}")]
    if user is not None:
        headers.append(("x-user-id", user))
    if tags is not None:
        headers.append(("x-session-tags", json.dumps(sorted(tags))))
    return tuple(headers)


def _mcp_event(call: McpCall, identity: tuple[tuple[str, str], ...], target: RequestTarget = _MCP_TARGET) -> Event:
    return _json_event(json.dumps(call.message).encode(), (*call.headers, *identity), target)


def _json_event(body: bytes, headers: tuple[tuple[str, str], ...], target: RequestTarget = _MCP_TARGET) -> Event:
    content_headers = (("content-type", "application/json"), ("content-length", str(len(body))))
    return _http_event("POST", body, (*content_headers, *headers), target)


def _http_event(
    method: str, body: bytes, headers: tuple[tuple[str, str], ...], target: RequestTarget = _MCP_TARGET
) -> Event:
    common_headers = (
        ("host", "127.0.0.1:8080"),
        ("user-agent", "curl/8.5.0"),
        ("accept", "application/json, text/event-stream"),
    )
    request = GatewayRequest(method, target.path, "", (*common_headers, *headers), body, "127.0.0.1")
    return function_event(request, target.route, target.parameters)


def _with_context(event: Event, context: Mapping[str, object]) -> Event:
    request_context = cast("Event", event["requestContext"])
    return {**event, "requestContext": {**request_context, "authorizer": {"lambda": dict(context)}}}


def _with_fixed_time(event: Event) -> Event:
    fixed_fields = {
        "requestId": "00000000-0000-4000-8000-000000000000",
        "time": "01/Oct/2026:12:00:00 +0000",
        "timeEpoch": 1_790_856_000_000,
    }
    return {**event, "requestContext": {**cast("Event", event["requestContext"]), **fixed_fields}}


def _sample_key() -> str:
    """Return a well-formed key with a valid checksum that was never issued."""
    # `bytes` gives zeros in place of random bytes, so that the files never change.
    return key_text.mint_key("test", bytes).text.reveal()


def _sample_decision() -> AuthDecision:
    caller = Caller(
        principal=Principal(_SAMPLE_TENANT, _SAMPLE_USER, _SAMPLE_TAGS),
        kid=key_text.mint_key("test", bytes).kid,
        kind=KeyKind.ACT_AS,
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY, Scope.ACT_AS}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
        tag_source=TagSource.CALL,
    )
    return AuthDecision(
        AuthStatus.ADMITTED, AuthReason.ADMITTED, caller=caller, kid=caller.kid, tenant=caller.principal.tenant
    )


def _mindset_call() -> McpCall:
    """Return the request of Mindset AI's documentation, member by member."""
    params = {"name": "rag_search", "arguments": {"search_phrases": list(_MINDSET_PHRASES)}}
    return McpCall({"jsonrpc": "2.0", "method": "tools/call", "params": params, "id": "request-123"})


def _mindset_identity() -> tuple[tuple[str, str], ...]:
    return (
        ("authorization", f"Bearer {_sample_key()}"),
        ("x-user-id", _MINDSET_USER),
        ("x-human-uid", "human_123456789"),
        # In the documentation's order, not sorted.
        ("x-session-tags", json.dumps(_MINDSET_TAGS)),
    )


def _mindset_decision() -> AuthDecision:
    sample = cast("Caller", _sample_decision().caller)
    principal = Principal(_SAMPLE_TENANT, _MINDSET_USER, frozenset(_MINDSET_TAGS))
    return AuthDecision.admit(replace(sample, principal=principal, options=replace(USUAL_OPTIONS, toolset="mindset")))


def _event_json(event: Event) -> str:
    return json.dumps(event, indent=2, ensure_ascii=False) + "\n"


def _write_private(path: Path, event: Event) -> Path:
    """Write the file atomically, readable by its owner alone from the start."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(_event_json(event))
    draft.replace(path)
    return path
