"""Lines of the audit log as values, and the one function that gives their stored form.

The values are named tuples: to define a dataclass takes six times as long, and each cold start defines all of them.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from groundwire.domain.audit.facts import AuditFacts, PersonFacts

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Principal
    from groundwire.domain.keys.auth_decision import AuthDecision
    from groundwire.domain.keys.caller import Caller

INGEST_ACTION: Final = "ingest"
"""Action in the lines of an ingestion."""
OPERATOR: Final = "operator"
"""Decision in the line of an action that needs no key."""
_TAGS_HASH_CHARACTERS: Final = 16
_MAX_SEGMENT_CHARACTERS: Final = 20
"""A code of a short link has 22 characters, before the id that may follow it."""
_MAX_METHOD_CHARACTERS: Final = 8
_MAX_PATH_CHARACTERS: Final = 200
_NO_HEADERS: Final[Mapping[str, str]] = {}
_NO_FACTS: Final = AuditFacts()


def person_facts(principal: "Principal") -> PersonFacts:
    """Return the user and a hash of the tags, which matches calls with equal tags without naming a tag."""
    # JSON separates the tags: a comma within one must not give the hash of two.
    tags = json.dumps(sorted(principal.tags)).encode()
    return {"user": principal.user, "tags_hash": hashlib.sha256(tags).hexdigest()[:_TAGS_HASH_CHARACTERS]}


class LineTime(NamedTuple):
    """Time of a line.

    Attributes:
        at: epoch seconds.
        request_id: id of the invocation; None where there is none.
        duration_ms: milliseconds that the call took; None for what is no call.
    """

    at: float
    request_id: str | None = None
    duration_ms: float | None = None

    def members(self) -> dict[str, object]:
        """Return the stored members; those without a value are left out."""
        members = {"time": self.at, "request_id": self.request_id, "duration_ms": self.duration_ms}
        return {name: value for name, value in members.items() if value is not None}


class CallingPerson(NamedTuple):
    """Person of an admitted call.

    Attributes:
        is_named_by_token: an access token named the user, not a header.
        tags_ignored: number of tags in the call's header that gave no right.
        key_expires_in_days: whole days until the key expires; None unless it expires soon.
        informational: headers that are recorded and decide nothing, by name.
    """

    facts: PersonFacts
    is_named_by_token: bool = False
    tags_ignored: int = 0
    key_expires_in_days: int | None = None
    informational: Mapping[str, str] = _NO_HEADERS

    @classmethod
    def from_caller(cls, caller: "Caller", informational: Mapping[str, str] | None = None) -> "CallingPerson":
        """Return the person for whom `caller` acts."""
        return cls(
            person_facts(caller.principal),
            caller.is_named_by_token,
            caller.tags_ignored,
            caller.key_expires_in_days,
            informational or {},
        )

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        named = {"user_by": "token"} if self.is_named_by_token else {}
        ignored = {"tags_ignored": self.tags_ignored} if self.tags_ignored else {}
        days = self.key_expires_in_days
        return {
            **self.facts,
            **named,
            **ignored,
            **({} if days is None else {"key_expires_in_days": days}),
            **self.informational,
        }


class McpTarget(NamedTuple):
    """Target of an MCP call: its method, and the tool if it is one of the caller's.

    Attributes:
        session: whether the request began or ended a session; None for neither.
    """

    method: str | None
    tool: str | None
    session: str | None = None

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        session = {} if self.session is None else {"session": self.session}
        return {"method": self.method, "tool": self.tool, **session}


class RouteTarget(NamedTuple):
    """Target of an HTTP call: method and path of the route; None where there is no such route."""

    route: str | None

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        return {"route": self.route}


class UnknownTarget(NamedTuple):
    """Target of an admitted call for which there is no route: method and path as they were sent."""

    method: str
    path: str

    def members(self) -> dict[str, object]:
        """Return the stored members; the path without its long segments, each of which may be a key or a link."""
        segments = (each if len(each) <= _MAX_SEGMENT_CHARACTERS else "…" for each in self.path.split("/"))
        path = "/".join(segments)[:_MAX_PATH_CHARACTERS]
        return {"route": None, "path": f"{self.method[:_MAX_METHOD_CHARACTERS]} {path}"}


class CallResult(NamedTuple):
    """Result of a call.

    Attributes:
        outcome: word for how it ended.
        status: HTTP status. size_bytes: bytes of the body.
        trace: trace of the call. service_trace: the service's own, where the caller had another.
    """

    outcome: str
    status: int
    size_bytes: int
    trace: str | None
    service_trace: str | None = None

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        service = {} if self.service_trace is None else {"xray": self.service_trace}
        return {
            "outcome": self.outcome,
            "status": self.status,
            "bytes": self.size_bytes,
            "trace": self.trace,
            **service,
        }


class CallLine(NamedTuple):
    """Line of one call.

    Attributes:
        tenant, kid: as far as they are known.
        person: None where nobody was admitted.
        decision: None for a call that needs no key, such as an opened link.
        target: of a denied MCP call the route, since its message is not read; None where that is unknown, too.
        facts: members that the use case added.
        address: address from which a denied call came; None where it is unknown, and for all other calls.
    """

    result: CallResult
    target: McpTarget | RouteTarget | UnknownTarget | None
    tenant: str | None = None
    kid: str | None = None
    person: CallingPerson | None = None
    decision: "AuthDecision | None" = None
    facts: AuditFacts = _NO_FACTS
    address: str | None = None

    def members(self) -> dict[str, object]:
        """Return the stored members; a denied call's are few, since anybody can cause any number of them."""
        key = {name: value for name, value in (("tenant", self.tenant), ("kid", self.kid)) if value is not None}
        members: dict[str, object] = {
            **key,
            **({} if self.person is None else self.person.members()),
            **({} if self.decision is None else _decision_members(self.decision)),
            **({} if self.target is None else self.target.members()),
            **({} if self.address is None else {"address": self.address}),
            **self.result.members(),
            **self.facts,
        }
        is_denied = self.decision is not None and self.person is None
        return {name: value for name, value in members.items() if value is not None} if is_denied else members


def _decision_members(decision: "AuthDecision") -> dict[str, object]:
    return {"decision": decision.status.value, "reason": decision.reason.value}


class OperatorLine(NamedTuple):
    """Line of an operator's action, which needs no key.

    Attributes:
        os_user: user of the operating system that ran the command; None where AWS decides who may, and CloudTrail
            names them by the request's id.
    """

    action: str
    os_user: str | None
    facts: AuditFacts

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        user = {} if self.os_user is None else {"os_user": self.os_user}
        return {"action": self.action, "decision": OPERATOR, **user, **self.facts}


class RecordedLine(Protocol):
    """Line of the log: of a call, an operator's action or a step of an ingestion."""

    def members(self) -> dict[str, object]:
        """Return the stored members, except those of the time."""
        ...


def stored_form(line: RecordedLine, time: LineTime) -> dict[str, object]:
    """Return the members of a line as the log stores them."""
    return {**line.members(), **time.members()}
