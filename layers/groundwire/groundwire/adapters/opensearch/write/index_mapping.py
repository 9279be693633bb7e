"""Mapping of one index, as this process knows it: checked once, extended by the fields that an earlier release lacks.

Its metadata remembers that the service refuses ids that a writer chooses. A new index does not inherit this: its first
writer asks again, because the service may have changed.

A service may refuse a writer the implicit mapping change of a new field. So a field is added before the first bulk that
contains it.
"""

from collections.abc import Set as AbstractSet
from contextlib import suppress

from groundwire.adapters.opensearch.connection.client import Body, EngineClient
from groundwire.adapters.opensearch.connection.deadline import NEW_INDEX_SECONDS, SEARCH_SECONDS, Deadline
from groundwire.adapters.opensearch.connection.errors import AccessRefused, IndexMissing
from groundwire.adapters.opensearch.query.statistics import SeenLanguages
from groundwire.adapters.opensearch.schema import mapping
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.adapters.opensearch.write.index_readiness import retry_while_absent
from groundwire.ports import ModelId


class IndexMapping:
    """Mapping of one index, which is created when it is absent; safe to share between threads.

    Attributes:
        languages: languages of the rows that this process has written or counted.
    """

    def __init__(self, engine: EngineClient, rules: ServiceRules, name: str, model: ModelId) -> None:
        self._engine = engine
        self._rules = rules
        self._name = name
        self._model = model
        self.languages = SeenLanguages()
        self._fields: AbstractSet[str] | None = None
        """Fields that the index has; None before the lookup."""
        self._refuses_ids = False

    @property
    def takes_custom_ids(self) -> bool:
        """Permission of a writer to choose the ids of rows, as this process knows it after `check`."""
        return self._rules.custom_ids and not self._refuses_ids

    def create(self) -> None:
        """Create the index; of several concurrent callers, one creates it."""
        self._engine.create_index(self._name, mapping.index_body(self._rules, self._model), Deadline(SEARCH_SECONDS))

    def check(self) -> None:
        """Check once that the index exists and is of this schema and model.

        Raises:
            Conflict: another version of Groundwire, or one with another model, made it.
        """
        if self._fields is not None:
            return
        try:
            found = self._engine.request("GET", f"/{self._name}/_mapping", None, Deadline(SEARCH_SECONDS))
        except IndexMissing:
            self.create()
            self._refuses_ids = False
            self._fields = mapping.FIELDS.keys()
        else:
            mappings = found[self._name]["mappings"]
            mapping.check_mapping(self._name, mappings, self._model)
            self._refuses_ids = mapping.remembers_refused_ids(mappings)
            self._fields = frozenset(mappings.get("properties", {}))

    def add_fields(self, names: AbstractSet[str]) -> None:
        """Add the fields that the index lacks; adding one twice changes nothing."""
        known = self._fields
        if missing := names & mapping.FIELDS.keys() - (known or frozenset[str]()):
            self._put(mapping.fields_body(missing))
            # A `forget` in between may mean that the index is another one by now.
            if known is not None and self._fields is known:
                self._fields = known | missing

    def refuse_custom_ids(self) -> None:
        """Remember in the index, so for every process, that the service assigns the ids; repeating it changes nothing.

        A process without the right to change the mapping remembers it for itself.
        """
        self._refuses_ids = True
        with suppress(AccessRefused):
            self._put(mapping.refused_ids_body(self._model))

    def _put(self, body: Body) -> None:
        """Merge `body` into the mapping."""

        def put() -> None:
            self._engine.request("PUT", f"/{self._name}/_mapping", body, Deadline(SEARCH_SECONDS))

        retry_while_absent(put, Deadline(NEW_INDEX_SECONDS))

    def forget(self) -> None:
        """Repeat the lookup before the next write, because the index may have been replaced."""
        self._fields = None
