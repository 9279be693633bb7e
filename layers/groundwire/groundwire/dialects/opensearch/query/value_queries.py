"""Queries on exact values: term, terms, range, exists, prefix and ids."""

from typing import Final, cast

from groundwire.dialects.opensearch.errors import illegal_argument, not_served
from groundwire.dialects.opensearch.query.clauses import as_text, read_field, read_options, shortened
from groundwire.dialects.opensearch.query.fields import CONTENT, ID, TITLE, FieldUse, IndexField, IndexFields
from groundwire.dialects.opensearch.query.name_patterns import check_pattern
from groundwire.dialects.opensearch.query.parsed import ParsedQuery, any_filter
from groundwire.dialects.opensearch.query.values import EVERYTHING, NOTHING, between, equal_to
from groundwire.domain.filters.expression import AllOf, Exists, HasLength, Not, Operator, TextMatch
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.limits import MAX_FILTER_VALUES
from groundwire.domain.text.json_values import is_list

_OPERATORS: Final = {"gt": Operator.GT, "gte": Operator.GE, "lt": Operator.LT, "lte": Operator.LE}
_DATE_FORMATS: Final = frozenset(
    {"strict_date_optional_time", "date_optional_time", "yyyy-MM-dd", "strict_date", "date"}
)
_RANGE_REFUSED: Final = ("from", "to", "include_lower", "include_upper", "time_zone", "relation")


class ValueQueries:
    """Queries on exact values of these fields."""

    def __init__(self, fields: IndexFields) -> None:
        self._fields = fields

    def term(self, body: object) -> ParsedQuery:
        """Return the query for a field with this value."""
        name, options = read_field("term", body)
        if isinstance(options, dict):
            options = read_options("term", cast("object", options), ["value"], ["case_insensitive"])
            if "value" not in options:
                raise illegal_argument("value cannot be null")
            options = options["value"]
        return self._equal_to(name, [cast("object", options)], "term")

    def terms(self, body: object) -> ParsedQuery:
        """Return the query for a field with one of these values."""
        name, values = read_field("terms", body)
        if isinstance(values, dict):
            raise not_served("terms lookup", "list the values")
        if not is_list(values):
            raise illegal_argument("[terms] query requires an array of values")
        if len(values) > MAX_FILTER_VALUES:
            raise illegal_argument(f"[terms] query has more than {MAX_FILTER_VALUES} values")
        return self._equal_to(name, values, "terms")

    def range(self, body: object) -> ParsedQuery:
        """Return the query for a field with a value within bounds."""
        name, options = read_field("range", body)
        bounds = read_options("range", options, [*_OPERATORS, "format"], _RANGE_REFUSED)
        if as_text(bounds.get("format", "date"), "range") not in _DATE_FORMATS:
            raise not_served("range.format", "write dates as 2026-01-31")
        field = self._fields.find(name)
        if field is None:
            return ParsedQuery(NOTHING)
        self._check_use(field, "range")
        given = [(operator, bounds[name]) for name, operator in _OPERATORS.items() if bounds.get(name) is not None]
        # A range without bounds finds what has the field, as in the engine.
        if not given:
            return self._existing(field)
        return ParsedQuery(between(field, given))

    def exists(self, body: object) -> ParsedQuery:
        """Return the query for passages that have the field."""
        name = as_text(read_options("exists", body, ["field"]).get("field"), "exists")
        if name == ID:
            return ParsedQuery(EVERYTHING)
        found = [self._existing(field) for field in self._fields.within(check_pattern(name))]
        return found[0] if len(found) == 1 else any_filter([ParsedQuery(NOTHING), *found])

    def prefix(self, body: object) -> ParsedQuery:
        """Return the query for a field with a text that begins so."""
        name, options = read_field("prefix", body)
        if isinstance(options, dict):
            refused = ["case_insensitive", "rewrite"]
            options = read_options("prefix", cast("object", options), ["value"], refused).get("value")
        start, field = as_text(options, "prefix"), self._fields.find(name)
        if field is None:
            return ParsedQuery(NOTHING)
        self._check_use(field, "prefix")
        if field.stored is None:
            raise illegal_argument(f"Cannot search on field [{field.name}] since it is not indexed.")
        return ParsedQuery(TextMatch(field.stored, (start, ""), Language.OWN))

    def ids(self, body: object) -> ParsedQuery:
        """Return the query for passages with one of these ids."""
        values = read_options("ids", body, ["values"]).get("values")
        values = [values] if isinstance(values, str) else values
        if not is_list(values):
            raise illegal_argument("[ids] requires values, an array")
        return _with_ids([as_text(value, "ids") for value in values])

    def _equal_to(self, name: str, literals: list[object], kind: str) -> ParsedQuery:
        if name == ID:
            return _with_ids([as_text(literal, kind) for literal in literals])
        field = self._fields.find(name)
        if field is None:
            return ParsedQuery(NOTHING)
        self._check_use(field, kind)
        return ParsedQuery(equal_to(field, literals))

    def _existing(self, field: IndexField) -> ParsedQuery:
        if field.name in (CONTENT, TITLE) or field.use is FieldUse.VECTOR:
            return ParsedQuery(EVERYTHING)
        if field.stored is None:
            raise illegal_argument(f"Cannot search on field [{field.name}] since it is not indexed.")
        # A list without an item is no value.
        return ParsedQuery(AllOf((Exists(field.stored), Not(HasLength(field.stored, Operator.EQ, 0, Language.OWN)))))

    def _check_use(self, field: IndexField, kind: str) -> None:
        """Check that the field has exact values; those of the title are compared as a whole.

        Raises:
            OpenSearchError: it has none.
        """
        if field.name == CONTENT:
            raise not_served(f"{kind} on {CONTENT}", "use match or match_phrase")
        if field.use is FieldUse.VECTOR:
            raise illegal_argument(
                f"Field [{shortened(field.name)}] of type [knn_vector] is searched by knn or neural."
            )


def _with_ids(ids: list[str]) -> ParsedQuery:
    if len(ids) > MAX_FILTER_VALUES:
        raise illegal_argument(f"[ids] query has more than {MAX_FILTER_VALUES} values")
    return ParsedQuery(ids=frozenset(ids))
