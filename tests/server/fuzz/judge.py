"""What holds of the answer to whatever request: no crash, one audit line, no word that the caller may not read."""

import base64
import json
import re
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import unquote

from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.http.authorizer_context import decision_from_event
from tests.support.isolation.oracle import may_read
from tests.support.worlds.two_tenants import CANARY, KEPT, TwoTenants

_BROKEN: Final = frozenset({"internal_error", "unavailable"})
"""Outcomes that no request may cause: every store, index and model is available."""
_FAILED: Final = frozenset({"tool_failure", "tool_retryable"})
"""Nor these, unless the build has tools that fail on purpose."""
_CRASHED: Final = '"code":-32603'
VERTEX_REST: Final = re.compile(r"/v1/projects/.|/v1beta1/.")
"""Beginning of the paths of which every answer has Google's form."""
_VERTEX_MCP: Final = frozenset({"/mcp/generate", "/mcp/retrieval"})
"""Paths on which the errors of tools have it."""
_GOOGLE_CODES: Final = {
    400: {"INVALID_ARGUMENT", "FAILED_PRECONDITION"},
    401: {"UNAUTHENTICATED"},
    403: {"PERMISSION_DENIED"},
    404: {"NOT_FOUND"},
    501: {"UNIMPLEMENTED"},
}
"""Codes of google.rpc by HTTP status; of those above 500 only the one for what is not served."""
_UNIMPLEMENTED: Final = 501
_NO_ROUTE: Final = (404, '{"message":"Not Found"}')
_ANY_RESOURCE: Final = re.compile(r"/(agents|knowledge|[^/]+/retrieve)")
"""Paths whose route has a parameter for any resource: those of no dialect are answered as without a route."""
_INTERNAL: Final = re.compile(
    r"Traceback|groundwire\.[a-z_]+\.|site-packages|[a-z_]+\.py\b|sqlite|[A-Za-z]+Exception\b"
)
"""Names of the server's inside."""
_MISSING_KEY: Final = ("/edgeai/mcp", 401)
"""Path and status of an answer in which this is the code of a missing key."""
_ERRORS: Final = frozenset({"/_plugins/_ml/mcp", "/_plugins/_ml/mcp/"})
"""Paths on which this is the code of every error of a call."""


