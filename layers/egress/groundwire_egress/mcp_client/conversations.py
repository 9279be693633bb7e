"""Conversations with a server in both eras of the protocol, and how the era of a server is found."""

import re
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Protocol, TypeVar

from groundwire_egress import __version__
from groundwire_egress.deadline import remaining_seconds
from groundwire_egress.mcp_client.calls import McpUnavailable
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS
from groundwire_egress.mcp_client.rpc import NO_ANSWER, RpcChannel, RpcReply, SourceRejected
from groundwire_egress.messages import EgressError
from groundwire_mcp.versions import (
    CLIENT_CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    METHOD_HEADER,
    NAME_HEADER,
    PROTOCOL_VERSION_KEY,
    SESSION_HEADER,
    STATELESS_VERSIONS,
    VERSION_HEADER,
)

ResultT = TypeVar("ResultT")

_CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"
_CLIENT_INFO: Final = {"name": "groundwire", "version": __version__}
_TOOL_CALL: Final = "tools/call"
_ERA_STATUSES: Final = frozenset({400, 404, 405, 406, 415, 422, 501})
"""Statuses with which servers refuse a request of the other era."""
_UNSUPPORTED_VERSION: Final = -32022
_ERA_CODES: Final = frozenset({_UNSUPPORTED_VERSION, -32601, -32600})
"""Errors with which they do: unsupported version, unknown method, invalid request."""
_SESSION_ID: Final = re.compile(r"[\x21-\x7e]{1,1024}")
_PLAIN: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_ENCODED: Final = "=?base64?"
_CANCEL_SECONDS: Final = 0.5
"""Time that is kept to cancel a tool's call, of at most a tenth of the call's time."""
_DELETE_SECONDS: Final = 1.0
_KEEPS_SESSIONS: Final = frozenset({"2024-11-05", "2025-03-26"})
"""Versions of servers whose sessions are left to them: Python SDK 1.9 stops to serve anybody after a DELETE."""


class SourceConversation(Protocol):
    """Requests to a server in one version of the protocol."""

    @property
    def channel(self) -> RpcChannel:
        """The channel of all messages."""
        ...

    @property
    def protocol(self) -> str:
        """The version."""
        ...

    def request(self, method: str, params: Mapping[str, object], mirrored: Mapping[str, str], /) -> RpcReply:
        """Return the response.

        Args:
            method: name of the method.
            params: without the protocol's own members.
            mirrored: headers of arguments, which the stateless era has alone.

        Raises:
            EraRefused: the server does not serve this version.
            EgressError: there is no valid response in time.
        """
        ...

    def close(self) -> None:
        """End what the server keeps for the conversation, if it keeps anything and time is left."""
        ...


class EraRefused(McpUnavailable):
    """Error when a server does not serve the version in which it was called; nothing was done."""


def converse(channel: RpcChannel, protocol: str | None, work: Callable[[SourceConversation], ResultT]) -> ResultT:
    """Return the result of `work` in a conversation.

    Args:
        channel: of all messages.
        protocol: version that the server used before; None: unknown.
        work: repeated once where the server refuses that version.

    Raises:
        EgressError: the server serves no version that is known here, or does not answer.
    """
    if protocol in STATELESS_VERSIONS:
        with suppress(EraRefused):
            return work(StatelessConversation(channel, protocol, is_confirmed=False))
    conversation = _opened(channel, protocol)
    try:
        return work(conversation)
    finally:
        conversation.close()


def _opened(channel: RpcChannel, protocol: str | None) -> SourceConversation:
    if protocol in HANDSHAKE_VERSIONS:
        with suppress(EraRefused):
            return _initialize(channel)
        discovered = _discover(channel)
        if discovered is None:
            raise McpUnavailable(NO_ANSWER)
        return discovered
    return _discover(channel) or _initialize(channel)


class StatelessConversation:
    """Requests that carry their context themselves (2026-07-28).

    Args:
        is_confirmed: the server is known to serve the version: its refusals have other reasons.
    """

    def __init__(self, channel: RpcChannel, protocol: str, *, is_confirmed: bool) -> None:
        self.channel = channel
        self.protocol = protocol
        self._is_confirmed = is_confirmed

    def request(self, method: str, params: Mapping[str, object], mirrored: Mapping[str, str], /) -> RpcReply:
        """Return the response; the end of the call's time cancels a tool, as the connection is closed."""
        meta = {
            PROTOCOL_VERSION_KEY: self.protocol,
            CLIENT_CAPABILITIES_KEY: {},
            _CLIENT_INFO_KEY: _CLIENT_INFO,
        }
        headers = {**mirrored, VERSION_HEADER: self.protocol, METHOD_HEADER: method}
        name = params.get("name")
        if isinstance(name, str):
            headers[NAME_HEADER] = header_text(name)
        is_repeatable = method != _TOOL_CALL
        try:
            reply = self.channel.request(method, {**params, "_meta": meta}, headers, is_repeatable=is_repeatable)
        except SourceRejected as rejected:
            # No response to this request: the server did not read it as one of the protocol.
            if not self._is_confirmed and rejected.status in _ERA_STATUSES:
                raise EraRefused(NO_ANSWER) from None
            raise
        # A tool may have done something before any other error than that of the version: it is not called twice.
        codes = _ERA_CODES if is_repeatable else {_UNSUPPORTED_VERSION}
        if not self._is_confirmed and reply.error is not None and reply.error.code in codes:
            raise EraRefused(NO_ANSWER)
        self._is_confirmed = True
        return reply

    def close(self) -> None:
        """Do nothing: the server keeps nothing."""


