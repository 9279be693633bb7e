"""Requests by the thousand, the same ones for the same seed; the one that breaks a promise is shown."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from groundwire.entry.gateway.events import GatewayRequest
from tests.server.fuzz.judge import Judge
from tests.server.fuzz.mutations import Mutations
from tests.support.clients.valid_requests import Call, Draft, Drafts
from tests.support.worlds.two_tenants import TwoTenants


class DraftSource(Protocol):
    """Source of valid requests, such as `Drafts`."""

    def draw(self) -> Draft:
        """Return the next one."""
        ...

    def remember(self, draft: Draft, answer: str) -> None:
        """Take note of an answer that names how to go on."""
        ...


class Barrage:
    """One run.

    Each of `kinds` names what is spoilt of a request: "b" the body, "h" the headers, "p" the path, "y" the bytes.
    """

    def __init__(
        self,
        two_tenants: TwoTenants,
        seed: int,
        *kinds: str,
        with_fixtures: bool = False,
        path: str = "/mcp",
        calls: Sequence[Call] | None = None,
        often: int = 1,
        drafts: Callable[[TwoTenants, Random], "DraftSource"] | None = None,
    ) -> None:
        self._path = path
        self._seed = seed
        self._kinds = kinds
        self._random = random = Random(seed)
        if drafts is None:
            self._drafts: DraftSource = Drafts(
                two_tenants, random, with_fixtures=with_fixtures, calls=calls, often=often
            )
        else:
            self._drafts = drafts(two_tenants, random)
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
            elif kind == "p":
                self._mutations.path(draft)
        body = self._mutations.encoded(draft.body)
        if "y" in kinds:
            body = self._mutations.torn(body)
        path = draft.path or self._path
        return draft, GatewayRequest(draft.method, path, draft.query, tuple(draft.headers), body, "127.0.0.1")
