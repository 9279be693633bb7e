"""Errors in what a client got: each belongs to a part, a column of the table."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tests.e2e.clients.company import CLOSED, Caller
from tests.e2e.clients.opensearch.case import COLLECTION, MISSING, Case
from tests.e2e.clients.opensearch.catalogue import OpenSearchClient
from tests.e2e.clients.relay import Exchange

_SHOWN: Final = 500
_HANDSHAKE: Final = ("server/discover", "initialize", "notifications/initialized")
_SERVER: Final = "OpenSearch-MCP-Stateless-Server"
_IDENTITY: Final = ("x-user-id", "x-session-tags")


class OpenSearchError(NamedTuple):
    """A deviation from the expected answer, and where it is."""

    part: str
    text: str


def errors_of_calls(
    reported: Mapping[str, Any], cases: Sequence[Case], tools: Iterable[str]
) -> Iterator[OpenSearchError]:
    """Yield the errors in what one caller got."""
    if sorted(reported["tools"]) != sorted(tools):
        yield OpenSearchError("tools", f"listed {reported['tools']}")
    calls = reported["calls"]
    for case in cases:
        if case.name not in calls:
            yield OpenSearchError(case.part, f"{case.name}: not told")
            continue
        is_error, text = calls[case.name]
        if is_error != bool(case.refused) or not all(each in text for each in case.refused) or not _holds(case, text):
            yield OpenSearchError(case.part, f"{case.name}: {'error' if is_error else 'answer'} {text[:_SHOWN]!r}")
        if case.like and text.replace(CLOSED, MISSING) != calls.get(case.like, (True, ""))[1]:
            yield OpenSearchError(case.part, f"{case.name}: not as {case.like}: {text[:_SHOWN]!r}")


def _holds(case: Case, text: str) -> bool:
    try:
        return case.holds(text)
    except (ValueError, LookupError, TypeError, AttributeError):
        # The text is not of the form that the check reads.
        return False


def errors_of_rights(reported: Mapping[str, Any], caller: Caller) -> Iterator[OpenSearchError]:
    """Yield what the caller may not see and was shown; texts of errors repeat what was sent."""
    answers = [text for is_error, text in reported["calls"].values() if not is_error]
    seen = json.dumps([answers, reported["printed"]], ensure_ascii=False)
    yield from (OpenSearchError("rights", f"sees {word!r}") for word in caller.forbidden if word in seen)


def errors_of_page(reported: Mapping[str, Any], tools: Sequence[str]) -> Iterator[OpenSearchError]:
    """Yield the errors in the output of the page's script; other clients have none."""
    printed = reported["printed"]
    start = "".join(f"{name}\n" for name in tools) + "result: "
    if printed is not None and not (printed.startswith(start) and f"1,green,open,{COLLECTION}," in printed):
        yield OpenSearchError("list", f"the script of the page printed {printed[:_SHOWN]!r}")


def errors_of_engine_wire(client: OpenSearchClient, exchanges: Sequence[Exchange]) -> Iterator[OpenSearchError]:
    """Yield the errors of requests to the REST interface: paths, credentials, and states of a broken server."""
    scheme = client.mode or "Basic"
    for exchange in exchanges:
        what = f"{exchange.verb} {exchange.path}"
        if not exchange.path.startswith("/opensearch/"):
            yield OpenSearchError("wire", f"{what} is no path of the interface")
        if exchange.status >= 500:
            yield OpenSearchError("wire", f"{what}: status {exchange.status}")
        if not exchange.headers.get("authorization", "").startswith(f"{scheme} "):
            yield OpenSearchError("wire", f"{what} has no {scheme} credential")
        if _has_identity(exchange) and exchange.status != 403:
            yield OpenSearchError("headers", f"{what} with an identity header: status {exchange.status}")
    if not any(map(_has_identity, exchanges)):
        yield OpenSearchError("headers", "no identity header came to the server")
    if not any(exchange.verb == "GET" and _has_body(exchange) for exchange in exchanges):
        yield OpenSearchError("wire", "no GET had a body")


def _has_identity(exchange: Exchange) -> bool:
    return any(name in exchange.headers for name in _IDENTITY)


def _has_body(exchange: Exchange) -> bool:
    return exchange.headers.get("content-length", "0") != "0"


def errors_of_plugin_wire(exchanges: Sequence[Exchange]) -> Iterator[OpenSearchError]:
    """Yield the errors of messages to the MCP server: path, handshake, and states of a broken server."""
    if not exchanges:
        yield OpenSearchError("wire", "nothing was sent")
        return
    methods = tuple(exchange.message.get("method") for exchange in exchanges)
    if methods[: len(_HANDSHAKE)] != _HANDSHAKE:
        yield OpenSearchError("wire", f"began with {methods[:3]}")
    for exchange in exchanges:
        method = exchange.message.get("method")
        if (exchange.verb, exchange.path) != ("POST", "/_plugins/_ml/mcp"):
            yield OpenSearchError("wire", f"{exchange.verb} {exchange.path} is no request of the page")
        elif exchange.status != (200 if "id" in exchange.message else 202):
            yield OpenSearchError("wire", f"{method}: status {exchange.status}")
        if method == "initialize" and json.loads(exchange.answer)["result"]["serverInfo"]["name"] != _SERVER:
            yield OpenSearchError("wire", f"initialize is answered by {exchange.answer[:_SHOWN]!r}")
