"""Member `aggs` of a body: counts of values, by terms aggregations."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from groundwire.dialects.opensearch.errors import illegal_argument, not_served, shard_error
from groundwire.dialects.opensearch.query.clauses import as_object, read_options, shortened
from groundwire.dialects.opensearch.query.fields import FieldUse, IndexField, IndexFields
from groundwire.dialects.opensearch.query.search.sorting import shown_value
from groundwire.domain.documents.metadata import Scalar
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.passages.value_counts import ValueCounts

MAX_BUCKETS: Final = 20
MAX_AGGREGATIONS: Final = 5
_DEFAULT_BUCKETS: Final = 10
_BY_COUNT: Final = ({"_count": "desc"}, [{"_count": "desc"}], [{"_count": "desc"}, {"_key": "asc"}])
_REFUSED: Final = (
    *("collect_mode", "exclude", "execution_hint", "include", "min_doc_count", "missing", "script"),
    *("shard_min_doc_count", "shard_size", "show_term_doc_count_error", "value_type"),
)
_KEY_TYPES: Final = (
    ("dterms", frozenset({FieldType.NUMBER, FieldType.NUMBERS})),
    ("lterms", frozenset({FieldType.BOOLEAN})),
    ("lterms", frozenset({FieldType.DATE})),
)
"""Types of keys by the types of a field's values, as its mapping has them; the keys of others are texts."""


class TermsAggregation(NamedTuple):
    """Counts of the values of one field.

    Attributes:
        field: None: it does not exist for the caller, and there is no bucket.
        buckets: number of the buckets that are shown.
        has_typed_name: the answer has the type of the keys before the name, as `typed_keys` asks for.
        meta: object of the request that the answer repeats.
    """

    name: str
    field: IndexField | None
    buckets: int
    has_typed_name: bool = False
    meta: Mapping[str, Any] | None = None

    @property
    def shown_name(self) -> str:
        """Return the name in the answer."""
        if not self.has_typed_name:
            return self.name
        types = frozenset[FieldType]() if self.field is None else self.field.types - {FieldType.EMPTY_LIST}
        prefix = next((prefix for prefix, held in _KEY_TYPES if types and types <= held), "sterms")
        return f"{prefix}#{self.name}"


def parse_aggregations(given: object, fields: IndexFields) -> tuple[TermsAggregation, ...]:
    """Return the aggregations.

    Raises:
        OpenSearchError: one is no terms aggregation, or has options that this server does not have.
    """
    members = as_object(given, "aggregations")
    if len(members) > MAX_AGGREGATIONS:
        raise illegal_argument(f"A search can have at most {MAX_AGGREGATIONS} aggregations.")
    return tuple(_parse_one(name, body, fields) for name, body in members.items())


def aggregation_answer(counts: ValueCounts, meta: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the answer of an aggregation."""
    return {
        **({} if meta is None else {"meta": meta}),
        "doc_count_error_upper_bound": 0,
        "sum_other_doc_count": counts.others,
        "buckets": [{**_key(value), "doc_count": count} for value, count in counts.counts],
    }


def _parse_one(name: str, body: object, fields: IndexFields) -> TermsAggregation:
    members = as_object(body, name)
    for kind in members:
        if kind in ("aggs", "aggregations"):
            raise not_served("aggs in aggs", "ask for one field after the other")
        if kind not in ("terms", "meta"):
            raise not_served(f"aggregation {shortened(kind)}", "aggregations here are terms")
    options = read_options("terms", members.get("terms"), ["field", "size", "order"], _REFUSED)
    wanted, size = options.get("field"), options.get("size", _DEFAULT_BUCKETS)
    if not isinstance(wanted, str):
        raise illegal_argument("Required one of fields [field, script], but none were specified.")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= MAX_BUCKETS:
        raise illegal_argument(f"[size] must be from 1 to {MAX_BUCKETS} buckets")
    if options.get("order", _BY_COUNT[0]) not in _BY_COUNT:
        raise not_served("terms.order", 'buckets are in the order {"_count": "desc"}')
    meta = None if members.get("meta") is None else as_object(members["meta"], "meta")
    return TermsAggregation(name, _aggregated(wanted, fields), size, meta=meta)


def _aggregated(name: str, fields: IndexFields) -> IndexField | None:
    field = fields.find(name)
    # The engine has no bucket for an unknown field, and no error.
    if field is None:
        return None
    if field.use is not FieldUse.VALUES:
        raise shard_error(f"Fields of full text and vectors have no buckets: [{shortened(name)}]")
    return field


def _key(value: Scalar) -> dict[str, Any]:
    if isinstance(value, bool):
        # The engine's keys of booleans are 1 and 0, with the word beside.
        return {"key": int(value), "key_as_string": str(value).lower()}
    if isinstance(value, date):
        return {"key": shown_value(value), "key_as_string": f"{value.isoformat()}T00:00:00.000Z"}
    return {"key": shown_value(value)}
