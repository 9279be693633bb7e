"""Queries for words: match, match_phrase and multi_match."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from groundwire.dialects.opensearch.errors import illegal_argument, not_served
from groundwire.dialects.opensearch.query.clauses import as_text, read_field, read_options, shortened
from groundwire.dialects.opensearch.query.fields import CONTENT, TITLE, FieldUse, IndexField, IndexFields
from groundwire.dialects.opensearch.query.name_patterns import ANY, check_pattern
from groundwire.dialects.opensearch.query.parsed import Check, ParsedQuery, TextSearch, any_filter
from groundwire.dialects.opensearch.query.values import NOTHING, equal_to
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import HasWords
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.words import has_phrase, words_of
from groundwire.domain.text.json_values import list_or_single
from groundwire.domain.text.words import words

_MAX_SLOP: Final = 100
_MAX_FIELDS: Final = 50
_MATCH: Final = ("query", "operator")
_MATCH_REFUSED: Final = (
    *("analyzer", "auto_generate_synonyms_phrase_query", "fuzziness", "fuzzy_transpositions", "fuzzy_rewrite"),
    *("lenient", "max_expansions", "minimum_should_match", "prefix_length", "zero_terms_query"),
)
_PHRASE: Final = ("query", "slop")
_PHRASE_REFUSED: Final = ("analyzer", "zero_terms_query")
_MULTI: Final = ("query", "fields", "type", "operator", "slop", "tie_breaker")
_MULTI_TYPES: Final = frozenset({"best_fields", "most_fields", "cross_fields", "phrase"})


class TextQueries:
    """Queries for words of these fields."""

    def __init__(self, fields: IndexFields) -> None:
        self._fields = fields

    def match(self, body: object, *, is_negated: bool) -> ParsedQuery:
        """Return the query for a text; on fields with exact values it is an equality."""
        name, options = _read_query("match", body, _MATCH, _MATCH_REFUSED)
        text, needs_all = as_text(options.get("query"), "match"), _needs_all(options, "match")
        return self._search([name], text, None, needs_all=needs_all, is_negated=is_negated)

    def match_phrase(self, body: object, *, is_negated: bool) -> ParsedQuery:
        """Return the query for words in a row, which the stored text must have."""
        name, options = _read_query("match_phrase", body, _PHRASE, _PHRASE_REFUSED)
        text, slop = as_text(options.get("query"), "match_phrase"), _slop(options, "match_phrase")
        return self._search([name], text, slop, needs_all=False, is_negated=is_negated)

    def multi_match(self, body: object, *, is_negated: bool) -> ParsedQuery:
        """Return the query for a text in any of several fields; without `fields` in all."""
        options = read_options("multi_match", body, _MULTI, _MATCH_REFUSED)
        kind = as_text(options.get("type", "best_fields"), "multi_match")
        if kind not in _MULTI_TYPES:
            raise not_served("multi_match.type", f"types here are {', '.join(sorted(_MULTI_TYPES))}")
        names = self._named(_patterns(options.get("fields") or [ANY]))
        text = as_text(options.get("query"), "multi_match")
        # The engine, too, takes the option with every type, and lets it count for phrases alone.
        slop = _slop(options, "multi_match") if kind == "phrase" else None
        needs_all = _needs_all(options, "multi_match")
        return self._search(names, text, slop, needs_all=needs_all, is_negated=is_negated)

    def _named(self, patterns: Sequence[str]) -> list[str]:
        """Return the fields of the patterns; all of them are those with words.

        Raises:
            OpenSearchError: a search has no way to look for a text in words and in exact values at once.
        """
        fields = list(dict.fromkeys(field for pattern in patterns for field in self._fields.matching(pattern)))
        worded = [field.name for field in fields if field.use is FieldUse.WORDS]
        valued = [field.name for field in fields if field.use is FieldUse.VALUES]
        if worded and valued and patterns != [ANY]:
            shown = f"multi_match of {shortened(worded[0])} and {shortened(valued[0])}"
            raise not_served(shown, "name fields of full text, or fields of exact values")
        return worded or valued

    def _search(
        self, names: Sequence[str], text: str, slop: int | None, *, needs_all: bool, is_negated: bool
    ) -> ParsedQuery:
        fields = [field for name in names if (field := self._fields.find(name)) is not None]
        worded = [field for field in fields if field.use is FieldUse.WORDS]
        if not worded:
            valued = [field for field in fields if field.use is FieldUse.VALUES]
            return any_filter([ParsedQuery(NOTHING), *(ParsedQuery(equal_to(field, [text])) for field in valued)])
        if is_negated:
            return ParsedQuery(_negatable(worded, text, slop, needs_all=needs_all))
        # The engine finds nothing for a text without a term.
        if not words(text):
            return ParsedQuery(NOTHING)
        wanted = {field.name for field in worded}
        check = None if slop is None and not needs_all else _check(text, slop, wanted)
        return ParsedQuery(texts=(TextSearch(text),), check=check)


def _read_query(kind: str, body: object, known: Sequence[str], refused: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    name, options = read_field(kind, body)
    if isinstance(options, dict):
        return name, read_options(kind, cast("object", options), known, refused)
    return name, {"query": options}


def _needs_all(options: Mapping[str, Any], kind: str) -> bool:
    operator = options.get("operator", "or")
    if not isinstance(operator, str) or operator.lower() not in ("or", "and"):
        raise illegal_argument(f"[{kind}] operator needs to be either [or] or [and]")
    return operator.lower() == "and"


def _slop(options: Mapping[str, Any], kind: str) -> int:
    slop = options.get("slop", 0)
    if not isinstance(slop, int) or isinstance(slop, bool) or not 0 <= slop <= _MAX_SLOP:
        raise illegal_argument(f"[{kind}] slop is a whole number from 0 to {_MAX_SLOP}")
    return slop


def _patterns(given: object) -> list[str]:
    """Return the names without their boosts, which have no effect."""
    names = list_or_single(given)
    if len(names) > _MAX_FIELDS:
        raise illegal_argument(f"[multi_match] has more than {_MAX_FIELDS} fields")
    return [check_pattern(as_text(name, "multi_match").partition("^")[0]) for name in names]


def _negatable(worded: Sequence[IndexField], text: str, slop: int | None, *, needs_all: bool) -> HasWords:
    """Return the filter for words of the title, the only full text that a filter has."""
    if any(field.name != TITLE for field in worded):
        raise not_served(f"must_not with a text of {CONTENT}", "exclude by exact values or by ids")
    found = words_of(text)
    return HasWords(worded[0].stored or TITLE, found, len(set(found)) if needs_all else 1, slop, Language.OWN)


def _check(text: str, slop: int | None, fields: "set[str]") -> Check:
    """Return the check of a passage's own words: all of them, or the phrase."""
    wanted = words(text)

    def has_words(held: Sequence[str]) -> bool:
        return has_phrase(held, wanted, slop) if slop is not None else set(wanted) <= set(held)

    def passes(segment: Segment) -> bool:
        texts = [*([segment.title] if TITLE in fields else ()), *([segment.text] if CONTENT in fields else ())]
        return any(has_words(words(each)) for each in texts)

    return passes
