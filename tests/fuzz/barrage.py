"""Requests by the thousand, the same ones for the same seed; the one that breaks a promise is shown."""

from collections.abc import Sequence
from random import Random

from groundwire.entry.gateway.events import GatewayRequest
from tests.fuzz.judge import Judge
from tests.fuzz.mutations import Mutations
from tests.support.clients.valid_requests import Call, Draft, Drafts
from tests.support.worlds.two_tenants import TwoTenants


class Barrage:
    """One run; each of `kinds` says what is spoilt of a request: "b" the body, "h" the headers, "y" the bytes."""

    def __init__(
        self,
        two_tenants: TwoTenants,
        seed: int,
        *kinds: str,
        with_fixtures: bool = False,
        path: str = "/mcp",
        calls: Sequence[Call] | None = None,
    ) -> None:
        self._path = path
        self._seed = seed
        self._kinds = kinds
        self._random = random = Random(seed)
        self._drafts = Drafts(two_tenants, random, with_fixtures=with_fixtures, calls=calls)
        self._mutations = Mutations(two_tenants, random)
        self.judge = Judge(two_tenants, tools_may_fail=with_fixtures)

    def fire(self, requests: int) -> dict[str, int]:
        """How often each outcome was met; raises for the first request that is answered as none may be."""
        for number in range(requests):
            draft, request = self._next()
            try:
                self._drafts.remember(draft, self.judge.send(request))
            except Exception as problem:
                problem.add_note(f"seed {self._seed}, request {number}: {request!r}")
                raise
        return self.judge.outcomes

    def _next(self) -> tuple[Draft, GatewayRequest]:
        draft, kinds = self._drafts.draw(), self._random.choice(self._kinds)
        for kind in kinds:
            if kind == "b":
                self._mutations.body(draft)
            elif kind == "h":
                self._mutations.headers(draft)
        body = self._mutations.encoded(draft.body)
        if "y" in kinds:
            body = self._mutations.torn(body)
        return draft, GatewayRequest(draft.method, self._path, "", tuple(draft.headers), body, "127.0.0.1")
