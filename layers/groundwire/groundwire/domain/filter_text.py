"""Filters as a person writes them: `year >= 2024 and department in (sales, 'legal team') and not draft = true`.

`and` binds closer than `or`, `not` closer than both. Text needs quotes where it holds more than one word; `()` always
holds. Numbers, dates, true and false are themselves without quotes, and text within.
"""

import math
from collections.abc import Callable
from typing import Final

from groundwire.domain.errors import Invalid
from groundwire.domain.filter_tokens import KEYWORDS, Kind, Token, tokens, wrong
from groundwire.domain.filters import AllOf, AnyOf, Compare, Filter, Not, Operator
from groundwire.domain.limits import MAX_FILTER_DEPTH, MAX_FILTER_VALUES
from groundwire.domain.literals import bare, quoted, spelled, unquoted
from groundwire.domain.metadata import Scalar, is_field

_OPERATORS: Final = {each.value: each for each in Operator} | {"==": Operator.EQ, "<>": Operator.NE}
_LISTING: Final = frozenset({Operator.EQ, Operator.NE, Operator.IN})


def parse_filter(text: str) -> Filter:
    """The filter that the text says.

    Raises:
        Invalid: it says none, or too much; with the place where that shows.
    """
    return _Reading(text).whole()


def filter_to_text(where: Filter) -> str:
    """The text that `parse_filter` reads as a filter with the same answers, mostly as this very one."""
    match where:
        case AllOf(parts):
            return " and ".join(map(_enclosed, parts)) or "()"
        case AnyOf(parts):
            return " or ".join(map(_enclosed, parts)) or "not ()"
        case Not(part):
            return f"not {_enclosed(part)}"
        case Compare(field, operator, value):
            if isinstance(value, tuple):
                return _any_of(field, operator, value)
            return f"{_field(field)} {operator} {_listed(value) if operator is Operator.IN else spelled(value)}"


def _any_of(field: str, operator: Operator, options: tuple[Scalar, ...]) -> str:
    listed = f"{_field(field)} in {_listed(*options)}" if options else "not ()"
    match operator:
        case Operator.EQ | Operator.IN:
            return listed
        case Operator.NE:
            return f"not {listed}"
        case _:
            return filter_to_text(AnyOf(tuple(Compare(field, operator, option) for option in options)))


def _listed(*options: Scalar) -> str:
    return f"({', '.join(map(spelled, options))})"


def _enclosed(part: Filter) -> str:
    text = filter_to_text(part)
    return text if isinstance(part, Not) or _is_simple(part) else f"({text})"


def _is_simple(part: Filter) -> bool:
    return isinstance(part, Compare) and (part.operator in _LISTING or not isinstance(part.value, tuple))


def _field(name: str) -> str:
    return quoted(name) if name.lower() in KEYWORDS else name


class _Reading:
    """One filter's text, read token by token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._next = next(self._tokens)
        self._depth = 0
        self._values = 0

    def whole(self) -> Filter:
        """The filter, with nothing behind it."""
        if self._at_end():
            raise self._wrong("it is empty; write for example `year >= 2024`")
        where = self._any()
        if not self._at_end():
            raise self._wrong("`and`, `or` or the end should follow")
        return where

    def _any(self) -> Filter:
        parts = self._joined("or", self._all)
        return parts[0] if len(parts) == 1 else AnyOf(parts)

    def _all(self) -> Filter:
        parts = self._joined("and", self._one)
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def _joined(self, keyword: str, part: Callable[[], Filter]) -> tuple[Filter, ...]:
        parts = [part()]
        while self._takes(keyword):
            parts.append(part())
        return tuple(parts)

    def _one(self) -> Filter:
        if self._takes("not"):
            return Not(self._within(self._one))
        if self._takes("("):
            return AllOf(()) if self._takes(")") else self._within(self._group)
        return self._comparison()

    def _within(self, part: Callable[[], Filter]) -> Filter:
        self._depth += 1
        if self._depth > MAX_FILTER_DEPTH:
            raise self._wrong(f"parentheses and `not` go at most {MAX_FILTER_DEPTH} deep")
        where = part()
        self._depth -= 1
        return where

    def _group(self) -> Filter:
        where = self._any()
        self._must_take(")", "`)`, `and` or `or` should follow")
        return where

    def _comparison(self) -> Filter:
        field = self._field()
        if self._takes("not"):
            self._must_take("in", "`in` should follow `not`")
            return Not(Compare(field, Operator.IN, self._list()))
        if self._takes("in"):
            return Compare(field, Operator.IN, self._list())
        if self._next.kind is not Kind.OPERATOR:
            raise self._wrong("`=`, `!=`, `<`, `<=`, `>`, `>=` or `in` should follow the field")
        operator = _OPERATORS[self._advanced().text]
        return Compare(field, operator, self._value())

    def _field(self) -> str:
        token = self._next
        name = unquoted(token.text) if token.kind is Kind.QUOTED else token.text
        if token.kind not in (Kind.QUOTED, Kind.WORD) or not is_field(name):
            raise self._wrong("a field's name should follow: letters, digits, `_` and `-`")
        self._advanced()
        return name

    def _list(self) -> tuple[Scalar, ...]:
        self._must_take("(", "values in parentheses should follow `in`")
        options = [self._value()]
        while self._takes(","):
            options.append(self._value())
        self._must_take(")", "`,` or `)` should follow")
        return tuple(options)

    def _value(self) -> Scalar:
        token = self._next
        self._values += 1
        if self._values > MAX_FILTER_VALUES:
            raise self._wrong(f"a filter compares with at most {MAX_FILTER_VALUES} values")
        if token.kind not in (Kind.QUOTED, Kind.WORD):
            raise self._wrong("a value should follow; put text of more than one word in quotes")
        value = unquoted(token.text) if token.kind is Kind.QUOTED else bare(token.text)
        if isinstance(value, float) and math.isinf(value):
            raise self._wrong("the number is too large")
        self._advanced()
        return value

    def _at_end(self) -> bool:
        return self._next.kind is Kind.END

    def _takes(self, text: str) -> bool:
        """Whether the next token is this keyword or mark; it is then behind us."""
        taken = self._next.kind in (Kind.KEYWORD, Kind.MARK) and self._next.text == text
        if taken:
            self._advanced()
        return taken

    def _must_take(self, text: str, problem: str) -> None:
        if not self._takes(text):
            raise self._wrong(problem)

    def _advanced(self) -> Token:
        token, self._next = self._next, next(self._tokens, self._next)
        return token

    def _wrong(self, problem: str) -> Invalid:
        return wrong(self._text, self._next.at, problem)
