"""What surrounds one call of a tool or prompt: what its client can do, has answered, and is told meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from groundwire.protocol.jsonrpc.json_codec import Json, JsonObject

LogLevel: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: Final[tuple[LogLevel, ...]] = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
"""Of RFC 5424, least first."""


def parse_log_level(value: object) -> LogLevel | None:
    """The level of this name; None when there is none."""
    return next((level for level in LOG_LEVELS if level == value), None)


class InputRequest(NamedTuple):
    """Something that only the client can provide.

    Attributes:
        method: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    """

    method: Literal["elicitation/create", "sampling/createMessage", "roots/list"]
    params: Mapping[str, object] = {}


class InputRequired(NamedTuple):
    """The call goes on once the client has answered; of the stateless revision only.

    Attributes:
        requests: by names of the tool's choice, under which the answers come back; may be empty.
        request_state: what the tool wants to see again with them; it travels sealed, bound to caller and call, and expires.
    """

    requests: Mapping[str, InputRequest]
    request_state: bytes | None = None


@dataclass(frozen=True, slots=True)
class ToolContext:
    """One request, as a tool or prompt sees it beside its arguments.

    Attributes:
        version: the revision that the client speaks.
        capabilities: what the client says of itself; empty where the revision does not say it with the call.
        input_responses: the client's answers to an earlier `InputRequired`, by name; empty the first time.
        request_state: that one's state, unsealed; None the first time.
        progress_token: what the client wants progress to be reported under; None: it wants none.
        log_level: the least level that the client is told; None: it is told none.
        accepts_notifications: whether the client reads notifications within the response at all.
        notifications: those that precede the answer, each a JSON-RPC message.
    """

    version: str
    capabilities: JsonObject = field(default_factory=dict[str, Json])
    input_responses: JsonObject = field(default_factory=dict[str, Json])
    request_state: bytes | None = None
    progress_token: str | int | None = None
    log_level: LogLevel | None = None
    accepts_notifications: bool = False
    notifications: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])

    def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """The client hears how far the call is, unless it did not ask, or `progress` is no more than what it heard last."""
        if self.progress_token is None or not self.accepts_notifications or not self._last_progress() < progress < inf:
            return
        said = {"progressToken": self.progress_token, "progress": progress, "total": total, "message": message}
        self._notify("notifications/progress", {name: value for name, value in said.items() if value is not None})

    def log(self, level: LogLevel, data: object, logger: str | None = None) -> None:
        """The client hears `data`, unless it asked for worse things only; never a secret, never another's data."""
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
