"""Test doubles at the ports of `groundwire doctor`: a healthy account, stack and service that a test can break."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from groundwire import __version__
from groundwire.domain.errors import DomainError, NotFound, ResourceBusy, Unavailable
from groundwire.entry.cli.commands.doctor.findings import Finding
from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
from groundwire.entry.runtime.header_comparison import COUNT_HEADER
from groundwire.ports.account import (
    DeployedAlarm,
    DeployedFunction,
    DeployedRole,
    FunctionNotReady,
    QuotaUse,
    RequiredRight,
)
from groundwire_mcp.transport.http import HttpResponse

LAYER: Final = "arn:aws:lambda:eu-central-1:1:layer:groundwire"
TOPIC: Final = "arn:aws:sns:eu-central-1:1:alarms"
RIGHT: Final = "allow s3:GetObject on arn:aws:s3:::files/*"
URL: Final = "https://docs.example.com"
REPORT: Final[Mapping[str, object]] = {"version": __version__, "settings": {"public_url": URL}}


REPORTED: Final[Mapping[str, object]] = {
    "confinement": [{"restriction": "no sockets", "enforced": True, "detail": ""}],
    "lookup": {"name": "example.com", "outcome": "blocked", "detail": "No address associated with hostname"},
}
"""Answer of a parser function to the probe of its confinement."""


def function(name: str, *, isolates_tenants: bool = False, is_in_network: bool = False) -> DeployedFunction:
    role = f"{name}Role"
    return DeployedFunction(f"{name}Function", role, role, (f"{LAYER}:3",), isolates_tenants, is_in_network)


@dataclass
class HealthyStack:
    """A stack in which every check holds; a test replaces the part that it breaks."""

    skew_s: float = 0.4
    listed_functions: Sequence[DeployedFunction] = (
        function("Mcp"),
        function("Parser", isolates_tenants=True, is_in_network=True),
    )
    listed_roles: Sequence[DeployedRole] = (
        DeployedRole("McpRole", frozenset({RIGHT}), frozenset({RIGHT}), frozenset()),
    )
    throttled: Mapping[str, int] = field(default_factory=lambda: {"McpFunction": 0})
    depths: Mapping[str, int] = field(default_factory=lambda: {"Queue": 2, "DeadLetterQueue": 0})
    listed_alarms: Sequence[DeployedAlarm] = (DeployedAlarm("FaultsAlarm", (TOPIC,), is_ringing=False),)
    receivers: int = 1
    protected: Mapping[str, bool] = field(default_factory=lambda: {"KeysTable": True})
    probe: Mapping[str, object] | None = field(default_factory=lambda: REPORTED)
    is_asleep: bool = False
    missing: DomainError | None = None
    probed_as: list[str | None] = field(default_factory=list[str | None])

    def require_exists(self) -> None:
        if self.missing is not None:
            raise self.missing

    def clock_skew_s(self) -> float:
        return self.skew_s

    def functions(self) -> Sequence[DeployedFunction]:
        return self.listed_functions

    def roles(self) -> Sequence[DeployedRole]:
        return self.listed_roles

    def invoke(self, logical_id: str, payload: Mapping[str, object], tenant: str | None) -> Mapping[str, object] | None:
        assert (logical_id, payload) == ("ParserFunction", {"probe": "confinement"})
        self.probed_as.append(tenant)
        if self.is_asleep:
            raise FunctionNotReady("Lambda makes the function ready.")
        return self.probe

    def throttles(self, seconds: int) -> Mapping[str, int]:
        assert seconds == 86_400
        return self.throttled

    def queue_depths(self) -> Mapping[str, int]:
        return self.depths

    def alarms(self) -> Sequence[DeployedAlarm]:
        return self.listed_alarms

    def confirmed_receivers(self, topic: str) -> int:
        assert topic == TOPIC
        return self.receivers

    def protected_tables(self) -> Mapping[str, bool]:
        return self.protected


@dataclass
class HealthyAccount:
    """A new-looking account with room for a stack; a test replaces the part that it breaks."""

    caller: str | DomainError = "arn:aws:iam::1:user/ann"
    skew_s: float = 0.0
    missing_types: frozenset[str] = frozenset()
    runs: bool = True
    isolates: bool | None = True
    executions: QuotaUse = field(default_factory=lambda: QuotaUse(0, 1000))
    networks: QuotaUse = field(default_factory=lambda: QuotaUse(1, 5))
    prefix_list: str | DomainError | None = "pl-1"
    gateways: QuotaUse = field(default_factory=lambda: QuotaUse(0, 600))
    stacks: Mapping[str, str] = field(default_factory=dict[str, str])
    log_groups: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    simulated: list[RequiredRight] = field(default_factory=list[RequiredRight])

    def identity(self) -> str:
        if isinstance(self.caller, DomainError):
            raise self.caller
        return self.caller

    def clock_skew_s(self) -> float:
        return self.skew_s

    def concurrency(self) -> QuotaUse:
        return self.executions

    def vpcs(self) -> QuotaUse:
        return self.networks

    def s3_prefix_list(self) -> str | None:
        if isinstance(self.prefix_list, DomainError):
            raise self.prefix_list
        return self.prefix_list

    def apis(self) -> QuotaUse:
        return self.gateways

    def has_runtime(self, runtime: str, architecture: str) -> bool:
        assert (runtime, architecture) == ("python3.13", "arm64")
        return self.runs

    def lacks_type(self, resource_type: str) -> bool:
        return resource_type in self.missing_types

    def has_tenant_isolation(self) -> bool | None:
        return self.isolates

    def stack_status(self, name: str) -> str | None:
        return self.stacks.get(name)

    def has_log_group(self, name: str) -> bool:
        return name in self.log_groups

    def denied_actions(self, right: RequiredRight) -> Sequence[str]:
        self.simulated.append(right)
        return sorted(set(right.actions) & self.denied)


@dataclass
class HealthyService:
    """Operator function, API and bucket of a stack in which one tenant has at most one file.

    Attributes:
        broken: the one part that does not do what it should, by a name of its own; empty for none.
        unanswered: questions to the index before its first answer; `parse_seconds`: questions before it is indexed.
        overwrites: the gateway writes the identity headers; `counts_headers`: the functions count them.
    """

    broken: str = ""
    overwrites: bool = True
    counts_headers: bool = True
    issuer: bool = False
    renames_challenge: bool = False
    answers_without_key: bool = False
    busy_deletions: int = 0
    unanswered: int = 0
    parse_seconds: int = 0
    leftovers: dict[str, str | None] = field(default_factory=dict[str, str | None])
    erased: Mapping[str, int] = field(default_factory=lambda: {"keys": 0, "files": 0})
    actions: list[str] = field(default_factory=list[str])
    _tenant_exists: bool = False
    _content: bytes = b""
    _reader: str | None = None
    _session: str = ""
    _headers: list[int] = field(default_factory=lambda: [0, 0])

    def function_variables(self, function: str) -> Mapping[str, str]:
        raise AssertionError(f"a check needs no variables of {function}")

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """Answer as the operator function does."""
        self.actions.append(action)
        if self.broken == action:
            raise NotFound(f"{action} failed.")
        if action == "stack.create_scratch_tenant":
            self._tenant_exists = True
            return {"tenant": {"tenant": "t_1", "name": "groundwire-doctor-1"}, "url": URL}
        if action == "key.create":
            return {"key": {"key": f"gw_live_{fields['kind']}"}}
        if action == "tenant.delete":
            return self._delete()
        if action == "stack.wake_index":
            return self._wake()
        if action == "stack.list_scratch_tenants":
            return {"tenants": [{"tenant": each, "name": name} for each, name in self.leftovers.items()]}
        assert action == "stack.report"
        return {
            **REPORT,
            "headers": dict(zip(("compared", "different"), self._headers, strict=True)),
            "index": self._index(),
        }

    def _wake(self) -> Mapping[str, object]:
        self.unanswered -= 1
        if self.unanswered >= 0:
            raise Unavailable("The index does not answer yet.")
        return {"ok": True}

    def _delete(self) -> Mapping[str, object]:
        self.busy_deletions -= 1
        if self.busy_deletions >= 0:
            raise ResourceBusy("The tenant's documents are being written.")
        self._tenant_exists = self.broken == "keys outlive the tenant"
        return {"deleted": dict(self.erased)}

    def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        """Answer as the gateway or the bucket does."""
        path = url.removeprefix(URL)
        message: Any = {} if body is None else json.loads(body)
        if path.startswith("https://bucket"):
            return HttpResponse(200, {}, b"other" if self.broken == "link bytes" else self._content)
        if path == "/.well-known/oauth-protected-resource":
            return HttpResponse(200 if self.issuer else 404, {}, b"{}")
        if path.startswith("/open/"):
            location = {} if self.broken == "link" else {"location": "https://bucket.example/file"}
            return HttpResponse(302, location, b"")
        key = headers.get("authorization", "")
        if not self._tenant_exists or key not in {"Bearer gw_live_act_as", "Bearer gw_live_personal"}:
            gateway_answers = self.answers_without_key and not key
            return HttpResponse(401, {}, b'{"message":"Unauthorized"}') if gateway_answers else self._refusal()
        self._count(headers)
        if path == "/mcp/" and self.broken == "slash":
            return HttpResponse(404, {}, b"")
        return self._mcp(method, headers, message) if path.startswith("/mcp") else HttpResponse(200, {}, b"{}")

    def _refusal(self) -> HttpResponse:
        if self.broken == "admits anybody":
            return HttpResponse(200, {}, b"{}")
        link = ', resource_metadata="x"' if self.issuer and self.broken != "challenge" else ""
        name = "x-amzn-remapped-www-authenticate" if self.renames_challenge else "www-authenticate"
        has_challenge = self.broken != "no challenge"
        body = b"{}" if self.broken == "refusal body" else b'{"error":{}}'
        return HttpResponse(401, {name: f"Bearer{link}"} if has_challenge else {}, body)

    def _count(self, headers: Mapping[str, str]) -> None:
        if self.counts_headers and (COUNT_HEADER in headers or not self.overwrites):
            self._headers = [self._headers[0] + 1, self._headers[1] + (not self.overwrites)]

    def _mcp(self, method: str, headers: Mapping[str, str], message: Any) -> HttpResponse:
        session = headers.get("mcp-session-id", "")
        if method == "DELETE":
            self._session = self._session if self.broken == "session end" else ""
            return HttpResponse(204, {}, b"")
        if message["method"] == "initialize":
            self._session = "" if self.broken == "session" else "s1"
            return HttpResponse(200, {"mcp-session-id": self._session} if self._session else {}, b"{}")
        if session and session != self._session:
            return HttpResponse(404, {}, b"")
        if message["method"] == "ping":
            return HttpResponse(200, {}, b"{}")
        return self._search(headers["x-user-id"])

    def _search(self, user: str) -> HttpResponse:
        if self.broken == "search fails":
            return HttpResponse(200, {}, b'{"error":{"message":"asleep"}}')
        finds = self._content and (user == self._reader or self.broken == "everybody finds") and self.broken != "search"
        text = "Another text." if self.broken == "other text" else self._content.decode()
        found = [{"raw_text": text, "source_url": f"{URL}/open/abc"}] if finds else []
        return HttpResponse(200, {}, json.dumps({"result": {"status": "success", "segments": found}}).encode())

    def _index(self) -> Mapping[str, object] | None:
        if not self._content or self.broken == "index":
            return None
        defect = "The index was made by another version." if self.broken == "mapping" else None
        return {"name": "gw-t_1-1", "model": "small/3", "custom_ids": True, "defect": defect}

    def rest(self) -> "Rest":
        return Rest(self)

    def upload(self, url: str, fields: Mapping[str, str], content: bytes) -> None:
        assert (url, fields) == ("https://bucket.example", {"key": "file"})
        if self.broken == "upload":
            raise NotFound("The bucket refuses the file.")
        self._content = content

    def unshare(self, policy: Mapping[str, object]) -> None:
        assert policy == {"public": False, "users": [], "any_tags": [], "all_tags": []}
        self._reader = self._reader if self.broken == "unshare" else None

    def state(self) -> Mapping[str, object]:
        if self.broken == "parse waits":
            return {"state": "parsing", "reason": None, "waiting_for": "another ingestion"}
        if self.broken == "parse fails":
            return {"state": "failed", "reason": "The parser does not start."}
        self.parse_seconds -= 1
        if self.parse_seconds >= 0:
            return {"state": "parsing", "reason": None}
        self._reader = "doctor-reader"
        return {"state": "indexed", "reason": None}


@dataclass(frozen=True)
class Rest:
    """The REST API for the tenant's administrator."""

    service: HealthyService

    def get(self, path: str) -> Mapping[str, object]:
        assert path == "/v1/uploads/ticket-1"
        return self.service.state()

    def post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        assert path == "/v1/uploads"
        assert body["policy"] == {"public": False, "users": ["doctor-reader"], "any_tags": [], "all_tags": []}
        return {"ticket": "ticket-1", "doc_id": "doc_1", "url": "https://bucket.example", "fields": {"key": "file"}}

    def put(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        assert path == "/v1/documents/doc_1/policy"
        self.service.unshare(body)
        return {}


@dataclass
class Clock:
    """Clock in seconds, which moves only when the code sleeps or a test sets it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def budget(self) -> RunBudget:
        """The time of a run that begins now."""
        return RunBudget(self, self.sleep)


@dataclass
class Findings:
    """Findings of a report, in their order."""

    all: list[Finding] = field(default_factory=list[Finding])

    def __call__(self, finding: Finding) -> None:
        self.all.append(finding)

    def of(self, check: str) -> Finding:
        [found] = [each for each in self.all if each.check == check]
        return found

    def bad(self) -> set[str]:
        return {each.check for each in self.all if not each.ok}

    def warned(self) -> set[str]:
        return {each.check for each in self.all if each.is_warning}


def cases(*tests: Any, column: int) -> set[str]:
    """The checks for which parametrised tests have a case; `column` is the place of the name in a case."""
    tables = [mark.args[1] for test in tests for mark in test.pytestmark if mark.name == "parametrize"]
    return {case[column] for table in tables for case in table}
