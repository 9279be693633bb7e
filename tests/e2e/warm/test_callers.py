"""A process that serves everybody in turn answers each as a process does that has never met another."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from groundwire.entry import mcp
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from groundwire_mcp.server import McpServer
from tests.e2e.warm.alone import answers_alone, post
from tests.e2e.warm.answers import comparable
from tests.support.clients.valid_requests import Call, calls_about_documents, plain_calls
from tests.support.worlds.two_tenants import BLUE, RED, TwoTenants, opened
from tests.support.worlds.world import caller

MODERN: Final = "2026-07-28"
VERSIONS: Final = ("2025-11-25", MODERN)
ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
JSON: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@pytest.fixture
def two_tenants() -> Iterator[TwoTenants]:
    with opened() as two_tenants:
        yield two_tenants


def callers(two_tenants: TwoTenants) -> list[dict[str, str]]:
    """Of two tenants, of three users, with and without tags, by keys of both kinds and all toolsets."""
    ours, theirs = (house.keys for house in two_tenants.houses)
    return [
        caller(ours[0], "ana", frozenset({RED})),
        caller(theirs[0], "ana", frozenset({RED})),
        caller(ours[0], "ben", frozenset({RED, BLUE})),
        caller(ours[1], "ana"),
        caller(theirs[1], "cem"),
        caller(ours[2], "cem", frozenset[str]()),
        caller(ours[3]),
    ]


def written(call: Call, version: str) -> tuple[dict[str, str], str]:
    """Headers and body of a call in the words of a revision."""
    method, params = call
    headers = {**JSON, "mcp-protocol-version": version}
    if version == MODERN:
        name = params.get(NAMED_BY.get(method, ""))
        headers |= {"mcp-method": method} | ({} if name is None else {"mcp-name": name})
        params = {**params, "_meta": ENVELOPE}
    identifier = {} if method.startswith("notifications/") else {"id": 1}
    return headers, json.dumps({"jsonrpc": "2.0", **identifier, "method": method, "params": params})


def differences(two_tenants: TwoTenants, who: list[dict[str, str]]) -> list[str]:
    """The calls that are answered otherwise than alone, when all make each call in turn, and once more."""
    calls = [written(call, version) for call in plain_calls() for version in VERSIONS]
    calls += [written(call, VERSIONS[n % 2]) for n, call in enumerate(calls_about_documents(two_tenants))]
    requests = [[post([*headers.items(), *each.items()], body) for headers, body in calls] for each in who]
    home = two_tenants.world.services.settings.home
    alone = [answers_alone(home, of_one) for of_one in requests]
    return [
        f"caller {n}: {calls[number][1]}"
        for number in range(len(calls))
        for n in [*range(len(who))] * 2
        if comparable(two_tenants.answer(requests[n][number])[1]) != alone[n][number]
    ]


def test_nobodys_answer_depends_on_who_was_served_before(two_tenants: TwoTenants) -> None:
    assert differences(two_tenants, callers(two_tenants)) == []


def answers_kept(patch: pytest.MonkeyPatch) -> None:
    serve, kept = McpServer.handle, dict[bytes, Any]()

    def answer(server: McpServer[Any], request: Any, call: Any) -> Any:
        if request.body not in kept:
            kept[request.body] = serve(server, request, call)
        return kept[request.body]

    patch.setattr(McpServer, "handle", answer)


def first_caller_kept(patch: pytest.MonkeyPatch) -> None:
    from_event, kept = mcp.decision_from_event, list[Any]()

    def kept_decision(event: Mapping[str, object]) -> Any:
        kept.append(from_event(event))
        return kept[0]

    patch.setattr(mcp, "decision_from_event", kept_decision)


def decisions_kept_by_user(patch: pytest.MonkeyPatch) -> None:
    decide, kept = RequestAuthorizer.__call__, dict[str | None, Any]()

    def call(authorize: RequestAuthorizer, headers: Mapping[str, str]) -> Any:
        user = headers.get("x-user-id")
        if user not in kept:
            kept[user] = decide(authorize, headers)
        return kept[user]

    patch.setattr(RequestAuthorizer, "__call__", call)


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "keeps answers": answers_kept,
    "keeps its first caller": first_caller_kept,
    "keeps verdicts by user": decisions_kept_by_user,
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_handler_is_found_that(bug: str, two_tenants: TwoTenants, monkeypatch: pytest.MonkeyPatch) -> None:
    BUGS[bug](monkeypatch)
    assert differences(two_tenants, callers(two_tenants)[:2])
