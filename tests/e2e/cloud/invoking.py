"""Lambda's address for invocations, before functions that run under the runtime emulator."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.aws.deployment.stack import Stack
from tests.support.aws.refusals.calls.invocations import Invocation
from tests.support.aws.refusals.rule import RefusedByAwsError
from tests.support.aws.refusals.wall import require_invocation

Invoke = Callable[[bytes], bytes]
InvokeForTenant = Callable[[bytes, str], bytes]
"""Carries out a call of a function: payload, and the tenant of the call, empty for none."""
Answer = tuple[int, bytes, dict[str, str]]
"""Status, body and headers."""


@dataclass(slots=True)
class Invocations:
    """Invocations of functions that the service received and refused.

    Attributes:
        url: of the service.
        asked: function and qualifier of every call, in their order.
        down: while it is true, every call but those of `others` is answered by 503, as by a service that is not there.
        others: what carries out the calls of other functions, by a part of their names.
        stack: whose functions are called, so that what Lambda refuses is refused; None before it is made.
        refused: what Lambda would have refused.
    """

    url: str = ""
    requested: list[tuple[str, str]] = field(default_factory=list)
    down: bool = False
    others: dict[str, InvokeForTenant] = field(default_factory=dict[str, InvokeForTenant])
    stack: Stack | None = None
    refused: list[str] = field(default_factory=list[str])

    def refusal(self, name: str, payload: bytes, tenant: str, *, asynchronous: bool) -> Answer | None:
        """Return the answer to a call of this function that Lambda does not carry out; None for any other."""
        if self.down and not any(part in name for part in self.others):
            return 503, b'{"Message":"down"}', {"x-amzn-errortype": "ServiceException"}
        if self.stack is None:
            return None
        call = Invocation(self.stack.logical_id(name), payload, tenant=tenant, asynchronous=asynchronous)
        try:
            require_invocation(self.stack.template, call)
        except RefusedByAwsError as refusal:
            self.refused.append(str(refusal))
            return 400, b'{"Message":"refused"}', {"x-amzn-errortype": "InvalidParameterValueException"}
        return None


@contextmanager
def serving(function: Invoke) -> Generator[Invocations]:
    """Every call of any function but `others` is answered by this one, one at a time, for as long as the block."""
    reported = Invocations()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(function, reported)) as server:
        reported.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield reported
        finally:
            server.shutdown()
            thread.join()


def _handler(function: Invoke, reported: Invocations) -> type[BaseHTTPRequestHandler]:
    # The emulator has one environment, which serves one call at a time, as Lambda's do.
    one_at_a_time = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            payload = self.rfile.read(int(self.headers["content-length"]))
            address = urlsplit(self.path)
            name = unquote(address.path.removeprefix("/2015-03-31/functions/").removesuffix("/invocations"))
            reported.requested.append((name, parse_qs(address.query).get("Qualifier", [""])[0]))
            is_event = self.headers["x-amz-invocation-type"] == "Event"
            tenant = self.headers.get("x-amz-tenant-id", "")
            refusal = reported.refusal(name, payload, tenant, asynchronous=is_event)
            if refusal is not None:
                self._answer(*refusal)
                return
            if is_event:
                self._answer(202, b"", {})
                self._run(payload)
                return
            other = next((invoke for part, invoke in reported.others.items() if part in name), None)
            answer = self._run(payload) if other is None else other(payload, tenant)
            self._answer(200, answer, _reported_errors(answer))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            """The test's own output stays its own."""

        def _run(self, payload: bytes) -> bytes:
            with one_at_a_time:
                return function(payload)

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {
                "content-type": "application/json",
                "content-length": str(len(body)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Handler


def _reported_errors(answer: bytes) -> dict[str, str]:
    """Return the error header of Lambda for an answer whose body alone reports an error, as in the emulator."""
    found: object = json.loads(answer)
    failed = isinstance(found, dict) and "errorType" in found
    return {"x-amz-function-error": "Unhandled"} if failed else {}