class HandshakeConversation:
    """Requests after `initialize` (2024-11-05 to 2025-11-25).

    Args:
        session: id that the server gave; None: it keeps no session.
    """

    def __init__(self, channel: RpcChannel, protocol: str, session: str | None) -> None:
        self.channel = channel
        self.protocol = protocol
        self._session = session
        self._headers = {VERSION_HEADER: protocol, **({} if session is None else {SESSION_HEADER: session})}

    def confirm(self) -> None:
        """Report to the server that the handshake is complete.

        Raises:
            EgressError: there is no answer in time.
        """
        self.channel.notify("notifications/initialized", {}, self._headers, SOURCE_CALL_SECONDS)

    def request(self, method: str, params: Mapping[str, object], _mirrored: Mapping[str, str], /) -> RpcReply:
        """Return the response; a tool whose time ends is cancelled."""
        if method != _TOOL_CALL:
            return self.channel.request(method, params, self._headers)
        left = remaining_seconds(SOURCE_CALL_SECONDS)
        seconds = left - min(_CANCEL_SECONDS, left / 10)
        ends_at = time.monotonic() + seconds
        try:
            return self.channel.request(method, params, self._headers, seconds=seconds, is_repeatable=False)
        except EgressError:
            if time.monotonic() >= ends_at:
                self._cancel()
            raise

    def close(self) -> None:
        """Delete the session, if there is one, its server survives that, and time is left."""
        if self._session is not None and self.protocol not in _KEEPS_SESSIONS:
            with suppress(EgressError):
                self.channel.delete(self._headers, _DELETE_SECONDS)

    def _cancel(self) -> None:
        params = {"requestId": self.channel.last_id, "reason": "The time limit of the call is over."}
        with suppress(EgressError):
            self.channel.notify("notifications/cancelled", params, self._headers, _CANCEL_SECONDS)


def header_text(text: str) -> str:
    """Return a text as the value of a header: as it is, or `=?base64?…?=` where it is not plain ASCII."""
    if _PLAIN.fullmatch(text) and not text.startswith(_ENCODED):
        return text
    return f"{_ENCODED}{b64encode(text.encode()).decode()}?="


def _discover(channel: RpcChannel) -> StatelessConversation | None:
    """Return a conversation in the stateless era; None where the server refuses it.

    Raises:
        SourceRejected: the server wants another credential.
        EgressError: it does not answer.
    """
    conversation = StatelessConversation(channel, STATELESS_VERSIONS[0], is_confirmed=True)
    try:
        reply = conversation.request("server/discover", {}, {})
    except McpUnavailable as refused:
        # A new token may help here; a handshake with this one would be refused as well.
        if isinstance(refused, SourceRejected) and refused.status == HTTPStatus.UNAUTHORIZED:
            raise
        return None
    versions = reply.result.get("supportedVersions")
    return conversation if isinstance(versions, list) and conversation.protocol in versions else None


def _initialize(channel: RpcChannel) -> HandshakeConversation:
    """Return a conversation after the handshake.

    Raises:
        EraRefused: the server refuses the handshake, or knows no version that is known here.
        EgressError: it does not answer.
    """
    params = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": _CLIENT_INFO}
    try:
        reply = channel.request("initialize", params, {})
    except SourceRejected as rejected:
        if rejected.status in _ERA_STATUSES:
            raise EraRefused(NO_ANSWER) from None
        raise
    version = reply.result.get("protocolVersion")
    if not isinstance(version, str) or version not in HANDSHAKE_VERSIONS:
        raise EraRefused(NO_ANSWER)
    if reply.session is not None and not _SESSION_ID.fullmatch(reply.session):
        raise McpUnavailable(NO_ANSWER)
    conversation = HandshakeConversation(channel, version, reply.session)
    try:
        conversation.confirm()
    except EgressError:
        conversation.close()
        raise
    return conversation