class Judge:
    """Sends requests to an two tenants and judges what comes back.

    Attributes:
        outcomes: how often each was met.
        shown: answers with text of a document.
    """

    def __init__(self, two_tenants: TwoTenants, *, tools_may_fail: bool) -> None:
        self._estate = two_tenants
        self._tools_may_fail = tools_may_fail
        self._broken = _BROKEN if tools_may_fail else _BROKEN | _FAILED
        self._log = two_tenants.world.services.settings.home / "audit.jsonl"
        self._read = self._log.stat().st_size
        self._secrets = {held.secret for held in two_tenants.by_word.values()}
        self.outcomes: dict[str, int] = {}
        self.shown = 0

    def send(self, request: GatewayRequest) -> str:
        """The body of the answer; Raises AssertionError for a broken promise."""
        event, answer = self._estate.answer(request)
        lines = self._new_lines()
        if request.method == "OPTIONS":
            # A browser asks without a key: the answer is made of settings and of the request's own header names.
            assert (lines, answer["statusCode"] in {204, 403}) == ([], True), (lines, answer)
            return str(answer["body"])
        if (answer["statusCode"], answer["body"]) == _NO_ROUTE and _ANY_RESOURCE.match(request.raw_path):
            assert lines == [], lines
            return str(answer["body"])
        assert len(lines) == 1, f"{len(lines)} audit lines"
        line = json.loads(lines[0])
        self._judge_line(line, answer, request.raw_path)
        body: str = answer["body"]
        if VERTEX_REST.match(request.raw_path):
            _judge_form(answer)
        if request.raw_path in _VERTEX_MCP:
            _judge_tool_errors(body)
        assert not (named := _INTERNAL.findall(body)), named
        is_refused = (request.raw_path, answer["statusCode"]) == _MISSING_KEY or request.raw_path in _ERRORS
        assert self._tools_may_fail or is_refused or _CRASHED not in body, body
        reported = body + "\n" + "\n".join(answer["headers"].values())
        caller = self._caller(event)
        self._judge_identity(caller, line, request)
        self._judge_words(reported, caller, request)
        return body

    def _caller(self, event: dict[str, Any]) -> Caller | None:
        return decision_from_event(event).caller

    def _new_lines(self) -> list[bytes]:
        with self._log.open("rb") as log:
            log.seek(self._read)
            written = log.read()
        self._read += len(written)
        return written.splitlines()

    def _judge_line(self, line: dict[str, Any], answer: dict[str, Any], path: str) -> None:
        outcome = line["outcome"]
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        assert line["status"] == answer["statusCode"]
        is_unserved = answer["statusCode"] == _UNIMPLEMENTED and VERTEX_REST.match(path) is not None
        assert answer["statusCode"] < 500 or is_unserved, answer
        assert outcome not in self._broken, line
        assert line.get("reason") != "internal_fault", line

    def _judge_identity(self, caller: Caller | None, line: dict[str, Any], request: GatewayRequest) -> None:
        """The authorizer's word is taken for no more than what was presented."""
        if caller is None:
            return
        key, house = self._estate.key_of[caller.kid]
        principal = caller.principal
        presented = [text for _name, value in request.headers for text in (value, _password(value))]
        assert any(key.secret.reveal() in text for text in presented), "nobody presented this key"
        assert (principal.tenant, line["tenant"]) == (house.tenant, house.tenant)
        identity = {"x-user-id", "x-session-tags"}
        sent = [normalize("NFC", value) for name, value in request.headers if name.lower() in identity]
        assert principal.user in {None, key.key.user} or any(str(principal.user) in value for value in sent)
        sends_tags = any(name.lower() == "x-session-tags" for name, _value in request.headers)
        granted = key.key.tags | ({KEPT} if principal.user == "cem" and not sends_tags else frozenset[str]())
        assert "*" in key.key.max_tags or principal.tags <= granted | set(key.key.max_tags), "beyond the key's tags"
        assert all(tag in granted or any(tag in value for value in sent) for tag in principal.tags)

    def _judge_words(self, reported: str, caller: Caller | None, request: GatewayRequest) -> None:
        sent = request.body.decode("utf-8", "replace") + "".join(value for _name, value in request.headers)
        sent += unquote(f"{request.raw_path} {request.raw_query}")
        words = set(CANARY.findall(reported))
        self.shown += any(word in self._secrets for word in words)
        for word in words:
            held = self._estate.by_word.get(word)
            if held is None or (word != held.secret and word in sent):
                continue
            assert caller is not None, f"a stranger was told {word}"
            principal = caller.principal
            assert held.tenant == principal.tenant, f"{word} of another tenant"
            assert caller.collections == ALL_COLLECTIONS or held.collection in caller.collections, (
                f"{word} of another collection"
            )
            assert may_read(principal.user, principal.tags, held.policy), f"{word} under {held.policy} for {principal}"
        for house in self._estate.houses:
            if caller is None or house.tenant != caller.principal.tenant:
                leaked = [secret for secret in house.secrets if secret in reported and secret not in sent]
                assert not leaked, f"{leaked} of another tenant"


def _password(value: str) -> str:
    """Return what a header holds as a credential of HTTP Basic; empty where it is none."""
    scheme, _, pair = value.strip().partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(pair).decode("utf-8", "replace")
    except ValueError:
        return ""


def _judge_form(answer: dict[str, Any]) -> None:
    """Check that a success has one of the forms of the routes, and an error Google's form."""
    body, status = json.loads(answer["body"] or "null"), answer["statusCode"]
    if status == 200:
        assert body == {} or set(body) & {"contexts", "ragCorpora", "ragFiles", "name"}, body
        return
    assert set(body) == {"error"}, body
    error = body["error"]
    assert error["code"] == status, body
    assert error["status"] in _GOOGLE_CODES[status], body
    assert isinstance(error["message"], str), body
    assert error["message"], body


def _judge_tool_errors(body: str) -> None:
    """An error of the tool has Google's form, as text and as data."""
    if not body.startswith(("{", "[")):
        return
    sent = json.loads(body)
    for message in sent if isinstance(sent, list) else [sent]:
        result = message.get("result", {})
        if not result.get("isError"):
            continue
        [block] = result["content"]
        assert json.loads(block["text"]) == result["structuredContent"], body
        error = result["structuredContent"]["error"]
        assert error["status"] in _GOOGLE_CODES[error["code"]], body
