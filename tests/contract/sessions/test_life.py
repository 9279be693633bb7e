"""A store answers like a dictionary of sessions, whatever calls it gets and in whatever order."""

import secrets

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from groundwire.domain import errors
from groundwire.ports.system import Sessions
from groundwire_mcp.definitions.sessions import Session, SessionOwner
from tests.contract.sessions.records import ANN, NOW, SESSION, STRANGERS
from tests.support.plugins.draws import examples

OWNERS = st.sampled_from([ANN, *STRANGERS.values()])
NUMBERS = st.integers(0, 1)
LEVELS = st.sampled_from(["debug", "error"])
SECONDS = st.sampled_from([0.5, 30.0, 1_000.0])


class Life(RuleBasedStateMachine):
    def __init__(self, sessions: Sessions) -> None:
        super().__init__()
        self._sessions = sessions
        self._run = secrets.token_hex(8)
        self._now = NOW
        # As a table has it: a tenant may have one of an id, and what has expired may be there still.
        self._model: dict[tuple[str, str], Session] = {}

    @rule(owner=OWNERS, number=NUMBERS, lasts=SECONDS)
    def begin(self, owner: SessionOwner, number: int, lasts: float) -> None:
        session_id = self._id(number)
        session = SESSION._replace(
            id=session_id, owner=owner, log_level=None, created_at=self._now, expires_at=self._now + lasts
        )
        held = self._model.get((owner.tenant, session_id))
        if held is not None and held.expires_at <= self._now:
            # Whether its place is free again is the store's business.
            return
        try:
            self._sessions.add(session)
        except errors.Conflict:
            assert held is not None
        else:
            assert held is None
            self._model[owner.tenant, session_id] = session

    @rule(owner=OWNERS, number=NUMBERS)
    def get(self, owner: SessionOwner, number: int) -> None:
        assert self._sessions.get(owner, self._id(number), self._now) == self._living(owner, number)

    @rule(owner=OWNERS, number=NUMBERS, lasts=SECONDS)
    def slide(self, owner: SessionOwner, number: int, lasts: float) -> None:
        living, end = self._living(owner, number), self._now + lasts
        assert self._sessions.extend(owner, self._id(number), self._now, end) is (living is not None)
        if living is not None:
            self._model[owner.tenant, living.id] = living._replace(expires_at=end)

    @rule(owner=OWNERS, number=NUMBERS, level=LEVELS)
    def set_log_level(self, owner: SessionOwner, number: int, level: str) -> None:
        living = self._living(owner, number)
        assert self._sessions.set_log_level(owner, self._id(number), self._now, level) is (living is not None)
        if living is not None:
            self._model[owner.tenant, living.id] = living._replace(log_level=level)

    @rule(owner=OWNERS, number=NUMBERS)
    def end(self, owner: SessionOwner, number: int) -> None:
        living = self._living(owner, number)
        assert self._sessions.end(owner, self._id(number), self._now) is (living is not None)
        if living is not None:
            del self._model[owner.tenant, living.id]

    @precondition(lambda self: bool(self._model))
    @rule(seconds=SECONDS)
    def time_passes(self, seconds: float) -> None:
        self._now += seconds

    def _id(self, number: int) -> str:
        return f"{self._run}-{number}"

    def _living(self, owner: SessionOwner, number: int) -> Session | None:
        held = self._model.get((owner.tenant, self._id(number)))
        return held if held is not None and held.owner == owner and held.expires_at > self._now else None


def test_a_store_answers_as_a_dictionary_would(sessions: Sessions) -> None:
    class LifeHere(Life):
        def __init__(self) -> None:
            super().__init__(sessions)

    rules = settings(
        max_examples=examples(25), stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    run_state_machine_as_test(LifeHere, settings=rules)
