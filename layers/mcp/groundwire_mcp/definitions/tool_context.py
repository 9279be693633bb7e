"""Context of one tool or prompt call: client capabilities, client responses, notifications."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal, NamedTuple, cast

from groundwire_mcp.definitions.log_levels import LOG_LEVELS, LogLevel
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject


class InputRequest(NamedTuple):
    """A request for something that only the client can provide.

    Attributes:
        method: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    """

    method: Literal["elicitation/create", "sampling/createMessage", "roots/list"]
    params: Mapping[str, object] = {}


class InputRequired(NamedTuple):
    """A result that asks the client for input before the call can continue; stateless revisions only.

    Attributes:
        requests: by names that the tool chooses; the client sends its responses under the same names. May be empty.
        request_state: bytes that the tool gets back with the responses. The state is sealed, bound to caller and call,
            and expires.
    """

    requests: Mapping[str, InputRequest]
    request_state: bytes | None = None


@dataclass(frozen=True, slots=True)
class ToolContext:
    """One request as a tool or prompt sees it, without its arguments.

    Attributes:
        version: the client's protocol revision.
        path: of the HTTP request, decoded; empty where there is none.
        has_mcp_marker: whether the call carries an MCP client's marker: a version header, a session header or `_meta`.
        capabilities: capabilities that the client declares; empty where the revision does not send them with the call.
        input_responses: the client's responses to an earlier `InputRequired`, by name; empty in the first call.
        request_state: the unsealed state of that `InputRequired`; None in the first call.
        progress_token: the token for progress notifications; None when the client wants none.
        log_level: the least severe level that the client wants; None when it wants no log messages.
        shows_apps: whether the client shows MCP Apps, by its session or by this request.
        accepts_notifications: whether the client reads notifications within the response.
        notifications: JSON-RPC messages that precede the response.
    """

    version: str
    path: str = ""
    has_mcp_marker: bool = True
    capabilities: JsonObject = field(default_factory=dict[str, Json])
    input_responses: JsonObject = field(default_factory=dict[str, Json])
    request_state: bytes | None = None
    progress_token: str | int | None = None
    log_level: LogLevel | None = None
    shows_apps: bool = False
    accepts_notifications: bool = False
    notifications: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])

    def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Notify the client of progress, if it wants that and `progress` is greater than the last value sent."""
        # MCP: `progress` must increase with each notification. JSON has neither NaN nor infinity.
        if self.progress_token is None or not self.accepts_notifications or not self._last_progress() < progress < inf:
            return
        members = {"progressToken": self.progress_token, "progress": progress, "total": total, "message": message}
        self._notify("notifications/progress", {name: value for name, value in members.items() if value is not None})

    def log(self, level: LogLevel, data: object, logger: str | None = None) -> None:
        """Send `data` to the client if it wants this level; `data` must hold no secrets and no other caller's data."""
        if (
            self.log_level is None
            or not self.accepts_notifications
            or LOG_LEVELS.index(level) < LOG_LEVELS.index(self.log_level)
        ):
            return
        name = {} if logger is None else {"logger": logger}
        self._notify("notifications/message", {"level": level, **name, "data": data})

    def _last_progress(self) -> float:
        values = (cast("Mapping[str, float]", each["params"]).get("progress") for each in reversed(self.notifications))
        return next((value for value in values if value is not None), -inf)

    def _notify(self, method: str, params: Mapping[str, object]) -> None:
        self.notifications.append({"jsonrpc": "2.0", "method": method, "params": params})
