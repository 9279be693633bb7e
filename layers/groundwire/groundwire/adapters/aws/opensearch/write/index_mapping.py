"""The mapping of one index as far as this process knows it: checked once, and given the fields that texts need.

A service may refuse a writer the change that a document with a new field is, so the field of a language is put before
the first bulk that holds the language.
"""

from collections.abc import Set as AbstractSet

from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import NEW_INDEX_SECONDS, SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.connection.errors import IndexMissing
from groundwire.adapters.aws.opensearch.schema import mapping
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules
from groundwire.adapters.aws.opensearch.write.index_readiness import retry_while_absent
from groundwire.ports import ModelId


class IndexMapping:
    """One index, which is made where it is absent; good for any number of threads."""

    def __init__(self, engine: EngineClient, rules: ServiceRules, name: str, model: ModelId) -> None:
        self._engine = engine
        self._rules = rules
        self._name = name
        self._model = model
        self._text_fields: AbstractSet[str] | None = None
        """Fields that the index has; None before they are looked up."""

    def create(self) -> None:
        """Make the index; of several who make it at once, one does."""
        self._engine.create_index(self._name, mapping.index_body(self._rules, self._model), Deadline(SEARCH_SECONDS))

    def check(self) -> None:
        """Look once whether the index is there and as this Groundwire makes it.

        Raises:
            Conflict: another version of Groundwire, or one with another model, made it.
        """
        if self._text_fields is not None:
            return
        try:
            found = self._engine.request("GET", f"/{self._name}/_mapping", None, Deadline(SEARCH_SECONDS))
        except IndexMissing:
            self.create()
            self._text_fields = frozenset()
        else:
            held = found[self._name]["mappings"]
            mapping.check_mapping(self._name, held, self._model)
            self._text_fields = mapping.text_fields(held.get("properties", {}))

    def add_text_fields(self, names: AbstractSet[str]) -> None:
        """Put those of these fields that the index lacks; to put one twice changes nothing."""
        known = self._text_fields
        if lacking := names - (known or frozenset[str]()):
            body = mapping.text_fields_body(lacking)

            def put() -> None:
                self._engine.request("PUT", f"/{self._name}/_mapping", body, Deadline(SEARCH_SECONDS))

            retry_while_absent(put, Deadline(NEW_INDEX_SECONDS))
            # Not after a `forget` in between: then the index may be another one.
            if known is not None and self._text_fields is known:
                self._text_fields = known | lacking

    def forget(self) -> None:
        """Look the index up again before the next write: somebody may have made another in its place."""
        self._text_fields = None
