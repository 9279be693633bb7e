"""Semantic queries: neural, with a text, and knn, with a vector of the index's model."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

from groundwire.dialects.opensearch.errors import illegal_argument, not_served
from groundwire.dialects.opensearch.query.clauses import as_text, read_field, read_options
from groundwire.dialects.opensearch.query.fields import VECTOR, FieldUse, IndexFields
from groundwire.dialects.opensearch.query.parsed import ParsedQuery, TextSearch, all_of
from groundwire.dialects.opensearch.query.values import NOTHING
from groundwire.domain.limits import MAX_PASSAGES_PER_CALL
from groundwire.domain.text.json_values import list_or_empty
from groundwire.domain.text.words import words

_MOST_DIMENSIONS: Final = 16_000
_DEFAULT_NEAREST: Final = 10
"""Passages of a query without `k`, as the engine's plugin has it."""
_REFUSED: Final = ("max_distance", "min_score", "method_parameters", "rescore", "expand_nested_docs", "query_image")

ParseFilter = Callable[[object], ParsedQuery]


class VectorQueries:
    """Queries by the vectors of passages.

    Args:
        fields: fields that exist for the caller.
        parse_filter: parses the member `filter` of a query.
    """

    def __init__(self, fields: IndexFields, parse_filter: ParseFilter) -> None:
        self._fields = fields
        self._parse_filter = parse_filter

    def neural(self, body: object) -> ParsedQuery:
        """Return the query for passages near to a text; the model is the index's own, whatever `model_id` names."""
        name, given = read_field("neural", body)
        options = read_options("neural", given, ["query_text", "k", "model_id", "filter"], _REFUSED)
        text = as_text(options.get("query_text"), "neural")
        if not words(text):
            raise illegal_argument("[neural] query_text has no word")
        most = _most(options, "neural") or _DEFAULT_NEAREST
        return self._search(name, TextSearch(text, has_words=False, most=most), options)

    def knn(self, body: object) -> ParsedQuery:
        """Return the query for passages near to a vector."""
        name, given = read_field("knn", body)
        options = read_options("knn", given, ["vector", "k", "filter"], _REFUSED)
        if options.get("k") is None:
            raise illegal_argument("[knn] requires k")
        vector = _vector(options.get("vector"))
        return self._search(name, TextSearch("", vector, has_words=False, most=_most(options, "knn")), options)

    def _search(self, name: str, search: TextSearch, options: Mapping[str, Any]) -> ParsedQuery:
        field = self._fields.find(name)
        if field is None:
            return ParsedQuery(NOTHING)
        if field.use is not FieldUse.VECTOR:
            raise illegal_argument(f"Field [{field.name}] is not knn_vector type: name [{VECTOR}]")
        found = ParsedQuery(texts=(search,))
        if options.get("filter") is None:
            return found
        narrowed = self._parse_filter(options["filter"])
        # The filter decides before vectors are compared; a text would need a search of its own.
        if narrowed.texts:
            raise not_served("a text in the filter of knn or neural", "put it beside in must")
        return all_of([found, narrowed])


def _most(options: Mapping[str, Any], kind: str) -> int | None:
    most = options.get("k")
    if most is None:
        return None
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise illegal_argument(f"[{kind}] requires k to be in the range (0, 10000]")
    return min(most, MAX_PASSAGES_PER_CALL)


def _vector(given: object) -> tuple[float, ...]:
    values = list_or_empty(given)
    if not 0 < len(values) <= _MOST_DIMENSIONS:
        raise illegal_argument("[knn] requires a vector, an array of numbers; words go into [neural] with query_text")
    numbers = [float(each) for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    # A vector of zeros has no direction, so that it has no similarity to anything.
    if len(numbers) != len(values) or not all(map(isfinite, numbers)) or not any(numbers):
        raise illegal_argument("[knn] requires a vector of finite numbers that are not all 0")
    return tuple(numbers)
