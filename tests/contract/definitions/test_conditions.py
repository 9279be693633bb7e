"""The conditions of writes: a store does what a dictionary with tags would do."""

from dataclasses import replace
from itertools import count
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from groundwire.domain import errors
from groundwire.ports.definitions import DefinitionKind, Precondition, Presence, StoredDefinition
from tests.support.plugins.draws import examples
from tests.support.registry.backends import Stores
from tests.support.registry.records import NOW, tenant

TENANTS: Final = ("acme", "blue")
KINDS: Final = (DefinitionKind.AGENT, DefinitionKind.SOURCE_STATE)
Key = tuple[str, DefinitionKind, str]

KEYS: Final = st.tuples(
    st.sampled_from(TENANTS),
    st.sampled_from(KINDS),
    st.sampled_from(["a", "A", "b#"]),
)
DATA: Final = st.data()
_RUNS: Final = count()


class Writers(RuleBasedStateMachine):
    """Writers of few names, whose expectations are often right and often not; each run has tenants of its own."""

    def __init__(self, stores: Stores) -> None:
        super().__init__()
        self._definitions = stores.definitions
        self._run = next(_RUNS)
        for each in TENANTS:
            stores.tenants.add(replace(tenant(self._tenant(each)), name=f"{each} {self._run}"))
        self._model: dict[Key, StoredDefinition] = {}
        self._tags = ["never stored"]

    def _tenant(self, name: str) -> str:
        return f"t-{name}-{self._run}"

    def _expectation(self, data: st.DataObject, key: Key) -> Precondition:
        stored = self._model.get(key)
        current = [stored.tag] if stored else []
        return data.draw(st.sampled_from([*Presence, *current]) | st.sampled_from(self._tags))

    @rule(data=DATA, key=KEYS, body=st.binary(min_size=2, max_size=20))
    def put(self, data: st.DataObject, key: Key, body: bytes) -> None:
        expected, stored = self._expectation(data, key), self._model.get(key)
        now = NOW + len(self._tags)
        definition = StoredDefinition(key[1], key[2], body, f"tag {len(self._tags)}", now, now)
        self._tags.append(definition.tag)
        if not holds(expected, stored):
            with pytest.raises(errors.PreconditionFailed):
                self._definitions.put(self._tenant(key[0]), definition, expected)
            return
        written = self._definitions.put(self._tenant(key[0]), definition, expected)
        self._model[key] = definition._replace(created_at=stored.created_at if stored else now)
        assert written == (self._model[key], stored is None)

    @rule(data=DATA, key=KEYS)
    def delete(self, data: st.DataObject, key: Key) -> None:
        expected, stored = self._expectation(data, key), self._model.get(key)
        refusal = errors.NotFound if holds(expected, stored) else errors.PreconditionFailed
        if stored is not None and holds(expected, stored):
            self._definitions.delete(self._tenant(key[0]), *key[1:], expected)
            del self._model[key]
            return
        with pytest.raises(refusal):
            self._definitions.delete(self._tenant(key[0]), *key[1:], expected)

    @rule(key=KEYS)
    def find(self, key: Key) -> None:
        assert self._definitions.find(self._tenant(key[0]), *key[1:]) == self._model.get(key)

    @rule(tenant_name=st.sampled_from(TENANTS), keys=st.lists(KEYS, max_size=4))
    def read(self, tenant_name: str, keys: list[Key]) -> None:
        found = self._definitions.read(self._tenant(tenant_name), [key[1:] for key in keys])
        expected = {key[1:]: self._model.get((tenant_name, *key[1:])) for key in keys}
        assert found == {key: definition for key, definition in expected.items() if definition is not None}

    @invariant()
    def lists_are_the_models(self) -> None:
        for each in TENANTS:
            for kind in KINDS:
                expected = [self._model[key] for key in sorted(self._model) if key[:2] == (each, kind)]
                assert self._definitions.list_all(self._tenant(each), kind) == expected


def holds(expected: Precondition, stored: StoredDefinition | None) -> bool:
    if isinstance(expected, Presence):
        return expected is Presence.ANY or (expected is Presence.PRESENT) == (stored is not None)
    return stored is not None and stored.tag == expected


def test_writes_succeed_exactly_when_their_condition_holds(shared_stores: Stores) -> None:
    class WritersHere(Writers):
        def __init__(self) -> None:
            super().__init__(shared_stores)

    rules = settings(
        max_examples=examples(20), stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    run_state_machine_as_test(WritersHere, settings=rules)
