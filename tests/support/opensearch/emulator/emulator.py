"""The emulator: a service as its clients see it, and what a test can make of it."""

from dataclasses import replace
from threading import Lock
from typing import Final

from tests.support.opensearch.emulator.clock import Clock
from tests.support.opensearch.emulator.failures import Cut, Failure, Failures, Kind
from tests.support.opensearch.emulator.generations import GENERATIONS
from tests.support.opensearch.emulator.http.messages import Answer, Refusal, Request, json_answer
from tests.support.opensearch.emulator.node.node import Node
from tests.support.opensearch.emulator.node.visibility import Visibility
from tests.support.opensearch.emulator.requests import answers, bulks
from tests.support.opensearch.emulator.service import Service

_WORDS: Final = {
    403: "Forbidden",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class OpenSearchEmulator:
    """One service in front of the node.

    Attributes:
        name: of the service, as the setting has it. url: where clients find it.
        calls: what they asked for, such as "POST /_msearch", in order.
        failures: what their next requests meet.
    """

    def __init__(self, node: Node, name: str, visible_after: float) -> None:
        self.url = ""
        self.calls: list[str] = []
        self.failures = Failures()
        self._clock = Clock()
        generation = GENERATIONS[name]
        self.name = generation.service
        self._visibility = Visibility(generation, node, self._clock, visible_after)
        self._node = node
        self._service = Service(node, generation, self._visibility)
        self._wakes_in: float | None = None
        self._awake_at = 0.0
        self._lock = Lock()

    @property
    def substituted(self) -> list[str]:
        """What of a mapping the engine behind does otherwise."""
        return self._service.substituted

    def become(self, name: str) -> None:
        """Answer by another reading of the same service from now on; its indexes stay as they are."""
        assert GENERATIONS[name].service == self.name
        self._service = Service(self._node, GENERATIONS[name], self._visibility)

    def advance(self, seconds: float) -> None:
        """It is that much later for the service: what was written may have become visible, who waited is answered."""
        self._visibility.advance(seconds)

    def become_visible(self) -> None:
        """All that was written until now is seen."""
        self._visibility.become_visible()

    def fall_asleep(self, wakes_in: float) -> None:
        """The next request wakes it; that and all others are answered when so many seconds have passed."""
        with self._lock:
            self._wakes_in = wakes_in

    def let_go(self) -> None:
        """Nobody waits for the clock any more."""
        self._clock.stop()

    def answer(self, request: Request) -> Answer:
        """What the client gets; Raises Cut."""
        self.calls.append(f"{request.method} {request.path}")
        self._wake()
        failure = self.failures.take(request)
        try:
            self._service.judge(request)
            return self._service.do(request) if failure is None else self._failed(request, failure)
        except Refusal as refusal:
            return refusal.answer

    def _wake(self) -> None:
        with self._lock:
            if self._wakes_in is not None:
                self._awake_at, self._wakes_in = self._clock.now + self._wakes_in, None
            awake_at = self._awake_at
        self._clock.wait_until(awake_at)

    def _failed(self, request: Request, failure: Failure) -> Answer:
        match failure.kind:
            case Kind.REFUSED:
                status = int(failure.amount)
                return json_answer(status, {"status": status, "error": {"reason": _WORDS[status]}})
            case Kind.HALF_REFUSED:
                return self._service.bulk(request, every_second=True)
            case Kind.HELD:
                self._clock.wait_until(self._clock.now + failure.amount)
                return self._service.do(request)
            case Kind.TIMED_OUT:
                return answers.timed_out(self._service.do(request))
            case Kind.SHARD_FAILED:
                return answers.shard_failed(self._service.do(request))
            case cut:
                raise Cut(self._sent_before(cut, request))

    def _sent_before(self, cut: Kind, request: Request) -> bytes:
        """What of the answer is sent: half of it when a reading is cut, and nothing else."""
        if cut is Kind.LOST:
            return b""
        if cut is Kind.CUT and request.operation == "_bulk":
            sent = bulks.actions(request)
            request = replace(request, body=bulks.body_of(sent[: len(sent) // 2]))
        answer = self._service.do(request)
        is_reading = cut is Kind.CUT and request.operation != "_bulk"
        return answer.body[: len(answer.body) // 2] if is_reading else b""
