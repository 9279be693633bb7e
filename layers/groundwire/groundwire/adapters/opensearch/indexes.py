"""The indexes of all tenants on one OpenSearch."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from groundwire.adapters.opensearch.backing_indexes import (
    ALL_INDEXES_PATTERN,
    BackingIndex,
    BackingIndexes,
    backing_index_name,
)
from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.opensearch.index import OpenSearchIndex
from groundwire.adapters.opensearch.query.row_reader import PASSAGES
from groundwire.adapters.opensearch.schema.metadata_terms import has_earlier_form
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.domain import errors
from groundwire.ports import GenerationState, IndexGeneration, IndexGenerations, IndexInspection, ModelId
from groundwire.ports.indexes import IndexKind

_STATE_CACHE_SECONDS: Final = 60.0
"""Interval between reads of the live generation; an index that was replaced meanwhile is missing, which is noticed."""


class OpenSearchIndexes:
    """`Indexes` on one OpenSearch; `generations` stores which generation of each tenant is live.

    Args:
        engine: client of the engine.
        rules: rules of the service.
        kind: kind of the rows.
        generations: the store of generation states of this kind.
        model: model of a new tenant's index, or a function that returns it.
    """

    def __init__(
        self,
        engine: EngineClient,
        rules: ServiceRules,
        kind: IndexKind,
        generations: IndexGenerations,
        model: ModelId | Callable[[], ModelId],
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._kind = kind
        self._generation_states = generations
        self._model = model
        self._backing_indexes = BackingIndexes(engine, rules, kind)
        self._live: dict[str, tuple[IndexGeneration, float]] = {}

    def for_tenant(self, tenant: str) -> OpenSearchIndex:
        """Return the tenant's index, created by its first document; call it per request: another process may swap it.

        Raises:
            InvalidInput: `tenant` is no tenant id.
        """
        generation, read_at = self._live.get(tenant, (None, 0.0))
        if generation is None or time.monotonic() - read_at > _STATE_CACHE_SECONDS:
            state = self._find_state(tenant)
            if state is None:
                return self._future_index(tenant)
            generation = state.live
            self._live[tenant] = generation, time.monotonic()
        return self._index(tenant, generation)

    def exists(self, tenant: str) -> bool:
        """Return whether the tenant has an index, by one read of its state at most."""
        return tenant in self._live or self._find_state(tenant) is not None

    def start_generation(self, tenant: str, model: ModelId) -> OpenSearchIndex:
        """Return an index of another model beside the live one, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was started with a third model (`abandon` it first), or another process
                started one at the same moment.
        """
        state = self._find_or_create_state(tenant)
        building = state.building
        if building is None:
            building = IndexGeneration(state.highest_number + 1, model)
            self._generation_states.write(
                tenant, replace(state, building=building, highest_number=building.number), state
            )
        if building.model != model:
            raise _other_model_conflict(building.model, model)
        self._backing_indexes.create(tenant, building)
        return self._index(tenant, building)

    def building_generation(self, tenant: str) -> OpenSearchIndex | None:
        """Return the generation that this or another process is building; None if it is missing."""
        state = self._find_state(tenant)
        return None if state is None or state.building is None else self._index(tenant, state.building)

    def swap(self, tenant: str) -> None:
        """Make the next generation live in every process, and delete the previous one.

        Raises:
            NotFound: there is no next generation.
            Conflict: another process changed the tenant's index at the same moment.
        """
        state = self._generation_states.read(tenant)
        if state is None or state.building is None:
            raise errors.NotFound("The tenant has no next index that could take the place of this one.")
        self._generation_states.write(tenant, replace(state, live=state.building, building=None), state)
        self._live.pop(tenant, None)
        self._backing_indexes.delete_all_except(tenant, {state.building.number})

    def abandon(self, tenant: str) -> None:
        """Delete the next generation, if there is one.

        Raises:
            Conflict: another process changed the tenant's index at the same moment.
        """
        state = self._generation_states.read(tenant)
        if state is None:
            return
        if state.building is not None:
            self._generation_states.write(tenant, replace(state, building=None), state)
        self._backing_indexes.delete_all_except(tenant, {state.live.number})

    def drop(self, tenant: str) -> int:
        """Delete every index of the tenant, and return the number of visible rows of the live one."""
        backing_index_name(tenant, 0, self._kind)
        state = self._generation_states.read(tenant)
        rows = 0
        if state is not None:
            # An index whose rows cannot be counted is deleted all the same.
            with suppress(errors.Unavailable):
                rows = self._index(tenant, state.live).count_rows()
        self._generation_states.delete(tenant)
        self._live.pop(tenant, None)
        self._backing_indexes.delete_all_except(tenant, set())
        return rows

    def outdated_tenants(self, *, may_wake: bool) -> list[str]:
        """Return tenants whose live index has visible rows of an earlier form, by one request and a read of each state.

        Raises:
            Unavailable: the engine does not respond.
        """
        if self._rules.sleeps and not may_wake:
            return []
        found = self._backing_indexes.with_rows(has_earlier_form(), PASSAGES)
        # A cluster may have indexes of other installations, whose tenants have no state here.
        states = {tenant: self._find_state(tenant) for tenant, _ in found}
        live = {tenant: state.live.number for tenant, state in states.items() if state is not None}
        return [tenant for tenant, number in found if live.get(tenant) == number]

    def inspect(self, tenant: str) -> IndexInspection | None:
        """Return the facts in the engine's mapping of the tenant's live index; None where it has none."""
        state = self._find_state(tenant)
        if state is None:
            return None
        name = backing_index_name(tenant, state.live.number, self._kind)
        return self._backing_indexes.inspect(name, state.live.model)

    def wake(self) -> None:
        """Wake a sleeping service by a search that finds nothing.

        Raises:
            Unavailable: the service does not answer yet.
        """
        nothing: Body = {"size": 0, "query": {"match_none": {}}}
        self._engine.request("POST", f"/{ALL_INDEXES_PATTERN}/_search", nothing, Deadline(SEARCH_SECONDS))

    def close(self) -> None:
        """Close the connections to the engine."""
        self._engine.close()

    def _find_state(self, tenant: str) -> GenerationState | None:
        """Return the current state; None where the tenant has no index.

        Raises:
            InvalidInput: `tenant` is no tenant id.
        """
        backing_index_name(tenant, 0, self._kind)
        return self._generation_states.read(tenant)

    def _find_or_create_state(self, tenant: str) -> GenerationState:
        """Return the current state; create an index of the default model where the tenant has none."""
        if (found := self._find_state(tenant)) is not None:
            return found
        first = IndexGeneration(1, self._default_model)
        state = GenerationState(live=first, building=None, highest_number=first.number)
        try:
            self._generation_states.write(tenant, state, None)
        except errors.Conflict:
            # Another process was first, and creates the index.
            return self._generation_states.read(tenant) or state
        self._backing_indexes.create(tenant, first)
        return state

    @property
    def _default_model(self) -> ModelId:
        return self._model if isinstance(self._model, ModelId) else self._model()

    def _future_index(self, tenant: str) -> OpenSearchIndex:
        """Return the index of a tenant without one, which is looked up at each use until it exists."""

        def find() -> BackingIndex | None:
            state = self._generation_states.read(tenant)
            return None if state is None else self._backing_index(tenant, state.live)

        def create() -> BackingIndex:
            return self._backing_index(tenant, self._find_or_create_state(tenant).live)

        return OpenSearchIndex(self._engine, self._rules, tenant, self._default_model, find, create)

    def _index(self, tenant: str, generation: IndexGeneration) -> OpenSearchIndex:
        backing = self._backing_index(tenant, generation)
        return OpenSearchIndex(self._engine, self._rules, tenant, generation.model, lambda: backing, lambda: backing)

    def _backing_index(self, tenant: str, generation: IndexGeneration) -> BackingIndex:
        return BackingIndex(
            name=backing_index_name(tenant, generation.number, self._kind),
            model=generation.model,
            mapping=self._backing_indexes.mapping(tenant, generation),
            check_generation=partial(self._check_generation, tenant, generation),
        )

    def _check_generation(self, tenant: str, generation: IndexGeneration) -> None:
        state = self._generation_states.read(tenant)
        if state is None or generation not in (state.live, state.building):
            self._live.pop(tenant, None)
            raise errors.Superseded(
                "The tenant's index was replaced meanwhile: try again in a moment.", retry_after_s=1
            )


def _other_model_conflict(building: ModelId, wanted: ModelId) -> errors.Conflict:
    return errors.Conflict(
        f"The tenant's next index is being built with the model {_model_label(building)}, not {_model_label(wanted)}.",
        remedy="end_model_change",
    )


def _model_label(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"
