"""One request with all that its answer may depend on, and the reply to it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias

from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.jsonrpc import Request
from groundwire.protocol.outcomes import Outcome
from groundwire.protocol.tools import CallerT
from groundwire.protocol.turn import LogLevel, Turn
from groundwire.protocol.versions import SESSION_HEADER, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire.domain.sessions import Session

SessionEvent: TypeAlias = Literal["begun", "ended"]
Notifications: TypeAlias = Sequence[Mapping[str, object]]
"""JSON-RPC messages that precede an answer."""
_NO_HEADERS: Final[Mapping[str, str]] = {}


class Visit(NamedTuple, Generic[CallerT]):
    """One HTTP request, as far as all of its messages have it in common.

    Attributes:
        headers: by lower-case name.
        listens: whether the client reads notifications within the response.
        session: the session of a batch, which is read once for all of its messages.
    """

    headers: Mapping[str, str]
    caller: CallerT
    listens: bool
    session: "Session | None" = None


class Asked(NamedTuple, Generic[CallerT]):
    """One request.

    Attributes:
        version: the revision that the client speaks.
        capabilities: what the client says of itself; empty where the revision does not say it with the call.
        log_level: the least level that the client is told of; None: none.
        notifications: those that precede the answer are put here.
        session: the one that the request was sent in.
    """

    request: Request
    visit: Visit[CallerT]
    version: str
    capabilities: JsonObject
    log_level: LogLevel | None
    notifications: list[Mapping[str, object]]
    session: "Session | None" = None

    @property
    def caller(self) -> CallerT:
        """Who asks."""
        return self.visit.caller

    @property
    def params(self) -> JsonObject:
        """The request's."""
        return self.request.params

    @property
    def is_stateless(self) -> bool:
        """Whether the revision has neither handshake nor session."""
        return self.version in STATELESS_VERSIONS

    @property
    def is_marked(self) -> bool:
        """Tell whether the request has a mark of an MCP client: a version header, a session or `_meta`."""
        headers = self.visit.headers
        return VERSION_HEADER in headers or SESSION_HEADER in headers or "_meta" in self.params

    def turn(self, responses: JsonObject, state: bytes | None) -> Turn:
        """The request as a tool or prompt sees it; `responses` and `state` come of an earlier round."""
        token = self.request.meta.get("progressToken")
        return Turn(
            version=self.version,
            capabilities=self.capabilities,
            responses=responses,
            state=state,
            progress_token=token if isinstance(token, str | int) and not isinstance(token, bool) else None,
            log_level=self.log_level,
            listens=self.visit.listens,
            notifications=self.notifications,
        )


class Reply(NamedTuple):
    """The `result` of a request, and what to record of it.

    Attributes:
        headers: HTTP headers that go with it.
        tool: the tool that was called.
        session: whether one was begun.
    """

    result: Mapping[str, object]
    outcome: Outcome = Outcome.ANSWERED
    tool: str | None = None
    headers: Mapping[str, str] = _NO_HEADERS
    session: SessionEvent | None = None
