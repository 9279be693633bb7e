"""The indexes of all tenants on one OpenSearch."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from groundwire.adapters.aws.opensearch.deadlines import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.engine import Body, Engine
from groundwire.adapters.aws.opensearch.generations import EVERY_INDEX, Generations, name_of
from groundwire.adapters.aws.opensearch.index import OpenSearchIndex
from groundwire.adapters.aws.opensearch.services import ServiceRules
from groundwire.adapters.aws.opensearch.unmade import UnmadeIndex
from groundwire.domain import errors
from groundwire.ports import IndexGeneration, ModelId, Standing, Standings

_TOLD_AGAIN_AFTER_S: Final = 60.0
"""A search asks the registry so seldom which generation answers: one that was replaced is gone, and says so itself."""


class OpenSearchIndexes:
    """`Indexes` whose generations stand in `standings`: an index is never asked which of them answers.

    Args:
        model: of the index that a new tenant gets; or how to learn it, where few callers need it.
    """

    def __init__(
        self, engine: Engine, rules: ServiceRules, standings: Standings, model: ModelId | Callable[[], ModelId]
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._standings = standings
        self._model = model
        self._generations = Generations(engine, rules)
        self._answering: dict[str, tuple[IndexGeneration, float]] = {}

    def of(self, tenant: str) -> OpenSearchIndex | UnmadeIndex:
        """The tenant's index, made by its first document; ask for it per call: another process may drop or swap it.

        Raises:
            Invalid: `tenant` is no tenant id.
        """
        generation, told_at = self._answering.get(tenant, (None, 0.0))
        if generation is None or time.monotonic() - told_at > _TOLD_AGAIN_AFTER_S:
            standing = self._found(tenant)
            if standing is None:
                return self._unmade(tenant)
            generation = standing.answering
            self._answering[tenant] = generation, time.monotonic()
        return self._index(tenant, generation)

    def next_generation(self, tenant: str, model: ModelId) -> OpenSearchIndex:
        """An index of another model beside the one that answers, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was begun with a third model; `abandon` it first. Or another process began
                one at the same moment.
        """
        standing = self._standing(tenant)
        begun = standing.begun
        if begun is None:
            begun = IndexGeneration(standing.last + 1, model)
            self._standings.write(tenant, replace(standing, begun=begun, last=begun.number), standing)
        if begun.model != model:
            raise _third_model(begun.model, model)
        self._generations.make(tenant, begun)
        return self._index(tenant, begun)

    def begun(self, tenant: str) -> OpenSearchIndex | None:
        """The next generation where one was begun, here or elsewhere."""
        standing = self._found(tenant)
        return None if standing is None or standing.begun is None else self._index(tenant, standing.begun)

    def swap(self, tenant: str) -> None:
        """The next generation answers from now on, in every process, and the one before is gone.

        Raises:
            NotFound: there is no next generation.
            Conflict: another process changed the tenant's index at the same moment.
        """
        standing = self._standings.read(tenant)
        if standing is None or standing.begun is None:
            raise errors.NotFound("The tenant has no next index that could take the place of this one.")
        self._standings.write(tenant, replace(standing, answering=standing.begun, begun=None), standing)
        self._answering.pop(tenant, None)
        self._generations.keep_only(tenant, {standing.begun.number})

    def abandon(self, tenant: str) -> None:
        """There is no next generation any more; Raises Conflict as `swap` does."""
        standing = self._standings.read(tenant)
        if standing is None:
            return
        if standing.begun is not None:
            self._standings.write(tenant, replace(standing, begun=None), standing)
        self._generations.keep_only(tenant, {standing.answering.number})

    def drop(self, tenant: str) -> int:
        """Every index of the tenant is gone; returns how many visible rows the one that answered had."""
        name_of(tenant, 0)
        standing = self._standings.read(tenant)
        rows = 0
        if standing is not None:
            # What cannot be counted can be dropped all the same.
            with suppress(errors.Unavailable):
                rows = self._index(tenant, standing.answering).count()
        self._standings.delete(tenant)
        self._answering.pop(tenant, None)
        self._generations.keep_only(tenant, set())
        return rows

    def wake(self) -> None:
        """A search that finds nothing was answered, so what slept is awake; Raises Unavailable while it is not."""
        nothing: Body = {"size": 0, "query": {"match_none": {}}}
        self._engine.ask("POST", f"/{EVERY_INDEX}/_search", nothing, Deadline(SEARCH_SECONDS))

    def close(self) -> None:
        """Its connections are closed."""
        self._engine.close()

    def _found(self, tenant: str) -> Standing | None:
        """As it is now; Raises Invalid for what is no tenant id."""
        name_of(tenant, 0)
        return self._standings.read(tenant)

    def _standing(self, tenant: str) -> Standing:
        """As it is now; a tenant without an index gets one of the default model."""
        if (found := self._found(tenant)) is not None:
            return found
        first = IndexGeneration(1, self._default_model)
        standing = Standing(answering=first, begun=None, last=first.number)
        try:
            self._standings.write(tenant, standing, None)
        except errors.Conflict:
            # Another process was the first, and makes what it wrote down.
            return self._standings.read(tenant) or standing
        self._generations.make(tenant, first)
        return standing

    @property
    def _default_model(self) -> ModelId:
        return self._model if isinstance(self._model, ModelId) else self._model()

    def _unmade(self, tenant: str) -> UnmadeIndex:
        def find() -> OpenSearchIndex | None:
            standing = self._standings.read(tenant)
            return None if standing is None else self._index(tenant, standing.answering)

        def make() -> OpenSearchIndex:
            return self._index(tenant, self._standing(tenant).answering)

        return UnmadeIndex(tenant, self._default_model, self._rules.visible_after_seconds, find, make)

    def _index(self, tenant: str, generation: IndexGeneration) -> OpenSearchIndex:
        return OpenSearchIndex(
            self._engine,
            self._rules,
            tenant,
            name_of(tenant, generation.number),
            generation.model,
            partial(self._check_standing, tenant, generation),
            self._generations.mapping(tenant, generation),
        )

    def _check_standing(self, tenant: str, generation: IndexGeneration) -> None:
        standing = self._standings.read(tenant)
        if standing is None or generation not in (standing.answering, standing.begun):
            self._answering.pop(tenant, None)
            raise errors.Superseded("The tenant's index was replaced meanwhile: repeat in a moment.", retry_after_s=1)


def _third_model(begun: ModelId, wanted: ModelId) -> errors.Conflict:
    return errors.Conflict(
        f"The tenant's next index is being filled with vectors of the model {_told(begun)}, not {_told(wanted)}: "
        "let that end, or give it up with `groundwire reindex TENANT --abandon`."
    )


def _told(model: ModelId) -> str:
    return f"{model.name} ({model.dimension} dimensions)"
