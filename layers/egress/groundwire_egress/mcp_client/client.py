"""The client of sources: lists the tools of an MCP server and calls them, within the limits of a call."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final, TypeVar, cast

from groundwire_egress import EgressClient, EgressLimits
from groundwire_egress.deadline import time_limit
from groundwire_egress.mcp_client.calls import (
    McpDenied,
    McpSignInRequired,
    McpUnavailable,
    SourceAnswer,
    SourceListing,
    SourceTarget,
    SourceToolCall,
)
from groundwire_egress.mcp_client.conversations import SourceConversation, converse, header_text
from groundwire_egress.mcp_client.limits import MAX_SOURCE_RESPONSE_BYTES, MAX_SOURCE_TOOLS
from groundwire_egress.mcp_client.rpc import NO_ANSWER, RpcChannel, SourceRejected
from groundwire_egress.mcp_client.token_endpoint import TokenIssuer
from groundwire_egress.mcp_client.tokens import SourceCredentials
from groundwire_egress.messages import EgressError
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.versions import PARAM_HEADER_PREFIX

ResultT = TypeVar("ResultT")

_DENIALS: Final = frozenset({401, 403})
_DENIED: Final = "The source's server refuses the credential, or the user: ask its administrator."
_MAX_PAGES: Final = 20
_MAX_ERROR_CHARACTERS: Final = 2_000
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}")
_COMPLETE: Final = "complete"
_INPUT_REQUIRED: Final = "input_required"
_WANTS_INPUT: Final = "The tool needs more input from the user, which is not possible here."


class McpClient:
    """Client of MCP servers: one call is one exchange, and nothing is kept after it; several threads can use it.

    Args:
        egress: calls sources and the token endpoints that tenants name.
        issuer: URL of the configured issuer of users' tokens; None: there is none.
        issuer_egress: calls the issuer, whose host it may allow; None: `egress`.
    """

    def __init__(
        self,
        egress: EgressClient,
        issuer: str | None,
        issuer_egress: EgressClient | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open = egress.open
        token_issuer = TokenIssuer(issuer, (issuer_egress or egress).send, monotonic)
        self._credentials = SourceCredentials(egress.send, token_issuer, monotonic)

    def list_tools(self, target: SourceTarget, protocol: str | None, seconds: float) -> SourceListing:
        """Return the declared tools.

        Raises:
            McpUnavailable: the server does not answer as an MCP server in time.
            McpSignInRequired: the issuer gives the source's client no token.
        """
        return self._converse(target, protocol, seconds, _listing, is_listing=True)

    def call_tool(
        self, target: SourceTarget, call: SourceToolCall, protocol: str | None, seconds: float
    ) -> SourceAnswer:
        """Return the result of a tool; an error of the protocol is one of the tool.

        Raises:
            McpUnavailable: the server does not answer as an MCP server in time.
            McpSignInRequired: the credential needs a user's token, which the target has not.
        """
        return self._converse(
            target, protocol, seconds, lambda conversation: _answer(conversation, call), is_listing=False
        )

    def _converse(
        self,
        target: SourceTarget,
        protocol: str | None,
        seconds: float,
        work: Callable[[SourceConversation], ResultT],
        *,
        is_listing: bool,
    ) -> ResultT:
        with time_limit(seconds):
            try:
                return self._attempt(target, protocol, seconds, work, is_listing=is_listing)
            except McpSignInRequired:
                raise
            except SourceRejected as rejected:
                is_denied = rejected.status in _DENIALS
            except EgressError:
                is_denied = False
        # Outside of the handler: the error has no trace of the reason, which would tell what is at the address.
        raise McpDenied(_DENIED) if is_denied else McpUnavailable(NO_ANSWER)

    def _attempt(
        self,
        target: SourceTarget,
        protocol: str | None,
        seconds: float,
        work: Callable[[SourceConversation], ResultT],
        *,
        is_listing: bool,
    ) -> ResultT:
        headers = self._credentials.headers(target, is_listing=is_listing)
        with self._open(EgressLimits(seconds, MAX_SOURCE_RESPONSE_BYTES, redirects=0)) as session:
            channel = RpcChannel(session, target.url, headers)
            try:
                return converse(channel, protocol, work)
            except SourceRejected as rejected:
                # A server may revoke a cached token before its end, so one new token is tried.
                if rejected.status != HTTPStatus.UNAUTHORIZED or not self._credentials.discard(target):
                    raise
            channel.credential = self._credentials.headers(target, is_listing=is_listing)
            return converse(channel, protocol, work)


def _listing(conversation: SourceConversation) -> SourceListing:
    declarations: list[JsonObject] = []
    for page in _pages(conversation):
        declarations += _objects(page)
        if len(declarations) >= MAX_SOURCE_TOOLS:
            break
    return SourceListing(declarations[:MAX_SOURCE_TOOLS], conversation.protocol)


def _pages(conversation: SourceConversation) -> Iterator[Json]:
    """Yield the tools of each page, of `_MAX_PAGES` at most.

    Raises:
        McpUnavailable: the server refuses, repeats a cursor, or sends no page.
    """
    params: dict[str, object] = {}
    cursors: set[str] = set()
    for _ in range(_MAX_PAGES):
        reply = conversation.request("tools/list", params, {})
        cursor = reply.result.get("nextCursor")
        if reply.error is not None or reply.result.get("resultType", _COMPLETE) != _COMPLETE:
            raise McpUnavailable(NO_ANSWER)
        yield reply.result.get("tools")
        if cursor is None:
            return
        # A server that repeats a cursor would send the same tools until the limit of pages.
        if not isinstance(cursor, str) or cursor in cursors:
            raise McpUnavailable(NO_ANSWER)
        cursors.add(cursor)
        params = {"cursor": cursor}


def _answer(conversation: SourceConversation, call: SourceToolCall) -> SourceAnswer:
    params = {"name": call.tool, "arguments": call.arguments}
    reply = conversation.request("tools/call", params, dict(_mirrored(call)))
    if reply.error is not None:
        return _result(conversation, _text_blocks(reply.error.message[:_MAX_ERROR_CHARACTERS]), None, is_error=True)
    result_type = reply.result.get("resultType", _COMPLETE)
    if result_type == _INPUT_REQUIRED:
        return _result(conversation, _text_blocks(_WANTS_INPUT), None, is_error=True)
    structured, is_error = reply.result.get("structuredContent"), reply.result.get("isError", False)
    content = _objects(reply.result.get("content"))
    if result_type != _COMPLETE or not isinstance(is_error, bool):
        raise McpUnavailable(NO_ANSWER)
    return _result(conversation, content, structured if isinstance(structured, dict) else None, is_error=is_error)


def _result(
    conversation: SourceConversation,
    content: Sequence[Mapping[str, object]],
    structured: Mapping[str, object] | None,
    *,
    is_error: bool,
) -> SourceAnswer:
    channel = conversation.channel
    return SourceAnswer(
        content, structured, is_error, channel.sent_bytes, channel.received_bytes, conversation.protocol
    )


def _text_blocks(text: str) -> list[dict[str, object]]:
    return [{"type": "text", "text": text}]


def _objects(value: Json) -> list[JsonObject]:
    """Return a list of objects as it is.

    Raises:
        McpUnavailable: it is not valid.
    """
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise McpUnavailable(NO_ANSWER)
    return cast("list[JsonObject]", value)


def _mirrored(call: SourceToolCall) -> Iterator[tuple[str, str]]:
    """Yield name and value of each header that repeats an argument; objects, lists and null have none."""
    for path, name in call.mirrored_arguments.items():
        value = _argument(call.arguments, path)
        # The name is from the schema of another system: a line break in it would add headers.
        if not _HEADER_NAME.fullmatch(name):
            continue
        if isinstance(value, bool):
            yield PARAM_HEADER_PREFIX + name.lower(), "true" if value else "false"
        elif isinstance(value, str | int | float):
            yield PARAM_HEADER_PREFIX + name.lower(), header_text(str(value))


def _argument(value: object, path: str) -> object:
    for member in path.split("/"):
        value = cast("Mapping[str, object]", value).get(member) if isinstance(value, Mapping) else None
    return value
