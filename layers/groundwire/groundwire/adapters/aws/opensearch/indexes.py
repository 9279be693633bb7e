"""The indexes of all tenants on one OpenSearch."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from groundwire.adapters.aws.opensearch.backing_indexes import ALL_INDEXES_PATTERN, BackingIndexes, backing_index_name
from groundwire.adapters.aws.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.index import OpenSearchIndex
from groundwire.adapters.aws.opensearch.lazy_index import LazyIndex
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules
from groundwire.domain import errors
from groundwire.ports import GenerationState, IndexGeneration, IndexGenerations, ModelId

_STATE_CACHE_SECONDS: Final = 60.0
"""A search asks the registry so seldom which generation answers: one that was replaced is gone, and says so itself."""


class OpenSearchIndexes:
    """`Indexes` whose generations stand in `generations`: an index is never asked which of them answers.

    Args:
        model: of the index that a new tenant gets; or how to learn it, where few callers need it.
    """

    def __init__(
        self,
        engine: EngineClient,
        rules: ServiceRules,
        generations: IndexGenerations,
        model: ModelId | Callable[[], ModelId],
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._generation_states = generations
        self._model = model
        self._backing_indexes = BackingIndexes(engine, rules)
        self._live: dict[str, tuple[IndexGeneration, float]] = {}

    def for_tenant(self, tenant: str) -> OpenSearchIndex | LazyIndex:
        """The tenant's index, made by its first document; ask for it per call: another process may drop or swap it.

        Raises:
            Invalid: `tenant` is no tenant id.
        """
        generation, told_at = self._live.get(tenant, (None, 0.0))
        if generation is None or time.monotonic() - told_at > _STATE_CACHE_SECONDS:
            standing = self._find_state(tenant)
            if standing is None:
                return self._lazy_index(tenant)
            generation = standing.live
            self._live[tenant] = generation, time.monotonic()
        return self._index(tenant, generation)

    def start_generation(self, tenant: str, model: ModelId) -> OpenSearchIndex:
        """An index of another model beside the one that answers, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was begun with a third model; `abandon` it first. Or another process began
                one at the same moment.
        """
        standing = self._find_or_create_state(tenant)
        begun = standing.building
        if begun is None:
            begun = IndexGeneration(standing.highest_number + 1, model)
            self._generation_states.write(
                tenant, replace(standing, building=begun, highest_number=begun.number), standing
            )
        if begun.model != model:
            raise _other_model_conflict(begun.model, model)
        self._backing_indexes.create(tenant, begun)
        return self._index(tenant, begun)

    def building_generation(self, tenant: str) -> OpenSearchIndex | None:
        """The next generation where one was begun, here or elsewhere."""
        standing = self._find_state(tenant)
        return None if standing is None or standing.building is None else self._index(tenant, standing.building)

    def swap(self, tenant: str) -> None:
        """The next generation answers from now on, in every process, and the one before is gone.

        Raises:
            NotFound: there is no next generation.
            Conflict: another process changed the tenant's index at the same moment.
        """
        standing = self._generation_states.read(tenant)
        if standing is None or standing.building is None:
            raise errors.NotFound("The tenant has no next index that could take the place of this one.")
        self._generation_states.write(tenant, replace(standing, live=standing.building, building=None), standing)
        self._live.pop(tenant, None)
        self._backing_indexes.delete_all_except(tenant, {standing.building.number})

    def abandon(self, tenant: str) -> None:
        """There is no next generation any more; Raises Conflict as `swap` does."""
        standing = self._generation_states.read(tenant)
        if standing is None:
            return
        if standing.building is not None:
            self._generation_states.write(tenant, replace(standing, building=None), standing)
        self._backing_indexes.delete_all_except(tenant, {standing.live.number})

    def drop(self, tenant: str) -> int:
        """Every index of the tenant is gone; returns how many visible rows the one that answered had."""
        backing_index_name(tenant, 0)
        standing = self._generation_states.read(tenant)
        rows = 0
        if standing is not None:
            # What cannot be counted can be dropped all the same.
            with suppress(errors.Unavailable):
                rows = self._index(tenant, standing.live).count_rows()
        self._generation_states.delete(tenant)
        self._live.pop(tenant, None)
        self._backing_indexes.delete_all_except(tenant, set())
        return rows

    def wake(self) -> None:
        """A search that finds nothing was answered, so what slept is awake; Raises Unavailable while it is not."""
        nothing: Body = {"size": 0, "query": {"match_none": {}}}
        self._engine.request("POST", f"/{ALL_INDEXES_PATTERN}/_search", nothing, Deadline(SEARCH_SECONDS))

    def close(self) -> None:
        """Its connections are closed."""
        self._engine.close()

    def _find_state(self, tenant: str) -> GenerationState | None:
        """As it is now; Raises Invalid for what is no tenant id."""
        backing_index_name(tenant, 0)
        return self._generation_states.read(tenant)

    def _find_or_create_state(self, tenant: str) -> GenerationState:
        """As it is now; a tenant without an index gets one of the default model."""
        if (found := self._find_state(tenant)) is not None:
            return found
        first = IndexGeneration(1, self._default_model)
        standing = GenerationState(live=first, building=None, highest_number=first.number)
        try:
            self._generation_states.write(tenant, standing, None)
        except errors.Conflict:
            # Another process was the first, and makes what it wrote down.
            return self._generation_states.read(tenant) or standing
        self._backing_indexes.create(tenant, first)
        return standing

    @property
    def _default_model(self) -> ModelId:
        return self._model if isinstance(self._model, ModelId) else self._model()

    def _lazy_index(self, tenant: str) -> LazyIndex:
        def find() -> OpenSearchIndex | None:
            standing = self._generation_states.read(tenant)
            return None if standing is None else self._index(tenant, standing.live)

        def make() -> OpenSearchIndex:
            return self._index(tenant, self._find_or_create_state(tenant).live)

        return LazyIndex(tenant, self._default_model, self._rules.visible_after_seconds, find, make)

    def _index(self, tenant: str, generation: IndexGeneration) -> OpenSearchIndex:
        return OpenSearchIndex(
            self._engine,
            self._rules,
            tenant,
            backing_index_name(tenant, generation.number),
            generation.model,
            partial(self._check_generation, tenant, generation),
            self._backing_indexes.mapping(tenant, generation),
        )

    def _check_generation(self, tenant: str, generation: IndexGeneration) -> None:
        standing = self._generation_states.read(tenant)
        if standing is None or generation not in (standing.live, standing.building):
            self._live.pop(tenant, None)
            raise errors.Superseded("The tenant's index was replaced meanwhile: repeat in a moment.", retry_after_s=1)


def _other_model_conflict(begun: ModelId, wanted: ModelId) -> errors.Conflict:
    return errors.Conflict(
        f"The tenant's next index is being filled with vectors of the model {_model_label(begun)}, not {_model_label(wanted)}: "
        "let that end, or give it up with `groundwire reindex TENANT --abandon`."
    )


def _model_label(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"
